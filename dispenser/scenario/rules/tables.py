"""Reads the tables of a scenario key by key; every error names table, key, wrong value and remedy."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from dispenser.rules.book.entry import Text
from dispenser.rules.errors import RulesError

TOP_OF_THE_FILE: Final = Text("top of the file", "en-tête")
_NO_SUCH_KEY: Final = Text("no such key here", "cette clé n’existe pas ici")


class ScenarioError(RulesError, ValueError):
    """A scenario that cannot be played as it is written. One line: table, key, wrong value, remedy.

    :ivar more: what else is wrong with the same file.
    """

    def __init__(self, text: Text, more: Iterable[ScenarioError] = ()) -> None:
        super().__init__(text)
        self.more = tuple(more)


class Mistakes:
    """What is wrong with a file, put together, so that all of it is told and not only the first."""

    def __init__(self) -> None:
        self._found: list[ScenarioError] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """What is found wrong in here is kept, and one goes on behind it."""
        try:
            yield
        except ScenarioError as error:
            self.note(error)

    def note(self, error: ScenarioError) -> None:
        """One more, or several; those that are known already are not told twice."""
        known = {each.text for each in self._found}
        self._found += [each for each in (error, *error.more) if each.text not in known]

    def tell(self) -> None:
        """End with what has been found.

        :raises ScenarioError: the first; it has the others.
        """
        if self._found:
            first, *others = self._found
            first.more = tuple(others)
            raise first


class WrongValueError(RulesError, ValueError):
    """A value that means nothing where it stands; the text is the remedy."""


def step_name(number: int) -> Text:
    """How one points at a step; 0 is the start."""
    return Text(f"step {number}", f"étape {number}") if number else Text("start", "début")


def closest(word: str, known: Iterable[str]) -> Text:
    """A remedy for a word that nobody knows."""
    words = list(known)
    lower = {each.lower(): each for each in words}
    near = difflib.get_close_matches(word.lower(), lower, n=1)
    if near:
        return Text(f'did you mean "{lower[near[0]]}"?', f'veux-tu dire "{lower[near[0]]}"\u00a0?')
    return Text(f"known are {', '.join(words)}", f"valeurs possibles\u00a0: {', '.join(words)}")


def within(place: Text | str, what: Text) -> Text:
    """What is wrong, and before it where that is: in words, or as it stands in the file."""
    at = Text(place, place) if isinstance(place, str) else place
    return Text(f"{at.en}: {what.en}", f"{at.fr}\u00a0: {what.fr}")


def remark(what: Text, remedy: Text) -> Text:
    """What is wrong, and what to do about it."""
    return Text(f"{what.en}; {remedy.en}", f"{what.fr}\u00a0; {remedy.fr}")


def written(value: Any) -> str:
    """A value as it stands in the file."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {written(each)}" for key, each in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=str)


class Table:
    """One table. Ask for its keys, then call ``finish``: what nobody asked for is an error.

    :param name: as people would point at it, such as ``step 3``; as it stands in the file when it is no text in two
        languages.
    :param keys: those that may stand here, when one must know it before all have been asked for.
    """

    def __init__(self, values: Any, name: Text | str, keys: Iterable[str] = ()) -> None:
        self.name = Text(name, name) if isinstance(name, str) else name
        self._keys = tuple(keys)
        if not isinstance(values, dict):
            value = written(values)
            raise ScenarioError(
                within(
                    Text(f"{self.name.en} = {value}", f"{self.name.fr} = {value}"),
                    Text(
                        "this must be a table, with keys and values", "il faut une table, avec des clés et des valeurs"
                    ),
                )
            )
        self._values: dict[str, Any] = values
        self._asked: dict[str, None] = {}

    def __contains__(self, key: str) -> bool:
        self._asked[key] = None
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def raw(self, key: str) -> Any:
        """The value as it stands there; ``None`` when it does not."""
        self._asked[key] = None
        return self._values.get(key)

    def error(self, key: str, remedy: Text) -> ScenarioError:
        """The error for the value of a key."""
        value = f" = {written(self._values[key])}" if key in self._values else ""
        return ScenarioError(within(self.name, within(f"{key}{value}", remedy)))

    def finish(self) -> None:
        """Refuse the keys that nobody asked for, all of them."""
        mistakes = Mistakes()
        known = self._keys or tuple(self._asked)
        for key in self._values:
            if key not in known:
                with mistakes.noted():
                    raise self._unknown(key, known)
        mistakes.tell()

    def _unknown(self, key: str, known: Iterable[str]) -> ScenarioError:
        return self.error(key, remark(_NO_SUCH_KEY, closest(key, known)))

    def text(self, key: str) -> str | None:
        if key not in self:
            return None
        value = self._values[key]
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, Text('write a text, such as "…"', 'écris un texte, comme "…"'))
        return value.strip()

    def needed_text(self, key: str, why: Text) -> str:
        value = self.text(key)
        if value is None:
            raise self.missing(key, why)
        return value

    def missing(self, key: str, why: Text) -> ScenarioError:
        """The error for a key that should stand there; perhaps it does, but is misspelt."""
        for wrong in difflib.get_close_matches(key, [each for each in self._values if each not in self._keys], n=1):
            if self._keys:
                return self._unknown(wrong, self._keys)
        return ScenarioError(within(self.name, within(Text(f"{key} is missing", f"{key} manque"), why)))

    def flag(self, key: str, *, default: bool) -> bool:
        value = self._values[key] if key in self else default
        if not isinstance(value, bool):
            raise self.error(key, Text("write true or false", "écris true ou false"))
        return value

    def whole(self, key: str, low: int, high: int) -> int | None:
        if key not in self:
            return None
        value = self._values[key]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.error(
                key,
                Text(f"write a whole number from {low} to {high}", f"écris un nombre entier de {low} à {high}"),
            )
        return value

    def items(self, key: str) -> list[Any]:
        """The items of a list; empty when there is none."""
        if key not in self:
            return []
        value = self._values[key]
        if not isinstance(value, list):
            raise self.error(key, Text("write a list: [ …, … ]", "écris une liste\u00a0: [ …, … ]"))
        return value

    def table(self, key: str, name: str = "") -> Table:
        """The table below; empty when there is none."""
        return Table(self.raw(key) if key in self else {}, name or within(self.name, Text(key, key)))
