"""What a type says of the value that a file should have, and how to write such a value."""

from __future__ import annotations

import enum
import types
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec

from dispenser.config.errors import Path, closest, place
from dispenser.i18n import Text, listed

PLAIN: Final = {
    bool: Text("true or false"),
    int: Text("a whole number{unit}{bounds}"),
    float: Text("a number{unit}{bounds}"),
    str: Text('a text, such as "…"'),
    types.NoneType: Text('"none" for nothing'),
}
"""The values that TOML has itself, and how they are written."""
_EXAMPLES: Final = {int: "[1, 2, 3]", float: "[1.0, 2.5]", str: '["a", "b"]'}
_SHAPES: Final = {Union: "union", types.UnionType: "union", Literal: "word", list: "list", tuple: "list", dict: "dict"}


class Field(NamedTuple):
    """One key of a table."""

    attribute: str
    kind: Any
    required: bool


@cache
def fields_of(kind: type) -> dict[str, Field]:
    """The keys of the table that a Struct, a dataclass or a TypedDict describes."""
    kinds = get_type_hints(kind, include_extras=True)
    if is_typeddict(kind):
        optional = kind.__optional_keys__  # type: ignore[attr-defined]
        return {
            key: Field(key, get_args(each)[0] if key in optional else each, key not in optional)
            for key, each in kinds.items()
        }
    if not is_dataclass(kind):
        each_field = msgspec.structs.fields(kind)
        return {each.encode_name: Field(each.name, kinds[each.name], each.required) for each in each_field}
    return {
        each.name: Field(each.name, kinds[each.name], each.default is MISSING and each.default_factory is MISSING)
        for each in fields(kind)
        if each.init and each.metadata.get("from_file", True)
    }


def bare(kind: Any) -> Any:
    """The type without what ``Annotated`` adds to it."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def meta(kind: Any, name: str) -> Any:
    """What ``Meta`` says under that name, itself (``ge``, ``le``, ``min_length``) or in ``extra``; or ``None``."""
    for each in getattr(kind, "__metadata__", ()):
        if (found := getattr(each, name, (each.extra or {}).get(name))) is not None:
            return found
    return None


def shape(kind: Any) -> str:
    """How the type is read: ``union``, ``word``, ``list``, ``dict``, ``table``, ``plain``, or ``hook``."""
    kind = bare(kind)
    if isinstance(kind, type) and (is_dataclass(kind) or is_typeddict(kind) or issubclass(kind, msgspec.Struct)):
        return "table"
    if isinstance(kind, enum.EnumType):
        return "word"
    return _SHAPES.get(get_origin(kind) or kind, "plain" if kind in {*PLAIN, Any} else "hook")


def alternatives(kind: Any) -> list[Any]:
    """What a union takes from a file: where it takes a text, ``"none"`` is one."""
    kinds = [each for each in get_args(bare(kind)) if each is not msgspec.UnsetType]
    return [each for each in kinds if each is not types.NoneType] if str in map(bare, kinds) else kinds


def tag_of(kind: Any) -> tuple[str | None, Any]:
    """The key that tells the kinds of a table apart, and its value for this one; or ``None`` twice."""
    config = getattr(bare(kind), "__struct_config__", None)
    return (None, None) if config is None else (config.tag_field, config.tag)


def hint_for(kind: Any, path: Path, value: Any = None) -> Text:
    """What to write at that place, instead of ``value``."""
    hint: Text | None = meta(kind, "hint")
    if hint is not None:
        return hint
    if shape(kind) == "word" and value is not None:
        return closest(value, _words(bare(kind)))
    how = _how(kind, path)
    unquoted = isinstance(value, str) and bare(kind) in {bool, int, float}
    return (Text("write {how}, without quotes") if unquoted else Text("write {how}")).filled(how=how)


def _words(kind: Any) -> list[str]:
    members: dict[str, enum.Enum] | None = getattr(kind, "__members__", None)
    return list(get_args(kind)) if members is None else [str(each.value) for each in members.values()]


def _how(kind: Any, path: Path) -> Text:
    plain = bare(kind)
    match shape(plain):
        case "union":
            kinds = alternatives(plain)
            by_tag = {tag_of(each)[0] or each: each for each in kinds}  # of those that a tag tells apart one will do
            how, *others = [_how(each, path) for each in by_tag.values()]
            for other in others:
                how = Text("{first}, or {second}").filled(first=how, second=other)
            return how
        case "word":
            return listed(f'"{word}"' for word in _words(plain))
        case "list":
            return _how_list(bare(get_args(plain)[0]), path)
        case "table" | "dict" if any(isinstance(part, int) for part in path):
            return Text("a table, such as {example}").filled(example="{ key = …, … }")
        case "table" | "dict":
            return Text("[{key}] and keys below it").filled(key=".".join(map(str, path)))
    unit = meta(kind, "unit")
    unit = Text(" of {unit}").filled(unit=unit) if unit else ""
    return PLAIN.get(plain, Text("another value")).filled(unit=unit, bounds=_bounds(kind))


def _how_list(inner: Any, path: Path) -> Text:
    if all(shape(each) == "table" for each in (get_args(inner) if shape(inner) == "union" else [inner])):
        return Text("[[{key}]]: there may be several of them").filled(key=place(path))
    return Text("a list, such as {example}").filled(example=_EXAMPLES.get(inner, "[…, …]"))


def _bounds(kind: Any) -> Text | str:
    low, high = (None if (limit := meta(kind, name)) is None else f"{limit:.10g}" for name in ("ge", "le"))
    if low is not None and high is not None:  # written as TOML writes figures, also in French
        return Text(" from {low} to {high}").filled(low=low, high=high)
    return "" if low is None else Text(" of {low} or more").filled(low=low)
