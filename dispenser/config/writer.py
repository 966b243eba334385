"""Writes TOML."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import UNSET

NOT_THERE = "none"
"""TOML has no word for nothing; this stands for ``None``."""


def as_toml(tables: Mapping[str, Any], *, rows: Collection[str] = ()) -> str:
    """A file with these tables, and tables in them; what is ``UNSET`` is only remarked.

    :param rows: lists of tables that are written a line each, not under a heading each.
    """
    import tomlkit  # waits until something is written

    document = tomlkit.document()
    _fill(document, tables, rows, below=2)
    return tomlkit.dumps(document)


def toml_value(value: Any) -> str:
    """One value on one line, as it may stand in a file."""
    text: str = _inline(value).as_string()
    return text


def _fill(table: Any, values: Mapping[str, Any], rows: Collection[str] = (), *, below: int) -> Any:
    """:param below: how many headings may stand below that of this table; what is further down stands on a line."""
    import tomlkit

    def has_a_heading(key: str, value: Any) -> bool:
        tables = value if isinstance(value, list) and value and key not in rows else [value]
        return all(isinstance(each, Mapping) for each in tables)

    for key, value in sorted(values.items(), key=lambda item: has_a_heading(*item)):  # what follows one belongs to it
        if value is UNSET:
            table.add(tomlkit.comment(f"{key} is not set"))
        elif below and isinstance(value, Mapping):
            table.add(key, _fill(tomlkit.table(), value, below=below - 1))
        elif below == 2 and has_a_heading(key, value):
            array = tomlkit.aot()
            array.extend(_fill(tomlkit.table(), each, below=0) for each in value)
            table.add(key, array)
        else:
            table.add(key, _inline(value).multiline(multiline=True) if key in rows else _inline(value))
    return table


def _inline(value: Any) -> Any:
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update({str(key): _inline(item) for key, item in value.items()})
        return table
    if isinstance(value, (list, tuple)):
        array = tomlkit.array()
        array.extend(map(_inline, value))
        return array
    return tomlkit.item(NOT_THERE if value is None else value)
