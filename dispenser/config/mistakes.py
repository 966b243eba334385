"""What is wrong with a file: each mistake with its place, the wrong value and a remedy, on one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from dispenser.i18n import SpokenError, Text, listed

Path = tuple[str | int, ...]
"""Where something stands: keys, and numbers from 1 in lists; ``("step", 3, "at")``."""

NOTHING: Final = object()
"""No value stands there."""
_SHOWN = 80  # characters of a wrong value that are repeated


class TableError(SpokenError, ValueError):
    """Tables that cannot be used.

    :ivar mistakes: all that is wrong, each on one line; the error itself shows the first, as ``more`` says.
    """

    more = Text("{first} (and {more} more)")

    def __init__(self, *mistakes: Text | str) -> None:
        self.mistakes = tuple(each if isinstance(each, Text) else listed([each]) for each in mistakes)
        first, more = self.mistakes[0], len(mistakes) - 1
        super().__init__(self.more.filled(first=first, more=more) if more else first)
        self.args = mistakes  # so that pickle can make the error anew

    def within(self, file: object) -> tuple[Text, ...]:
        """The mistakes, each with the name of the file before it."""
        return tuple(told(file, each) for each in self.mistakes)


class WrongValueError(SpokenError, ValueError):
    """A value that means nothing where it stands, or keys that do not go together; the text says what to write instead.

    :ivar key: which key of the table it is about; ``None`` for the value or the table itself.
    """

    def __init__(self, remedy: Text, key: str | None = None) -> None:
        super().__init__(remedy)
        self.key = key


class Mistakes:
    """What is wrong with a file, put together, so that all of it is told and not only the first."""

    def __init__(self) -> None:
        self._found: dict[Text, None] = {}

    def note(self, *mistakes: Text) -> None:
        """One more, or several; those that are known already are not told twice."""
        self._found.update(dict.fromkeys(mistakes))

    @contextmanager
    def noted(self) -> Iterator[None]:
        """What is found wrong in here is kept, and one goes on behind it."""
        try:
            yield
        except TableError as error:
            self.note(*error.mistakes)

    def tell(self, error: type[TableError] = TableError) -> None:
        """End with what has been found.

        :raises TableError: with all of it.
        """
        if self._found:
            raise error(*self._found)


def mistake(path: Path, what: Text, value: Any = NOTHING) -> Text:
    """One mistake: where, the value that stands there, and what to do."""
    return told(place(path) if value is NOTHING else f"{place(path)} = {shown(value)}", what)


def told(where: object, what: Text) -> Text:
    """What is wrong, and before it where that is."""
    return Text("{place}: {what}").filled(place=where, what=what)


def mistake_in(table: Path, what: Text) -> Text:
    """A mistake of a table as a whole; ``what`` begins with the key that it is about, where there is one."""
    return listed([heading(table), what], between="")


def place(path: Path) -> str:
    """A place as it stands in the file: ``[web] port``, ``[[step]] 3: with.cause``, ``[setup] planned[2]``."""
    first_number = next((at for at, part in enumerate(path) if isinstance(part, int)), len(path))
    if first_number == 1 and len(path) > 2:
        return heading(path[:2]) + _dotted(path[2:])
    return heading(path[: first_number - 1]) + _dotted(path[first_number - 1 :])


def heading(table: Path) -> str:
    """What stands before the key of a table: ``[web] ``, ``[[step]] 3: ``, ``[[step]] 3: with: ``."""
    if not table:
        return ""
    if len(table) == 2 and isinstance(table[1], int):
        return f"[[{_name(table[0])}]] {table[1]}: "
    if any(isinstance(part, int) for part in table):
        return f"{place(table)}: "
    return f"[{_dotted(table)}] "


def _dotted(path: Path) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{_name(part)}" for part in path).removeprefix(".")


def _name(key: object) -> str:
    text = cut(str(key))
    return text if text.replace("-", "").replace("_", "").isalnum() else shown(text)


def cut(text: str) -> str:
    """The beginning of a text, printable and on one line."""
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def shown(value: Any) -> str:
    """A value as it may stand in a file, cut when it is long."""
    from dispenser.config.writer import toml_value

    return cut(toml_value(value))


def nearest(word: object, known: Iterable[str], other_names: Mapping[str, str] | None = None) -> str | None:
    """Which of the known words is perhaps meant.

    :param other_names: what people write, and which of the known words they mean by it.
    """
    import difflib

    meant = {each.lower(): each for each in known}
    meant |= {name: means for name, means in (other_names or {}).items() if name not in meant}
    near = difflib.get_close_matches(str(word)[:_SHOWN].lower(), meant, n=1)
    return meant[near[0]] if near else None


def closest(word: object, known: Iterable[str], other_names: Mapping[str, str] | None = None) -> Text:
    """A remedy for a word that nobody knows; see ``nearest``."""
    words = list(known)
    if near := nearest(word, words, other_names):
        return Text('did you mean "{word}"?').filled(word=near)
    return Text("known are {words}").filled(words=", ".join(words))
