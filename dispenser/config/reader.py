"""Make values of tables as their types describe them, and find all that is wrong with them."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar, get_args, get_origin

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
    prefixed,
)
from dispenser.config.hints import Field, alternatives, bare, fields_of, hint_for, meta, shape, tag_of
from dispenser.config.writer import NONE
from dispenser.i18n import Text, listed

T = TypeVar("T")
Hook = Callable[[type, Any], Any] | None

_MISSING: Final = Text("{key} is missing: {remedy}")


def read(value: Any, kind: type[T], *, path: Path = (), hook: Hook = None, error: type[TableError] = TableError) -> T:
    """A value of that type from what a TOML or JSON reader gave.

    :param path: where the value stands in its file; ``()`` for the whole file.
    :param hook: reads the types that are neither plain nor a Struct or dataclass; raises ``WrongValueError``.
    :raises TableError: all that is wrong; or what ``error`` says.
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
    """The kind of table that its tag names."""
    key = str(tag_of(kinds[0])[0])
    by_word = {tag_of(each)[1]: each for each in kinds}
    if key not in value:
        raise TableError(error_in(path, _MISSING.filled(key=key, remedy=closest("", by_word))))
    if (word := value[key]) not in list(by_word):  # which may be no word at all
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
    """What is wrong with a key that there is none of."""
    if isinstance(item, Mapping) and not any(isinstance(part, int) for part in path):
        no_table = Text("there is no such table; {remedy}").filled(remedy=closest(key, known))
        return prefixed(heading((*path, key)).strip(), no_table)
    return error_at((*path, key), Text("no such key here; {remedy}").filled(remedy=closest(key, known)), item)


def _made(kind: Any, values: dict[str, Any], path: Path, table: Mapping[str, Any], errors: ErrorList) -> Any:
    """The Struct or dataclass; when its own check refuses a value, what it says without that one is reported, too.

    :param values: by key, without those that are wrong.
    :param errors: what is wrong so far: if anything is, only what is said of a key with a right value is added.
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
