"""How to write a value, from its type."""

from __future__ import annotations

import enum
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Meta

from dispenser.language import Text, listed
from dispenser.tables.mistakes import Path, place

PLAIN: Final = {
    bool: Text("true or false"),
    int: Text("a whole number{unit}{bounds}"),
    float: Text("a number{unit}{bounds}"),
    str: Text('a text, such as "…"'),
    types.NoneType: Text('"none" for nothing'),
}
"""The values that TOML has itself, and how they are written."""
_WRITE: Final = Text("write {how}")
_UNQUOTED: Final = Text("{how}, without quotes")
_OR: Final = Text("{first}, or {second}")
_OF_UNIT: Final = Text(" of {unit}")
_FROM_TO: Final = Text(" from {low} to {high}")
_ABOVE_TO: Final = Text(" above {low} and at most {high}")
_AT_LEAST: Final = Text(" of {low} or more")
_ABOVE: Final = Text(" above {low}")
_AT_MOST: Final = Text(" of at most {high}")
_NOWHERE: Final = listed(())
_LIST: Final = Text("a list, such as {example}")
_LIST_OF: Final = Text("a list of {number}, such as {example}")
_LIST_OF_MORE: Final = Text("a list of {number} or more, such as {example}")
_TABLES: Final = Text("[[{key}]]: there may be several of them")
_TABLE: Final = Text("[{key}] and keys below it")
_PAIRS: Final = Text("a table, such as {example}")
_OTHER: Final = Text("another value")
_SHAPES: Final = {
    Union: "union",
    types.UnionType: "union",
    Literal: "word",
    list: "list",
    tuple: "list",
    dict: "dict",
    Mapping: "dict",
}
_EXAMPLES: Final = {int: ("1", "2", "3"), float: ("1.0", "2.5"), str: ('"a"', '"b"')}


def bare(kind: Any) -> Any:
    """The type without what ``Annotated`` adds to it."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def metas(kind: Any) -> tuple[Meta, ...]:
    """What ``Annotated`` says about the type."""
    return tuple(each for each in getattr(kind, "__metadata__", ()) if isinstance(each, Meta))


def said_of(kind: Any) -> dict[str, Any]:
    """All that ``Meta`` says in ``extra``."""
    return {name: value for meta in metas(kind) for name, value in (meta.extra or {}).items()}


def shape(kind: Any) -> str:
    """How the type is read: ``union``, ``word``, ``list``, ``dict``, ``table`` or ``plain``."""
    plain = bare(kind)
    if isinstance(plain, type) and (is_dataclass(plain) or issubclass(plain, msgspec.Struct)):
        return "table"
    if isinstance(plain, type) and issubclass(plain, enum.Enum):
        return "word"
    return _SHAPES.get(get_origin(plain) or plain, "plain")


def words_of(kind: Any) -> tuple[Any, ...]:
    """The words of an enum or a ``Literal``."""
    return get_args(kind) if get_origin(kind) is Literal else tuple(each.value for each in kind)


def remedy_for(kind: Any, about: Mapping[str, Any], path: Path, value: Any = None) -> Text:
    """What to write at that place, instead of ``value``."""
    if "remedy" in about:
        remedy: Text = about["remedy"]
        return remedy
    how = _how(kind, about, path)
    if isinstance(value, str) and bare(kind) in {bool, int, float}:
        how = _UNQUOTED.filled(how=how)
    return _WRITE.filled(how=how)


def _how(kind: Any, about: Mapping[str, Any], path: Path) -> Text:
    about = {**about, **said_of(kind)}
    plain = bare(kind)
    match shape(plain):
        case "union":
            return _either(alternatives(plain), about, path)
        case "word":
            return listed(f'"{word}"' for word in words_of(plain))
        case "list":
            return _how_list(kind, path)
        case "table" | "dict":
            inline = any(isinstance(part, int) for part in path)
            return _PAIRS.filled(example=_example(plain)) if inline else _TABLE.filled(key=".".join(map(str, path)))
    unit = _OF_UNIT.filled(unit=about["unit"]) if "unit" in about else _NOWHERE
    return PLAIN.get(plain, _OTHER).filled(unit=unit, bounds=_bounds(kind))


def alternatives(kind: Any) -> list[Any]:
    """What a union takes from a file: a text keeps ``"none"`` for itself."""
    kinds = [each for each in get_args(bare(kind)) if each is not msgspec.UnsetType]
    return [each for each in kinds if each is not types.NoneType] if str in map(bare, kinds) else kinds


def tag_of(kind: Any) -> tuple[str, str] | None:
    """The key that tells the kinds of a table apart, and the word of this one."""
    config = getattr(bare(kind), "__struct_config__", None)
    return (config.tag_field, config.tag) if config is not None and config.tag is not None else None


def _either(kinds: list[Any], about: Mapping[str, Any], path: Path) -> Text:
    first_tagged = next((each for each in kinds if tag_of(each)), None)
    how, *others = [_how(each, about, path) for each in kinds if each is first_tagged or not tag_of(each)]
    for other in others:
        how = _OR.filled(first=how, second=other)
    return how


def _how_list(kind: Any, path: Path) -> Text:
    inner = get_args(bare(kind))
    first = bare(inner[0]) if inner else Any
    if shape(first) == "table" or (shape(first) == "union" and all(shape(each) == "table" for each in get_args(first))):
        return _TABLES.filled(key=place(path))
    if get_origin(bare(kind)) is tuple and inner[-1] is not ...:
        example = f"[{', '.join(_EXAMPLES.get(bare(each), ('…',))[0] for each in inner)}]"
        return _LIST_OF.filled(number=len(inner), example=example)
    example = f"[{', '.join(_EXAMPLES.get(first, ('…', '…')))}]"
    fewest = max((meta.min_length or 0 for meta in metas(kind)), default=0)
    return _LIST_OF_MORE.filled(number=fewest, example=example) if fewest else _LIST.filled(example=example)


def _example(kind: Any) -> str:
    if shape(kind) != "table":
        return "{ … = … }"
    if tag := tag_of(kind):
        return f"{{ {tag[0]} = …, … }}"
    keys = (
        [each.name for each in fields(kind)]
        if is_dataclass(kind)
        else [each.encode_name for each in msgspec.structs.fields(kind)]
    )
    return f"{{ {', '.join(f'{key} = …' for key in keys)} }}"


def _bounds(kind: Any) -> Text:
    said: dict[str, str] = {}  # as TOML writes figures, also in French
    for meta in metas(kind):
        said |= {
            name: f"{value:.10g}" for name in ("ge", "gt", "le", "lt") if (value := getattr(meta, name)) is not None
        }
    low, high = said.get("ge", said.get("gt")), said.get("le", said.get("lt"))
    if low is None and high is None:
        return _NOWHERE
    if high is None:
        return (_ABOVE if "gt" in said else _AT_LEAST).filled(low=low)
    if low is None:
        return _AT_MOST.filled(high=high)
    return (_ABOVE_TO if "gt" in said else _FROM_TO).filled(low=low, high=high)
