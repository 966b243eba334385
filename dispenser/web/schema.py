"""JSON schemas of the journal entries' ``data``, made from the notices."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from dispenser.launcher.messages import Notice

_REF = "#/components/schemas/{name}"


def notice_schemas() -> dict[str, Any]:
    """Schemas for OpenAPI, by entry type, and those they refer to."""
    notices = {notice.__name__: notice.type for notice in get_args(Notice)}
    _, schemas = msgspec.json.schema_components(get_args(Notice), ref_template=_REF)
    return {notices.get(name, name): schema for name, schema in schemas.items()}
