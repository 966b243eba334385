"""Changes single keys of a TOML text; comments, order and all else stay as somebody wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Changes = Mapping[str, Mapping[str, Any]]
"""By table and key; ``None``: the key is not there."""


def values_in(text: str, keys: Changes) -> dict[str, dict[str, Any]]:
    """What these keys are now."""
    import tomllib

    tables = tomllib.loads(text)
    return {table: {key: tables.get(table, {}).get(key) for key in each} for table, each in keys.items()}


def rewritten(text: str, changes: Changes) -> str:
    """The text with other values. A table that is left empty, without a comment, goes, too."""
    import tomlkit

    document = tomlkit.parse(text)
    for name, keys in changes.items():
        if name not in document:
            if all(value is None for value in keys.values()):
                continue
            if text and not document.as_string().endswith("\n"):
                document.add(tomlkit.nl())
            document.add(name, tomlkit.table())
        table: Any = document[name]
        for key, value in keys.items():
            if value is not None:
                table[key] = value
            elif key in table:
                del table[key]
        if not table.as_string().strip():
            del document[name]
    return tomlkit.dumps(document).rstrip("\n") + "\n"
