"""Errors of a TOML file, one line each: place, wrong value, what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from dispenser.i18n import SpokenError, Text, listed, verbatim

Path = tuple[str | int, ...]  # Place in a file: keys, and list numbers from 1; `("step", 3, "at")`

NO_VALUE: Final = object()
_MAX_SHOWN = 80  # characters of a wrong value


class TableError(SpokenError, ValueError):
    """:ivar errors: all errors, one line each; the message is the first and, by ``more``, the number of others."""

    more = Text("{first} (and {more} more)")

    def __init__(self, *errors: Text | str) -> None:
        self.errors = tuple(each if isinstance(each, Text) else verbatim(each) for each in dict.fromkeys(errors))
        first, more = self.errors[0], len(self.errors) - 1
        super().__init__(self.more.filled(first=first, more=more) if more else first)

    def within(self, file: object) -> tuple[Text, ...]:
        return tuple(prefixed(file, each) for each in self.errors)


class WrongValueError(SpokenError, ValueError):
    """A value that is invalid at its place, or keys that conflict; ``key`` of the table, if the error is about one."""

    def __init__(self, hint: Text, key: str | None = None) -> None:
        super().__init__(hint)
        self.key = key


class SettingError(SpokenError, ValueError):
    """An invalid value of a setting; the text begins with key and value."""

    def __init__(self, key: str, value: object, hint: Text) -> None:
        super().__init__(error_at((key,), hint, value))


class ErrorList(list[Text]):
    """All errors of a file, not only the first."""

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Add the errors of a ``TableError`` raised in the block."""
        try:
            yield
        except TableError as error:
            self.extend(error.errors)

    def raise_if_any(self, error: type[TableError] = TableError) -> None:
        if self:
            raise error(*self)


def error_at(path: Path, hint: Text, value: Any = NO_VALUE) -> Text:
    return prefixed(place(path) if value is NO_VALUE else f"{place(path)} = {short_toml(value)}", hint)


def error_in(table: Path, what: Text) -> Text:
    """Return an error of a whole table; ``what`` begins with the key concerned, if there is one."""
    return listed([heading(table), what], between="")


def prefixed(where: object, what: Text) -> Text:
    return Text("{place}: {what}").filled(place=where, what=what)


def place(path: Path) -> str:
    """Return a place as written in the file: ``[web] port``, ``[[step]] 3: with.cause``, ``[setup] planned[2]``."""
    number = next((at for at, part in enumerate(path) if isinstance(part, int)), len(path))
    key = 2 if number == 1 and len(path) > 2 else number - 1
    return heading(path[:key]) + _dotted(path[key:])


def heading(table: Path) -> str:
    """Return the prefix of the keys of a table: ``[web] ``, ``[[step]] 3: ``, ``[[step]] 3: with: ``."""
    if not table:
        return ""
    if len(table) == 2 and isinstance(table[1], int):
        return f"[[{_name(table[0])}]] {table[1]}: "
    return f"{place(table)}: " if any(isinstance(part, int) for part in table) else f"[{_dotted(table)}] "


def _dotted(path: Path) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{_name(part)}" for part in path).removeprefix(".")


def _name(key: object) -> str:
    text = cut(str(key))
    return text if text.replace("-", "").replace("_", "").isalnum() else short_toml(text)


def cut(text: str) -> str:
    """Return the beginning of a text, printable, on one line."""
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def short_toml(value: Any) -> str:
    from dispenser.config.writer import toml_value

    return cut(toml_value(value))


def nearest(word: object, known: Iterable[str]) -> str | None:
    import difflib

    by_lower = {each.lower(): each for each in known}
    near = difflib.get_close_matches(str(word)[:_MAX_SHOWN].lower(), by_lower, n=1)
    return by_lower[near[0]] if near else None


def closest(word: object, known: Iterable[str]) -> Text:
    if near := nearest(word, words := list(known)):
        return Text('did you mean "{word}"?').filled(word=near)
    return Text("known are {words}").filled(words=", ".join(words))
