"""Writes TOML."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

if TYPE_CHECKING:  # tomlkit waits until something is written
    from tomlkit import items

NOT_THERE = "none"
"""TOML has no word for nothing; this stands for ``None``."""


def as_toml(tables: Mapping[str, Any], *, rows: Collection[str] = ()) -> str:
    """A file with these tables, and tables in them; what is ``UNSET`` is only remarked.

    :param rows: lists of tables that are written a line each, not under a heading each.
    """
    import tomlkit

    document = tomlkit.document()
    for name, value in _plain_first(tables, rows):
        if isinstance(value, Mapping):
            document.add(name, _table(value, inner=True))
        elif name in rows:
            document.add(name, _inline(value).multiline(multiline=True))
        elif _are_tables(value):
            below = tomlkit.aot()
            for each in value:
                below.append(_table(each, inner=False))
            document.add(name, below)
        else:
            document.add(name, _inline(value))
    return tomlkit.dumps(document)


def toml_value(value: Any) -> str:
    """One value on one line, as it may stand in a file."""
    text: str = _inline(value).as_string()
    return text


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _plain_first(values: Mapping[str, Any], rows: Collection[str] = ()) -> list[tuple[str, Any]]:
    """What stands below a heading belongs to that table."""
    return sorted(
        values.items(), key=lambda item: isinstance(item[1], Mapping) or (_are_tables(item[1]) and item[0] not in rows)
    )


def _table(values: Mapping[str, Any], *, inner: bool) -> items.Table:
    import tomlkit

    table = tomlkit.table()
    for key, value in _plain_first(values):
        if value is UNSET:
            table.add(tomlkit.comment(f"{key} is not set"))
        else:
            table.add(key, _table(value, inner=False) if inner and isinstance(value, Mapping) else _inline(value))
    return table


def _inline(value: Any) -> Any:
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for key, item in value.items():
            table.append(str(key), _inline(item))
        return table
    if isinstance(value, (list, tuple)):
        array = tomlkit.array()
        for item in value:
            array.append(_inline(item))
        return array
    return tomlkit.item(NOT_THERE if value is None else value)
