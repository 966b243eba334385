"""The API's own description for people: one plain page made from OpenAPI, with no script and nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

_REFERENCE = "#/components/schemas/"
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter of a request or a field of an object."""

    name: str
    kind: str
    required: bool
    text: str


def marked(text: str) -> Markup:
    """The text for HTML; what stands between backquotes is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped just here


class Description:
    """OpenAPI, as the page's template asks for it."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self._models: dict[str, Any] = schema["components"]["schemas"]

    def routes(self, tag: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Method, path, and what there is to say of it."""
        for path, operations in self.schema["paths"].items():
            for method, operation in operations.items():
                if tag in operation["tags"]:
                    yield method.upper(), path, operation

    def entries(self) -> list[tuple[str, dict[str, Any]]]:
        """The journal's entry types, and the models of their data."""
        return sorted((name, model) for name, model in self._models.items() if "." in name)

    def sent(self, operation: dict[str, Any]) -> Iterator[Field]:
        """What one may send: parameters, and the fields of the body."""
        for each in operation.get("parameters", ()):
            yield self._field(each["name"], each["schema"] | each, required=each["required"])
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        yield from self.fields(self._model(body) or {})

    def fields(self, model: dict[str, Any]) -> Iterator[Field]:
        """Those of an object."""
        for name, field in model.get("properties", {}).items():
            yield self._field(name, field, required=name in model.get("required", ()))

    def _field(self, name: str, field: dict[str, Any], *, required: bool) -> Field:
        texts = [one["description"] for one in (field, *field.get("anyOf", ())) if "description" in one]
        return Field(name, self._kind(field), required, " ".join(texts))

    def _kind(self, field: dict[str, Any]) -> str:
        if "anyOf" in field:
            return " or ".join(map(self._kind, field["anyOf"]))
        if model := self._model(field):
            return " | ".join(model["enum"]) if "enum" in model else str(model["title"])
        kind = str(field.get("type", "any"))
        if kind == "array":
            kind = f"list of {self._kind(field.get('items', {}))}"
        low, high = field.get("minimum"), field.get("maximum")
        return kind if low is None or high is None else f"{kind}, {low:.16g} to {high:.16g}"

    def _model(self, field: dict[str, Any]) -> dict[str, Any] | None:
        reference = field.get("$ref")
        return self._models[reference.removeprefix(_REFERENCE)] if reference else None
