"""Reads the tables of a scenario key by key; every error names table, key, wrong value and remedy."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from dispenser.rules.errors import RulesError


class ScenarioError(RulesError, ValueError):
    """A scenario that cannot be played as it is written. One line: table, key, wrong value, remedy."""


class WrongValueError(RulesError, ValueError):
    """A value that means nothing where it stands; the text is the remedy."""


def closest(word: str, known: Iterable[str]) -> str:
    """A remedy for a word that nobody knows."""
    words = list(known)
    lower = {each.lower(): each for each in words}
    near = difflib.get_close_matches(word.lower(), lower, n=1)
    return f'did you mean "{lower[near[0]]}"?' if near else "known are " + ", ".join(words)


def written(value: Any) -> str:
    """A value as it stands in the file."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {written(each)}" for key, each in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=str)


class Table:
    """One table. Ask for its keys, then call ``finish``: what nobody asked for is an error.

    :param name: as people would point at it, such as ``step 3``.
    """

    def __init__(self, values: Any, name: str) -> None:
        if not isinstance(values, dict):
            raise ScenarioError(f"{name} = {written(values)}: this must be a table, with keys and values")
        self._values: dict[str, Any] = values
        self._asked: dict[str, None] = {}
        self.name = name

    def __contains__(self, key: str) -> bool:
        self._asked[key] = None
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def raw(self, key: str) -> Any:
        """The value as it stands there; ``None`` when it does not."""
        self._asked[key] = None
        return self._values.get(key)

    def error(self, key: str, remedy: object) -> ScenarioError:
        """The error for the value of a key."""
        value = f" = {written(self._values[key])}" if key in self._values else ""
        return ScenarioError(f"{self.name}: {key}{value}: {remedy}")

    def finish(self) -> None:
        """Refuse the keys that nobody asked for."""
        for key in self._values:
            if key not in self._asked:
                raise self.error(key, f"no such key here; {closest(key, self._asked)}")

    def text(self, key: str) -> str | None:
        if key not in self:
            return None
        value = self._values[key]
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, 'write a text, such as "…"')
        return value.strip()

    def needed_text(self, key: str, why: str) -> str:
        value = self.text(key)
        if value is None:
            raise ScenarioError(f"{self.name}: {key} is missing: {why}")
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        value = self._values[key] if key in self else default
        if not isinstance(value, bool):
            raise self.error(key, "write true or false")
        return value

    def whole(self, key: str, low: int, high: int) -> int | None:
        if key not in self:
            return None
        value = self._values[key]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.error(key, f"write a whole number from {low} to {high}")
        return value

    def items(self, key: str) -> list[Any]:
        """The items of a list; empty when there is none."""
        if key not in self:
            return []
        value = self._values[key]
        if not isinstance(value, list):
            raise self.error(key, "write a list: [ …, … ]")
        return value

    def table(self, key: str, name: str = "") -> Table:
        """The table below; empty when there is none."""
        return Table(self.raw(key) if key in self else {}, name or f"{self.name}: {key}")
