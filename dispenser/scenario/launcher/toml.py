"""Writes TOML: the little of it that scenario files need."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from dispenser.config import Settings

Rows = list[dict[str, Any]]


def toml_value(value: Any) -> str:
    """One value on one line; ``None`` as the configuration writes it."""
    if isinstance(value, dict):
        return "{ " + _pairs(value, ", ") + " }" if value else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return json.dumps("none" if value is None else value, ensure_ascii=False, default=str)


def _pairs(table: dict[str, Any], separator: str) -> str:
    return separator.join(f"{key} = {toml_value(value)}" for key, value in table.items())


def as_toml(tables: dict[str, dict[str, Any]]) -> str:
    """Tables of plain values, one below the other."""
    return "\n\n".join(f"[{name}]\n{_pairs(table, chr(10))}".rstrip() for name, table in tables.items()) + "\n"


def write_scenario(top: dict[str, Any], edges: Rows, setup: dict[str, Any], steps: Rows, expected: Rows) -> str:
    """A whole scenario file; the edges, which may be hundreds, one on a line."""
    blocks = [_pairs(top, "\n")]
    if edges:
        blocks.append("edge = [\n" + "".join(f"    {toml_value(edge)},\n" for edge in edges) + "]")
    plain = {key: value for key, value in setup.items() if not isinstance(value, dict)}
    below = {f"setup.{key}": value for key, value in setup.items() if isinstance(value, dict)}
    blocks.append(as_toml({"setup": plain, **below}).rstrip())
    blocks += [f"[[step]]\n{_pairs(step, chr(10))}" for step in steps]
    blocks += [f"[[expect]]\n{_pairs(each, chr(10))}" for each in expected]
    return "\n\n".join(blocks) + "\n"


def settings_tables(settings: Settings) -> dict[str, dict[str, Any]]:
    """The settings that are not the defaults, of the tables that a launcher's behaviour depends on."""
    usual = Settings()
    tables: dict[str, dict[str, Any]] = {}
    for name in ("launcher", "pins", "timing"):
        ours, theirs = getattr(settings, name), getattr(usual, name)
        keys = [field.name for field in fields(ours) if field.name not in {"can_retract", "has_exit_sensor"}]
        changed = {key: getattr(ours, key) for key in keys if getattr(ours, key) != getattr(theirs, key)}
        if changed:
            tables[name] = changed
    return tables
