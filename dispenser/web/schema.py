"""JSON schemas of the journal entries' ``data``, made from the notices' dataclasses."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import TypeAdapter

from dispenser.launcher.messages import Notice

_REF = "#/components/schemas/{model}"


def notice_schemas() -> dict[str, Any]:
    """Schemas for OpenAPI, by entry type, and those they refer to."""
    schemas: dict[str, Any] = {}
    for notice in get_args(Notice):
        schema = TypeAdapter(notice).json_schema(ref_template=_REF)
        schemas |= schema.pop("$defs", {})
        schemas[notice.type] = schema
    return schemas
