"""Tables whose keys depend on who plays, for ``dispenser.config.read``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, Struct, defstruct, structs
from msgspec import field as named

from dispenser.i18n import Text

several: Final = list.__class_getitem__
"""A list of something that is read by a function: ``several(PlayedGame.card)``."""


@dataclass(frozen=True, slots=True)
class Each:
    """A table with a key for each player, or for some of them; all are needed where it says what to write."""

    kind: Any
    missing: Text | None = None


def table_of(kinds: Mapping[str, Any], names: tuple[str, ...], missing: Mapping[str, Text]) -> type[Struct]:
    """A table as ``dispenser.config.read`` wants it.

    :param kinds: for each key what stands there: a type, a function that reads a value for the hook, a table with kinds
        of its own, ``Each``.
    :param missing: for the keys that must be there, what to write.
    """
    fields: list[Any] = []
    for number, (key, kind) in enumerate(kinds.items()):
        if isinstance(kind, Each):
            needed = dict.fromkeys(names, kind.missing) if kind.missing else {}
            kind = table_of(dict.fromkeys(names, kind.kind), names, needed)  # noqa: PLW2901
        elif isinstance(kind, Mapping):
            kind = table_of(kind, names, {})  # noqa: PLW2901
        if key in missing:
            kind = Annotated[kind, Meta(extra={"hint": missing[key]})]  # noqa: PLW2901
        fields.append((f"key_{number}", kind, named(name=key) if key in missing else named(name=key, default=UNSET)))
    return defstruct("Table", fields, kw_only=True)


def what_stands_in(table: Any) -> Any:
    """What was read, with tables as mappings of the keys that are there."""
    if isinstance(table, list):
        return [what_stands_in(each) for each in table]
    if not isinstance(table, Struct):
        return table
    values = {each.encode_name: getattr(table, each.name) for each in structs.fields(table)}
    return {key: what_stands_in(value) for key, value in values.items() if value is not UNSET}
