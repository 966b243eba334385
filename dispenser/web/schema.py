"""What OpenAPI says of our types: their schemas, made from them, and what their docstrings tell of each field."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from dispenser.web.models import DESCRIBED, NOTICES, Problem

_REFERENCE = "#/components/schemas/{name}"
_FIELD = re.compile(r":param (\w+):\s*(.+?)(?=\n:|\Z)", re.DOTALL)
Answers = dict[int | str, dict[str, Any]]

EVERYWHERE = {
    400: "Not HTTP, not JSON, or no usable Host.",
    401: "The token is missing or wrong.",
    403: "The request comes from another site.",
    421: "The Host is not one of this launcher's names.",
    422: "A field is missing, unknown or out of range.",
    503: "Not now: too many streams or connections, or the journal cannot be used.",
}
"""Answers that any route may give."""
ANY_COMMAND = {
    408: "The body did not come.",
    413: "The body is too large.",
    415: "The body does not say that it is JSON.",
}
"""Answers that any command may give besides."""


def content(kind: Any, **more: Any) -> dict[str, Any]:
    """A body of that type."""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_REFERENCE)
    return {"content": {"application/json": {"schema": schema, **more}}}


def answer(kind: Any, description: str, **more: Any) -> dict[str, Any]:
    """An answer of that type."""
    return {"description": description, **content(kind, **more)}


def problems(statuses: dict[int, str]) -> Answers:
    """Answers that are no success, by what they mean."""
    return {status: answer(Problem, description) for status, description in statuses.items()}


def components(most_cards: int | None) -> dict[str, Any]:
    """The schemas of all types that go over the API; those of journal entries by the entry's type.

    :param most_cards: how many this launcher lets out at a time, if it is one.
    """
    _, schemas = msgspec.json.schema_components(DESCRIBED, ref_template=_REFERENCE)
    for kind in DESCRIBED:
        schema = schemas.pop(kind.__name__)
        texts = dict(_field_texts(reversed(kind.__mro__)))
        for name, field in schema["properties"].items():
            if name in texts:
                field["description"] = texts[name]
        schemas[kind.type if kind in NOTICES else kind.__name__] = schema
    for schema in schemas.values():
        schema["description"] = _first_paragraph(schema)
    del schemas["LauncherNow"]["properties"]["said"]  # it is told as the detail
    if most_cards is not None:
        schemas["Eject"]["properties"]["cards"]["maximum"] = most_cards
    return schemas


def _field_texts(kinds: Iterable[type]) -> Iterable[tuple[str, str]]:
    for kind in kinds:
        for name, text in _FIELD.findall(inspect.cleandoc(kind.__doc__ or "")):
            yield name, _plain(text)


def _first_paragraph(schema: dict[str, Any]) -> str:
    text = schema.get("description", "")
    if text.startswith(f"{schema['title']}("):  # a dataclass without a docstring has its signature there
        return ""
    return _plain(text.partition("\n\n")[0])


def _plain(text: str) -> str:
    """One line; what is code stands between single backquotes, and nothing has JSON's name."""
    return " ".join(text.split()).replace("``", "`").replace("`None`", "null")
