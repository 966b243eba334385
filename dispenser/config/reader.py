"""Makes values of tables as their types describe them, and finds all that is wrong with them."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from itertools import repeat
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
Hook = Callable[[type, Any], Any]

_MISSING: Final = Text("{key} is missing: {remedy}")
_WRONG: Final = object()
"""In place of a value that cannot be read; the error is in the list."""


def read(
    value: Any, kind: type[T], *, path: Path = (), hook: Hook | None = None, error: type[TableError] = TableError
) -> T:
    """A value of that type from what a TOML or JSON reader gave.

    :param path: where the value stands in its file; ``()`` for the whole file.
    :param hook: reads the types that are neither plain nor a Struct or dataclass; raises ``WrongValueError``.
    :raises TableError: all that is wrong; or what ``error`` says.
    """
    reader = _Reader(hook)
    result = reader.read(value, kind, path)
    reader.errors.raise_if_any(error)
    return result  # type: ignore[no-any-return]


class _Reader:
    def __init__(self, hook: Hook | None) -> None:
        self.errors = ErrorList()
        self._hook = hook

    def read(self, value: Any, kind: Any, path: Path) -> Any:
        """``value`` as that type, or ``_WRONG``."""
        methods = {"union": self._union, "list": self._list, "table": self._table}
        return methods.get(shape(kind), self._plain)(value, kind, path)

    def _wrong(self, path: Path, kind: Any, value: Any, hint: Text | None = None) -> Any:
        self.errors.append(error_at(path, hint or hint_for(kind, path, value), value))
        return _WRONG

    def _plain(self, value: Any, kind: Any, path: Path) -> Any:
        try:
            if self._hook is not None and shape(kind) == "hook":
                return self._hook(bare(kind), value)
            return msgspec.convert(value, kind, str_keys=True)
        except WrongValueError as error:
            return self._wrong(path, kind, value, error.text)
        except msgspec.ValidationError:
            return self._wrong(path, kind, value)

    def _union(self, value: Any, kind: Any, path: Path) -> Any:
        kinds = alternatives(kind)
        if types.NoneType in get_args(bare(kind)) and (value is None or (value == NONE and str not in kinds)):
            return None
        if isinstance(value, Mapping):
            kinds = [each for each in kinds if shape(each) in {"table", "dict"}]
            if len(kinds) > 1 and all(tag_of(each)[0] for each in kinds):
                return self._tagged(value, kinds, path)
        elif isinstance(value, (list, tuple)):
            kinds = [each for each in kinds if shape(each) == "list"]
        if len(kinds) == 1:
            return self.read(value, kinds[0], path)
        attempts = (_Reader(self._hook).read(value, each, path) for each in kinds)
        found = next((attempt for attempt in attempts if attempt is not _WRONG), _WRONG)
        return self._wrong(path, kind, value) if found is _WRONG else found

    def _tagged(self, value: Mapping[str, Any], kinds: list[Any], path: Path) -> Any:
        """The kind of table that its tag names."""
        key = str(tag_of(kinds[0])[0])
        by_word = {tag_of(each)[1]: each for each in kinds}
        if key not in value:
            self.errors.append(error_in(path, _MISSING.filled(key=key, remedy=closest("", by_word))))
            return _WRONG
        if (word := value[key]) not in list(by_word):  # which may be no word at all
            return self._wrong((*path, key), str, word, closest(word, by_word))
        return self._table(value, by_word[word], path)

    def _list(self, value: Any, kind: Any, path: Path) -> Any:
        origin, inner = get_origin(bare(kind)), get_args(bare(kind))
        is_fixed = origin is tuple and inner[-1] is not ...
        least, most = (len(inner), len(inner)) if is_fixed else (meta(kind, "min_length") or 0, float("inf"))
        if not (isinstance(value, (list, tuple)) and least <= len(value) <= most):
            return self._wrong(path, kind, value)
        kinds = inner if is_fixed else repeat(inner[0], len(value))
        items = [self.read(item, each, (*path, n)) for n, (item, each) in enumerate(zip(value, kinds, strict=True), 1)]
        return _WRONG if any(item is _WRONG for item in items) else (origin or list)(items)

    def _table(self, value: Any, kind: Any, path: Path) -> Any:
        if not isinstance(value, Mapping):
            return self._wrong(path, kind, value)
        known = fields_of(bare(kind))
        found = {key: self.read(item, known[key].kind, (*path, key)) for key, item in value.items() if key in known}
        unknown = [key for key in value if key not in known and key != tag_of(kind)[0]]
        meant = [self._add_unknown(key, value[key], known, path) for key in unknown]
        for key, field in known.items():
            if field.required and key not in value and key not in meant:
                hint = hint_for(field.kind, (key,))
                self.errors.append(error_in(path, _MISSING.filled(key=key, remedy=hint)))
        right = {key: item for key, item in found.items() if item is not _WRONG}
        if any(field.required and key not in right for key, field in known.items()):
            return _WRONG
        is_whole = len(right) == len(found) and not unknown
        made = self._made(bare(kind), right, path, value, is_whole=is_whole)
        return made if is_whole else _WRONG

    def _add_unknown(self, key: str, item: Any, known: Mapping[str, Field], path: Path) -> str | None:
        """Report a key that there is none of; return the key that is perhaps meant."""
        hint = closest(key, known)
        if isinstance(item, Mapping) and not any(isinstance(part, int) for part in path):
            no_table = Text("there is no such table; {remedy}").filled(remedy=hint)
            self.errors.append(prefixed(heading((*path, key)).strip(), no_table))
        else:
            self._wrong((*path, key), Any, item, Text("no such key here; {remedy}").filled(remedy=hint))
        return nearest(key, known)

    def _made(self, kind: Any, values: dict[str, Any], path: Path, table: Mapping[str, Any], *, is_whole: bool) -> Any:
        """The Struct or dataclass; when its own check refuses a value, what it says without that one is reported, too.

        :param values: by key, without those that are wrong.
        :param is_whole: nothing is wrong so far; else only what is said of a key with a right value is reported.
        """
        known = fields_of(kind)
        try:
            return kind(**{known[key].attribute: item for key, item in values.items()})
        except ValueError as error:
            key = error.key if isinstance(error, WrongValueError) else str(error).split(" ", 1)[0].rstrip(":")
            if isinstance(error, WrongValueError) and key in values:  # the text of another error begins with its key
                self.errors.append(error_at((*path, key), error.text, table[key]))
            elif is_whole or key in values:
                self.errors.append(error_in(path, listed([error])))
        if key in values and not known[key].required:
            self._made(kind, {each: values[each] for each in values if each != key}, path, table, is_whole=False)
        return _WRONG
