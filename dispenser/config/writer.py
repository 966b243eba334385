"""Write TOML with tomlkit: a whole file, or one value."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import UNSET

NONE = "none"  # stands for None, which TOML does not have


def as_toml(tables: Mapping[str, Any], *, rows: Collection[str] = ()) -> str:
    """Return a TOML file of ``tables``; ``UNSET`` becomes a comment, ``rows`` are lists with one table per line."""
    import tomlkit  # imported only when needed

    return tomlkit.dumps(_filled(tomlkit.document(), tables, rows, depth=2))


def toml_value(value: Any) -> str:
    """Format a value on one line."""
    return str(_inline(value).as_string())


def _filled(table: Any, values: Mapping[str, Any], rows: Collection[str] = (), *, depth: int) -> Any:
    """:param depth: levels of headings allowed below this table; deeper tables are written inline."""
    import tomlkit

    def has_heading(key: str, value: Any) -> bool:
        tables = value if isinstance(value, list) and value and key not in rows else [value]
        return all(isinstance(each, Mapping) for each in tables)

    for key, value in sorted(values.items(), key=lambda item: has_heading(*item)):  # keys cannot follow a heading
        if value is UNSET:
            table.add(tomlkit.comment(f"{key} is not set"))
        elif depth and isinstance(value, Mapping):
            table.add(key, _filled(tomlkit.table(), value, depth=depth - 1))
        elif depth == 2 and has_heading(key, value):
            array = tomlkit.aot()
            array.extend(_filled(tomlkit.table(), each, depth=0) for each in value)
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
    return tomlkit.item(NONE if value is None else value)
