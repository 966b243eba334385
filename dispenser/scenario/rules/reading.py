"""Reads tables whose keys a file brings along; what is among them the one reader of tables reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

from dispenser.config import ErrorList, TableError, WrongValueError, closest, error_at, read
from dispenser.config.errors import Path, error_in, nearest
from dispenser.i18n import Text
from dispenser.scenario.rules.bench import Bench

several: Final = list.__class_getitem__
"""A list of something that is read by a function: ``several(Bench.card)``."""
_NO_SUCH_KEY: Final = Text("no such key here; {remedy}")


class ScenarioError(TableError):
    """A scenario that cannot be played as it is written."""


@dataclass(frozen=True, slots=True)
class Needed:
    """A key that must be there, and what to write when it is not."""

    kind: Any
    missing: Text


@dataclass(frozen=True, slots=True)
class Each:
    """A table with a key for each player, or for some of them; all are needed where it says what to write."""

    kind: Any
    missing: Text | None = None


class Reader:
    """Reads tables, and keeps what is wrong in them.

    :ivar bench: handed to the functions that read values; there is none before one knows the game.
    """

    def __init__(self) -> None:
        self.errors = ErrorList()
        self.bench: Bench | None = None

    def keys(
        self,
        values: Any,
        kinds: Mapping[str, Any],
        path: Path = (),
        *,
        others: Collection[str] = (),
        unknown: Text = _NO_SUCH_KEY,
    ) -> dict[str, Any]:
        """What stands in a table and means something, in the order of ``kinds``.

        :param kinds: for each key what stands there: a type as for ``dispenser.config.read``, a function that reads a
            value (``Bench.card``), a table with kinds of its own, ``Each``; perhaps ``Needed``.
        :param others: keys that may stand there, too, and are read elsewhere.
        :param unknown: what to say of a key that is none.
        """
        if not isinstance(values, Mapping):
            self.errors.append(error_at(path, Text("this must be a table, with keys and values"), values))
            return {}
        known = {*kinds, *others}
        strange = [key for key in values if key not in known]
        ordered = [*kinds, *others] if strange else ()
        for key in strange:
            self.errors.append(error_at((*path, key), unknown.filled(remedy=closest(key, ordered)), values[key]))
        meant = {nearest(key, ordered) for key in strange}
        found: dict[str, Any] = {}
        for key, kind in kinds.items():
            if key in values:
                with self.errors.collect():
                    found[key] = self._value(values[key], kind, (*path, key))
            elif isinstance(kind, Needed) and key not in meant:
                missing = Text("{key} is missing: {remedy}")
                self.errors.append(error_in(path, missing.filled(key=key, remedy=kind.missing)))
        return found

    def _value(self, value: Any, kind: Any, path: Path) -> Any:
        if isinstance(kind, Needed):
            kind = kind.kind
        if isinstance(kind, Each) and self.bench is not None:
            names = self.bench.names
            if not isinstance(value, Mapping) or not value:
                of_whom = Text("say of whom: {key}.{name} = …").filled(key=path[-1], name=names[0])
                raise TableError(error_at(path, of_whom, value))
            kind = dict.fromkeys(names, Needed(kind.kind, kind.missing) if kind.missing else kind.kind)
        if isinstance(kind, Mapping):
            return self.keys(value, kind, path)
        if isinstance(kind, FunctionType):
            try:
                return kind(self.bench, value)
            except WrongValueError as error:
                raise TableError(error_at(path, error.text, value)) from error
        return read(value, kind, path=path, hook=lambda reader, value: reader(self.bench, value))
