"""Reads the tables of a scenario file key by key; every error names table, key, wrong value and remedy."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator
from typing import Any

from dispenser.scenario.launcher.toml import toml_value


class ScenarioError(ValueError):
    """A scenario that cannot be played as it is written. One line: file, table, key, wrong value, remedy."""


def closest(word: str, known: Iterable[str]) -> str:
    """A remedy for a word that nobody knows."""
    words = sorted(known)
    near = difflib.get_close_matches(word, words, n=1)
    return f'did you mean "{near[0]}"?' if near else "known are " + ", ".join(words)


class Table:
    """One table. Ask for its keys, then call ``finish``: what nobody asked for is an error.

    :param name: as people would point at it, such as ``[[step]] 3``.
    """

    def __init__(self, values: Any, name: str) -> None:
        if not isinstance(values, dict):
            raise ScenarioError(
                f"{name} = {toml_value(values)} must be a table: write [{name.strip('[]')}] and keys below"
            )
        self._values: dict[str, Any] = values
        self._asked: set[str] = set()
        self.name = name

    def __contains__(self, key: str) -> bool:
        self._asked.add(key)
        return key in self._values

    def raw(self, key: str) -> Any:
        """The value as it stands there; ``None`` when it does not."""
        self._asked.add(key)
        return self._values.get(key)

    def error(self, key: str, remedy: str) -> ScenarioError:
        """The error for the value of a key."""
        value = f" = {toml_value(self._values[key])}" if key in self._values else ""
        return ScenarioError(f"{self.name}: {key}{value}: {remedy}")

    def finish(self) -> None:
        """Refuse the keys that nobody asked for."""
        for key in self._values:
            if key not in self._asked:
                raise self.error(key, f"no such key here; {closest(key, self._asked)}")

    def text(self, key: str, default: str | None = None) -> str | None:
        if key not in self:
            return default
        value = self._values[key]
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, 'write a text, such as "…"')
        return value

    def needed_text(self, key: str, why: str) -> str:
        value = self.text(key)
        if value is None:
            raise ScenarioError(f"{self.name}: {key} is missing: {why}")
        return value

    def choice(self, key: str, known: Iterable[str], default: str | None = None) -> str | None:
        value = self.text(key, default)
        if value is not None and value not in known:
            raise self.error(key, closest(value, known))
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        if key not in self:
            return default
        value = self._values[key]
        if not isinstance(value, bool):
            raise self.error(key, "write true or false")
        return value

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float | None:
        if key not in self:
            return default
        return self.checked_number(key, self._values[key], low, high)

    def checked_number(self, key: str, value: Any, low: float, high: float) -> float:
        """``value``, which stands somewhere in that key, if it is a number from ``low`` to ``high``."""
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise self.error(key, f"write a number from {low:g} to {high:g}")
        if not low <= value <= high:
            raise self.error(key, f"{value:g} is out of range: use {low:g} to {high:g}")
        return float(value)

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int | None:
        if key not in self:
            return default
        return self.checked_whole(key, self._values[key], low, high)

    def checked_whole(self, key: str, value: Any, low: int, high: int) -> int:
        """``value``, which stands somewhere in that key, if it is a whole number from ``low`` to ``high``."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(key, f"write a whole number from {low} to {high}")
        if not low <= value <= high:
            raise self.error(key, f"{value} is out of range: use {low} to {high}")
        return value

    def items(self, key: str) -> list[Any]:
        """The items of a list; empty when there is none."""
        if key not in self:
            return []
        value = self._values[key]
        if not isinstance(value, list):
            raise self.error(key, "write a list: [ …, … ]")
        return value

    def table(self, key: str, name: str | None = None) -> Table:
        """The table below; empty when there is none."""
        return Table(self.raw(key) if key in self else {}, name or f"{self.name}: {key}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)
