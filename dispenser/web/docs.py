"""The API's own description for people: one plain page made from OpenAPI, with no script and nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

EVERYWHERE = {
    400: "Not HTTP, not JSON, or no usable Host.",
    401: "The token is missing or wrong.",
    403: "The request comes from another site.",
    421: "The Host is not one of this launcher's names.",
    422: "A field is missing, unknown or out of range.",
    503: "Not now: too many streams or connections, or the journal cannot be used.",
}
"""Answers that any route may give."""

_REFERENCE = "#/components/schemas/"
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of a request or a field of an object."""

    name: str
    kind: str
    required: bool
    text: Markup


@dataclass(frozen=True, slots=True)
class Route:
    """One address and method."""

    method: str
    path: str
    text: Markup
    fields: list[Field]
    answers: list[tuple[str, Markup]]


def chapters(schema: dict[str, Any]) -> list[tuple[str, Markup, list[Route]]]:
    """Tag, what it is about, and its routes, in the order of the tags."""
    routes = [
        (operation["tags"][0], _route(method, path, operation, schema))
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
    ]
    return [
        (tag["name"], marked(tag["description"]), [route for name, route in routes if name == tag["name"]])
        for tag in schema["tags"]
    ]


def entry_types(schema: dict[str, Any]) -> list[tuple[str, Markup, list[Field]]]:
    """The journal's entry types: name, what happened, and the fields of ``data``."""
    types = ((name, model) for name, model in schema["components"]["schemas"].items() if name.startswith("launcher."))
    return [(name, marked(_first_paragraph(model)), list(_fields(model))) for name, model in sorted(types)]


def marked(text: str) -> Markup:
    """The text for HTML; what stands between backquotes is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text.replace("``", "`")))))  # noqa: S704 - escaped just here


def _route(method: str, path: str, operation: dict[str, Any], schema: dict[str, Any]) -> Route:
    fields = [_field(p["name"], p["schema"] | p, required=p["required"]) for p in operation.get("parameters", ())]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    if reference := body.get("$ref"):
        fields += _fields(schema["components"]["schemas"][reference.removeprefix(_REFERENCE)])
    answers = [
        (status, marked(answer["description"]))
        for status, answer in sorted(operation["responses"].items())
        if int(status) not in EVERYWHERE
    ]
    return Route(method.upper(), path, marked(operation["description"]), fields, answers)


def _fields(model: dict[str, Any]) -> Iterator[Field]:
    for name, field in model.get("properties", {}).items():
        yield _field(name, field, required=name in model.get("required", ()))


def _field(name: str, field: dict[str, Any], *, required: bool) -> Field:
    texts = [one["description"] for one in (field, *field.get("anyOf", ())) if "description" in one]
    return Field(name, _kind(field), required, marked(" ".join(texts)))


def _kind(field: dict[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_kind(one) for one in field["anyOf"])
    if "$ref" in field:
        return str(field["$ref"]).removeprefix(_REFERENCE)
    kind = str(field.get("type", "any"))
    if kind == "array":
        kind = f"list of {_kind(field.get('items', {}))}"
    low, high = field.get("minimum"), field.get("maximum")
    return kind if low is None or high is None else f"{kind}, {low:.16g} to {high:.16g}"


def _first_paragraph(model: dict[str, Any]) -> str:
    text = str(model.get("description", ""))
    generated = text.startswith(f"{model.get('title')}(")  # a dataclass without a docstring has its signature there
    return "" if generated else " ".join(text.partition("\n\n")[0].split())
