"""Read TOML tables into typed values and report all errors at once."""

from __future__ import annotations

import enum
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from dispenser.config.errors import (
    ErrorList,
    Path,
    TableError,
    WrongValueError,
    closest,
    error_at,
    error_in,
    heading,
    nearest,
    place,
    prefixed,
)
from dispenser.config.writer import NONE
from dispenser.i18n import Text, listed

T = TypeVar("T")
Hook = Callable[[type, Any], Any] | None

_MISSING: Final = Text("{key} is missing: {remedy}")
PLAIN: Final = {
    bool: Text("true or false"),
    int: Text("a whole number{unit}{bounds}"),
    float: Text("a number{unit}{bounds}"),
    str: Text('a text, such as "…"'),
    types.NoneType: Text('"none" for nothing'),
}
_EXAMPLES: Final = {int: "[1, 2, 3]", float: "[1.0, 2.5]", str: '["a", "b"]'}
_SHAPES: Final = {Union: "union", types.UnionType: "union", Literal: "word", list: "list", tuple: "list", dict: "dict"}


def read(value: Any, kind: type[T], *, path: Path = (), hook: Hook = None, error: type[TableError] = TableError) -> T:
    """Convert ``value``, from a TOML or JSON parser, to the type ``kind``.

    :param path: place of the value in its file; ``()`` for the whole file.
    :param hook: reads types that are neither plain nor a Struct or dataclass; raises ``WrongValueError``.
    :raises TableError: all errors; or the type given as ``error``.
    """
    try:
        return _read(value, kind, path, hook)  # type: ignore[no-any-return]
    except TableError as found:
        raise error(*found.errors) from found


def _read(value: Any, kind: Any, path: Path, hook: Hook) -> Any:
    readers = {"union": _union, "list": _list, "table": _table}
    return readers.get(shape(kind), _plain)(value, kind, path, hook)


def _wrong(path: Path, kind: Any, value: Any) -> TableError:
    return TableError(error_at(path, hint_for(kind, path, value), value))


def _plain(value: Any, kind: Any, path: Path, hook: Hook) -> Any:
    try:
        if hook is not None and shape(kind) == "hook":
            return hook(bare(kind), value)
        return msgspec.convert(value, kind, str_keys=True)
    except WrongValueError as error:
        raise TableError(error_at(path, error.text, value)) from error
    except msgspec.ValidationError as error:
        raise _wrong(path, kind, value) from error


def _union(value: Any, kind: Any, path: Path, hook: Hook) -> Any:
    kinds = alternatives(kind)
    if types.NoneType in get_args(bare(kind)) and (value is None or (value == NONE and str not in kinds)):
        return None
    if isinstance(value, Mapping):
        kinds = [each for each in kinds if shape(each) in {"table", "dict"}]
        if len(kinds) > 1 and all(tag_of(each)[0] for each in kinds):
            return _tagged(value, kinds, path, hook)
    elif isinstance(value, (list, tuple)):
        kinds = [each for each in kinds if shape(each) == "list"]
    if len(kinds) == 1:
        return _read(value, kinds[0], path, hook)
    for each in kinds:
        with suppress(TableError):
            return _read(value, each, path, hook)
    raise _wrong(path, kind, value)


def _tagged(value: Mapping[str, Any], kinds: list[Any], path: Path, hook: Hook) -> Any:
    key = str(tag_of(kinds[0])[0])
    by_word = {tag_of(each)[1]: each for each in kinds}
    if key not in value:
        raise TableError(error_in(path, _MISSING.filled(key=key, remedy=closest("", by_word))))
    if (word := value[key]) not in list(by_word):  # may be no text at all
        raise TableError(error_at((*path, key), closest(word, by_word), word))
    return _table(value, by_word[word], path, hook)


def _list(value: Any, kind: Any, path: Path, hook: Hook) -> Any:
    origin, inner = get_origin(bare(kind)), get_args(bare(kind))
    is_fixed = origin is tuple and inner[-1] is not ...
    least, most = (len(inner), len(inner)) if is_fixed else (meta(kind, "min_length") or 0, float("inf"))
    if not (isinstance(value, (list, tuple)) and least <= len(value) <= most):
        raise _wrong(path, kind, value)
    errors, items = ErrorList(), []
    for number, item in enumerate(value, 1):
        with errors.collect():
            items.append(_read(item, inner[number - 1 if is_fixed else 0], (*path, number), hook))
    errors.raise_if_any()
    return (origin or list)(items)


def _table(value: Any, kind: Any, path: Path, hook: Hook) -> Any:
    if not isinstance(value, Mapping):
        raise _wrong(path, kind, value)
    known, right, meant, errors = fields_of(bare(kind)), dict[str, Any](), set[str | None](), ErrorList()
    for key, item in value.items():
        if key in known:
            with errors.collect():
                right[key] = _read(item, known[key].kind, (*path, key), hook)
        elif key != tag_of(kind)[0]:
            meant.add(nearest(key, known))
            errors.append(_unknown(key, item, known, path))
    required = [key for key, field in known.items() if field.required]
    for key in required:
        if key not in value and key not in meant:
            errors.append(error_in(path, _MISSING.filled(key=key, remedy=hint_for(known[key].kind, (key,)))))
    made = _made(bare(kind), right, path, value, errors) if right.keys() >= set(required) else None
    errors.raise_if_any()
    return made


def _unknown(key: str, item: Any, known: Mapping[str, Field], path: Path) -> Text:
    if isinstance(item, Mapping) and not any(isinstance(part, int) for part in path):
        no_table = Text("there is no such table; {remedy}").filled(remedy=closest(key, known))
        return prefixed(heading((*path, key)).strip(), no_table)
    return error_at((*path, key), Text("no such key here; {remedy}").filled(remedy=closest(key, known)), item)


def _made(kind: Any, values: dict[str, Any], path: Path, table: Mapping[str, Any], errors: ErrorList) -> Any:
    """Build the Struct or dataclass; if its own check refuses a value, report also what it refuses without that one.

    :param values: by key, without invalid ones.
    :param errors: errors so far: if there are any, only an error about a valid key is added.
    """
    known = fields_of(kind)
    try:
        return kind(**{known[key].attribute: item for key, item in values.items()})
    except ValueError as error:
        key = error.key if isinstance(error, WrongValueError) else str(error).split(" ", 1)[0].rstrip(":")
        if isinstance(error, WrongValueError) and key in values:  # the text of another error begins with its key
            errors.append(error_at((*path, key), error.text, table[key]))
        elif key in values or not errors:
            errors.append(error_in(path, listed([error])))
    if key in values and not known[key].required:
        _made(kind, {each: values[each] for each in values if each != key}, path, table, errors)
    return None


# --- hints from types ---


class Field(NamedTuple):
    attribute: str
    kind: Any
    required: bool


@cache
def fields_of(kind: type) -> dict[str, Field]:
    """Return the keys of the table that a Struct, a dataclass or a TypedDict describes."""
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
    """Return the type without ``Annotated``."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def meta(kind: Any, name: str) -> Any:
    """Return what ``Meta`` has as ``name``, itself (``ge``, ``le``, ``min_length``) or in ``extra``; or ``None``."""
    for each in getattr(kind, "__metadata__", ()):
        if (found := getattr(each, name, (each.extra or {}).get(name))) is not None:
            return found
    return None


def shape(kind: Any) -> str:
    """Return ``union``, ``word``, ``list``, ``dict``, ``table``, ``plain``, or ``hook``."""
    kind = bare(kind)
    if isinstance(kind, type) and (is_dataclass(kind) or is_typeddict(kind) or issubclass(kind, msgspec.Struct)):
        return "table"
    if isinstance(kind, enum.EnumType):
        return "word"
    return _SHAPES.get(get_origin(kind) or kind, "plain" if kind in {*PLAIN, Any} else "hook")


def alternatives(kind: Any) -> list[Any]:
    """Return the types that a union accepts in a file: where text is accepted, ``"none"`` is text, not ``None``."""
    kinds = [each for each in get_args(bare(kind)) if each is not msgspec.UnsetType]
    return [each for each in kinds if each is not types.NoneType] if str in map(bare, kinds) else kinds


def tag_of(kind: Any) -> tuple[str | None, Any]:
    """Return the key that selects among tagged tables, and its value for this one; or ``None`` twice."""
    config = getattr(bare(kind), "__struct_config__", None)
    return (None, None) if config is None else (config.tag_field, config.tag)


def hint_for(kind: Any, path: Path, value: Any = None) -> Text:
    """Return what to write at that place, instead of ``value``."""
    if isinstance(hint := meta(kind, "hint"), Text):
        return hint
    if shape(kind) == "word" and value is not None:
        return closest(value, _words(bare(kind)))
    how = _how(kind, path)
    unquoted = isinstance(value, str) and bare(kind) in {bool, int, float}
    return (Text("write {how}, without quotes") if unquoted else Text("write {how}")).filled(how=how)


def _words(kind: Any) -> list[str]:
    members: dict[str, enum.Enum] = getattr(kind, "__members__", {})
    return [str(each.value) for each in members.values()] or list(get_args(kind))


def _how(kind: Any, path: Path) -> Text:
    plain = bare(kind)
    match shape(plain):
        case "union":
            by_tag = {tag_of(each)[0] or each: each for each in alternatives(plain)}  # one alternative per tag key
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
    unit = Text(" of {unit}").filled(unit=unit) if (unit := meta(kind, "unit")) else ""
    return PLAIN.get(plain, Text("another value")).filled(unit=unit, bounds=_bounds(kind))


def _how_list(inner: Any, path: Path) -> Text:
    if all(shape(each) == "table" for each in (get_args(inner) if shape(inner) == "union" else [inner])):
        return Text("[[{key}]]: there may be several of them").filled(key=place(path))
    return Text("a list, such as {example}").filled(example=_EXAMPLES.get(inner, "[…, …]"))


def _bounds(kind: Any) -> Text | str:
    low, high = (None if (limit := meta(kind, name)) is None else f"{limit:.10g}" for name in ("ge", "le"))
    if low is not None and high is not None:  # written as in TOML, also in French
        return Text(" from {low} to {high}").filled(low=low, high=high)
    return "" if low is None else Text(" of {low} or more").filled(low=low)
