"""What a type says of the value that a file should have, and how to write such a value."""

from __future__ import annotations

import enum
import types
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from dispenser.config.mistakes import Path, closest, place
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
_NOWHERE: Final = listed(())
_SHAPES: Final = {Union: "union", types.UnionType: "union", Literal: "word", list: "list", tuple: "list", dict: "dict"}


class Field(NamedTuple):
    """One key of a table."""

    key: str
    attribute: str
    kind: Any
    needed: bool


@cache
def fields_of(kind: type) -> dict[str, Field]:
    """What may stand in the table that a Struct or a dataclass describes, by key."""
    hints = get_type_hints(kind, include_extras=True)
    if not is_dataclass(kind):
        each_field = [(each.encode_name, each.name, each.required) for each in msgspec.structs.fields(kind)]
    else:
        each_field = [
            (each.name, each.name, each.default is MISSING and each.default_factory is MISSING)
            for each in fields(kind)
            if each.init and each.metadata.get("from_file", True)
        ]
    return {key: Field(key, name, hints[name], needed) for key, name, needed in each_field}


def bare(kind: Any) -> Any:
    """The type without what ``Annotated`` adds to it."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def said_of(kind: Any) -> dict[str, Any]:
    """All that ``Meta`` says in ``extra``."""
    return {name: value for meta in getattr(kind, "__metadata__", ()) for name, value in (meta.extra or {}).items()}


def bound(kind: Any, name: str) -> Any:
    """What ``Meta`` says under that name (``ge``, ``le``, ``min_length``), if anything."""
    return next(
        (limit for meta in getattr(kind, "__metadata__", ()) if (limit := getattr(meta, name)) is not None), None
    )


def shape(kind: Any) -> str:
    """How the type is read: ``union``, ``word``, ``list``, ``dict``, ``table`` or ``plain``."""
    plain = bare(kind)
    if isinstance(plain, type) and (is_dataclass(plain) or issubclass(plain, msgspec.Struct)):
        return "table"
    return _SHAPES.get(get_origin(plain) or plain, "plain")


def is_ones_own(kind: Any) -> bool:
    """Whether neither TOML nor msgspec knows such values."""
    return shape(kind) == "plain" and bare(kind) not in {*PLAIN, Any}


def alternatives(kind: Any) -> list[Any]:
    """What a union takes from a file: a text keeps ``"none"`` for itself."""
    kinds = [each for each in get_args(bare(kind)) if each is not msgspec.UnsetType]
    return [each for each in kinds if each is not types.NoneType] if str in map(bare, kinds) else kinds


def tag_of(kind: Any) -> tuple[str, str] | None:
    """The key that tells the kinds of a table apart, and the word of this one."""
    config = getattr(bare(kind), "__struct_config__", None)
    return (config.tag_field, config.tag) if config is not None and config.tag is not None else None


def remedy_for(kind: Any, path: Path, value: Any = None) -> Text:
    """What to write at that place, instead of ``value``."""
    remedy: Text | None = said_of(kind).get("remedy")
    if remedy is not None:
        return remedy
    if shape(kind) == "word" and value is not None:
        return closest(value, get_args(bare(kind)))
    plain = bare(kind)
    if isinstance(plain, type) and issubclass(plain, enum.Enum) and value is not None:
        return closest(value, [str(each.value) for each in plain])
    how = _how(kind, path)
    if isinstance(value, str) and bare(kind) in {bool, int, float}:
        how = Text("{how}, without quotes").filled(how=how)
    return Text("write {how}").filled(how=how)


def _how(kind: Any, path: Path) -> Text:
    plain = bare(kind)
    match shape(plain):
        case "union":
            kinds = alternatives(plain)
            tagged = next((each for each in kinds if tag_of(each)), None)
            how, *others = [_how(each, path) for each in kinds if each is tagged or not tag_of(each)]
            for other in others:
                how = Text("{first}, or {second}").filled(first=how, second=other)
            return how
        case "word":
            return listed(f'"{word}"' for word in get_args(plain))
        case "list":
            return _how_list(kind, path)
        case "table" | "dict" if any(isinstance(part, int) for part in path):
            return Text("a table, such as {example}").filled(example=_example(plain))
        case "table" | "dict":
            return Text("[{key}] and keys below it").filled(key=".".join(map(str, path)))
    unit = said_of(kind).get("unit")
    unit = Text(" of {unit}").filled(unit=unit) if unit else _NOWHERE
    return PLAIN.get(plain, Text("another value")).filled(unit=unit, bounds=_bounds(kind))


def _how_list(kind: Any, path: Path) -> Text:
    inner = get_args(bare(kind))
    first = bare(inner[0]) if inner else Any
    if all(shape(each) == "table" for each in (get_args(first) if shape(first) == "union" else [first])):
        return Text("[[{key}]]: there may be several of them").filled(key=place(path))
    return Text("a list, such as {example}").filled(example=_EXAMPLES.get(first, "[…, …]"))


def _example(kind: Any) -> str:
    if shape(kind) != "table":
        return "{ … = … }"
    if tag := tag_of(kind):
        return f"{{ {tag[0]} = …, … }}"
    return f"{{ {', '.join(f'{key} = …' for key in fields_of(kind))} }}"


def _bounds(kind: Any) -> Text:
    low, high = (None if (limit := bound(kind, name)) is None else f"{limit:.10g}" for name in ("ge", "le"))
    if low is not None and high is not None:  # written as TOML writes figures, also in French
        return Text(" from {low} to {high}").filled(low=low, high=high)
    return _NOWHERE if low is None else Text(" of {low} or more").filled(low=low)
