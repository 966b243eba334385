"""Reads a table whose keys a file brings along: what is among them the one reader of tables reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from dispenser.language import Text
from dispenser.tables import Mistakes, TableError, closest, mistake, read
from dispenser.tables.mistakes import Path, mistake_in, nearest

if TYPE_CHECKING:
    from dispenser.scenario.rules.words import Words

several: Final = list.__class_getitem__
"""A list of something that is read by a function: ``several(Words.card)``."""

_A_TABLE: Final = Text("this must be a table, with keys and values")
_SAY_OF_WHOM: Final = Text("say of whom: {key}.{name} = …")
_NO_SUCH_KEY: Final = Text("no such key here; {remedy}")
_MISSING: Final = Text("{key} is missing: {remedy}")


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

    def kinds(self, names: Collection[str]) -> dict[str, Any]:
        return dict.fromkeys(names, Needed(self.kind, self.missing) if self.missing else self.kind)


def read_keys(
    values: Any,
    kinds: Mapping[str, Any],
    path: Path,
    words: Words | None,
    mistakes: Mistakes,
    *,
    others: Collection[str] = (),
    unknown: Text = _NO_SUCH_KEY,
) -> dict[str, Any]:
    """What stands in a table and means something, in the order of ``kinds``; what is wrong is noted.

    :param kinds: for each key what stands there: a type as for ``dispenser.tables.read``, a function that reads a value
        (``Words.card``), a table with kinds of its own, ``Each``; perhaps ``Needed``.
    :param others: keys that may stand there, too, and are read elsewhere.
    :param unknown: what to say of a key that is none.
    """
    if not isinstance(values, Mapping):
        mistakes.note(mistake(path, _A_TABLE, values))
        return {}
    known = [*kinds, *(other for other in others if other not in kinds)]
    strange = [key for key in values if key not in known]
    for key in strange:
        mistakes.note(mistake((*path, key), unknown.filled(remedy=closest(key, known)), values[key]))
    found: dict[str, Any] = {}
    for key, kind in kinds.items():
        if key in values:
            with mistakes.noted():
                found[key] = _read(values[key], kind, (*path, key), words, mistakes)
        elif isinstance(kind, Needed) and key not in {nearest(each, known) for each in strange}:
            mistakes.note(mistake_in(path, _MISSING.filled(key=key, remedy=kind.missing)))
    return found


def _read(value: Any, kind: Any, path: Path, words: Words | None, mistakes: Mistakes) -> Any:
    if isinstance(kind, Needed):
        kind = kind.kind
    if isinstance(kind, Each) and words is not None:
        if not isinstance(value, Mapping) or not value:
            raise TableError(mistake(path, _SAY_OF_WHOM.filled(key=path[-1], name=words.names[0]), value))
        return read_keys(value, kind.kinds(words.names), path, words, mistakes)
    if isinstance(kind, Mapping):
        return read_keys(value, kind, path, words, mistakes)

    def hook(reader: Callable[[Words | None, Any], Any], value: Any) -> Any:
        return reader(words, value)

    return read(value, kind, path=path, hook=hook)
