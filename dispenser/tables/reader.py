"""Makes values of tables as their types describe them, and finds all that is wrong with them."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT

from dispenser.language import Text, listed
from dispenser.tables.mistakes import (
    Mistakes,
    Path,
    TableError,
    WrongValueError,
    closest,
    heading,
    mistake,
    mistake_in,
    nearest,
    told,
)
from dispenser.tables.remedies import PLAIN, alternatives, bare, metas, remedy_for, said_of, shape, tag_of, words_of
from dispenser.tables.writer import NOT_THERE

T = TypeVar("T")
Hook = Callable[[type, Any], Any]
"""Reads a value of one's own type; raises ``WrongValueError``."""

_NO_SUCH_KEY: Final = Text("no such key here; {remedy}")
_NO_SUCH_TABLE: Final = Text("there is no such table; {remedy}")
_MISSING: Final = Text("{key} is missing: {remedy}")
_WRONG: Final = object()
"""In place of a value that cannot be read; the mistake has been noted."""


def read(
    value: Any, kind: type[T], *, path: Path = (), hook: Hook | None = None, error: type[TableError] = TableError
) -> T:
    """A value of that type from what a TOML or JSON reader gave.

    :param path: where the value stands in its file; ``()`` for the whole file.
    :param hook: reads the types that are neither plain nor a Struct or dataclass.
    :raises TableError: all that is wrong; or what ``error`` says.
    """
    reader = _Reader(hook)
    result = reader.read(value, kind, path, {})
    reader.mistakes.tell(error)
    return result  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class _Field:
    """One key of a table."""

    key: str
    attribute: str
    kind: Any
    needed: bool
    about: Mapping[str, Any]


@cache
def _fields(kind: type) -> tuple[_Field, ...]:
    """What may stand in the table that a Struct or a dataclass describes."""
    hints = get_type_hints(kind, include_extras=True)
    if is_dataclass(kind):
        return tuple(
            _Field(
                each.name,
                each.name,
                hints[each.name],
                each.default is MISSING and each.default_factory is MISSING,
                {**said_of(hints[each.name]), **each.metadata},
            )
            for each in fields(kind)
            if each.init and each.metadata.get("from_file", True)
        )
    return tuple(
        _Field(
            each.encode_name,
            each.name,
            hints[each.name],
            each.default is NODEFAULT and each.default_factory is NODEFAULT,
            said_of(hints[each.name]),
        )
        for each in msgspec.structs.fields(kind)
    )


class _Reader:
    def __init__(self, hook: Hook | None) -> None:
        self.mistakes = Mistakes()
        self._hook = hook

    def read(self, value: Any, kind: Any, path: Path, about: Mapping[str, Any]) -> Any:
        """``value`` as that type, or ``_WRONG``."""
        methods = {
            "union": self._union,
            "word": self._word,
            "list": self._list,
            "dict": self._dict,
            "table": self._table,
            "plain": self._plain,
        }
        return methods[shape(kind)](value, kind, path, {**about, **said_of(kind)})

    def _wrong(self, path: Path, kind: Any, about: Mapping[str, Any], value: Any, remedy: Text | None = None) -> Any:
        self.mistakes.note(mistake(path, remedy or remedy_for(kind, about, path, value), value))
        return _WRONG

    def _plain(self, value: Any, kind: Any, path: Path, about: Mapping[str, Any]) -> Any:
        try:
            if bare(kind) not in {*PLAIN, Any} and self._hook is not None:
                return self._hook(bare(kind), value)
            return msgspec.convert(value, kind)
        except WrongValueError as error:
            return self._wrong(path, kind, about, value, error.text)
        except msgspec.ValidationError:
            return self._wrong(path, kind, about, value)

    def _word(self, value: Any, kind: Any, path: Path, about: Mapping[str, Any]) -> Any:
        plain = bare(kind)
        known = words_of(plain)
        if isinstance(value, bool) or value not in known:
            return self._wrong(path, kind, about, value, about.get("remedy") or closest(value, map(str, known)))
        return value if get_origin(plain) is Literal else plain(value)

    def _union(self, value: Any, kind: Any, path: Path, about: Mapping[str, Any]) -> Any:
        kinds = alternatives(kind)
        if types.NoneType in get_args(bare(kind)) and (value is None or (value == NOT_THERE and str not in kinds)):
            return None
        if isinstance(value, Mapping):
            likely = [each for each in kinds if shape(each) in {"table", "dict"}]
            if len(likely) > 1 and all(map(tag_of, likely)):
                return self._tagged(value, likely, path)
        elif isinstance(value, (list, tuple)):
            likely = [each for each in kinds if shape(each) == "list"]
        else:
            likely = kinds
        if len(likely) == 1:
            return self.read(value, likely[0], path, about)
        for each in likely:
            attempt = _Reader(self._hook)
            found = attempt.read(value, each, path, about)
            if found is not _WRONG:
                return found
        return self._wrong(path, kind, about, value)

    def _tagged(self, value: Mapping[str, Any], kinds: list[Any], path: Path) -> Any:
        """The kind of table that its tag names."""
        tags = {tag_of(each): bare(each) for each in kinds}
        tag_field = next(tag[0] for tag in tags if tag)
        words = {tag[1]: each for tag, each in tags.items() if tag}
        word = value.get(tag_field)
        if word is None:
            self.mistakes.note(mistake_in(path, _MISSING.filled(key=tag_field, remedy=closest("", words))))
            return _WRONG
        if not isinstance(word, str) or word not in words:
            return self._wrong((*path, tag_field), str, {}, word, closest(word, words))
        return self._table(value, words[word], path, {})

    def _list(self, value: Any, kind: Any, path: Path, about: Mapping[str, Any]) -> Any:
        plain = bare(kind)
        inner = get_args(plain)
        exact = get_origin(plain) is tuple and inner[-1:] != (...,)
        too_short = isinstance(value, (list, tuple)) and len(value) < max(
            (m.min_length or 0 for m in metas(kind)), default=0
        )
        if not isinstance(value, (list, tuple)) or too_short or (exact and len(value) != len(inner)):
            return self._wrong(path, kind, about, value)
        kinds = inner if exact else (inner[:1] or (Any,)) * len(value)
        items = [
            self.read(item, each, (*path, n), {}) for n, (item, each) in enumerate(zip(value, kinds, strict=True), 1)
        ]
        if any(item is _WRONG for item in items):
            return _WRONG
        return items if get_origin(plain) is list else tuple(items)

    def _dict(self, value: Any, kind: Any, path: Path, about: Mapping[str, Any]) -> Any:
        if not isinstance(value, Mapping):
            return self._wrong(path, kind, about, value)
        key_kind, value_kind = get_args(bare(kind)) or (str, Any)
        found = {}
        for key, item in value.items():
            name = int(key) if key_kind is int and isinstance(key, str) and key.isdecimal() and len(key) < 10 else key
            found[self.read(name, key_kind, (*path, key), about)] = self.read(item, value_kind, (*path, key), about)
        return _WRONG if _WRONG in found or any(item is _WRONG for item in found.values()) else found

    def _table(self, value: Any, kind: Any, path: Path, about: Mapping[str, Any]) -> Any:
        if not isinstance(value, Mapping):
            return self._wrong(path, kind, about, value)
        kind = bare(kind)
        known = {each.key: each for each in _fields(kind)}
        tag = tag_of(kind)
        found: dict[str, Any] = {}
        unknown: dict[str, Any] = {}
        for key, item in value.items():
            if key in known:
                found[known[key].attribute] = self.read(item, known[key].kind, (*path, key), known[key].about)
            elif tag is None or key != tag[0]:
                unknown[key] = item
        meant = [self._note_unknown(key, item, known, path) for key, item in unknown.items()]
        needed = [each for each in known.values() if each.needed]
        for each in needed:
            if each.key not in value and each.key not in meant:
                remedy = each.about.get("missing") or remedy_for(each.kind, each.about, (each.key,))
                self.mistakes.note(mistake_in(path, _MISSING.filled(key=each.key, remedy=remedy)))
        right = {attribute: item for attribute, item in found.items() if item is not _WRONG}
        if any(each.attribute not in right for each in needed):
            return _WRONG
        whole = len(right) == len(found) and not unknown
        written = {each.attribute: (each, value.get(each.key)) for each in known.values()}
        made = self._made(kind, right, path, written, whole=whole)
        return made if whole else _WRONG

    def _note_unknown(self, key: str, item: Any, known: Mapping[str, _Field], path: Path) -> str | None:
        """Note a key that there is none of; which key is perhaps meant."""
        others = {name: each.key for each in known.values() for name in each.about.get("other_names", ())}
        near = nearest(key, known, others)
        remedy = closest(key, known, others)
        if isinstance(item, Mapping) and not any(isinstance(part, int) for part in path):
            self.mistakes.note(told(heading((*path, key)).strip(), _NO_SUCH_TABLE.filled(remedy=remedy)))
        else:
            self.mistakes.note(mistake((*path, key), _NO_SUCH_KEY.filled(remedy=remedy), item))
        return near

    def _made(
        self, kind: Any, values: dict[str, Any], path: Path, known: Mapping[str, tuple[_Field, Any]], *, whole: bool
    ) -> Any:
        """The table; when its own check refuses the value of a key, what it says without that one is told too.

        :param whole: nothing of it was wrong so far; else what keys say together may be wrong only because of that.
        """
        try:
            return kind(**values)
        except WrongValueError as error:
            if not whole:
                return _WRONG
            about, remedy = error.key or "", error.text
            if about in values:
                field, written = known[about]
                self.mistakes.note(mistake((*path, field.key), remedy, written))
            else:
                self.mistakes.note(mistake_in(path, remedy))
        except ValueError as error:  # a sentence that begins with the key that it is about
            about = str(error).split(" ", 1)[0].rstrip(":")
            self.mistakes.note(mistake_in(path, listed([error])))
        if about in values and not known[about][0].needed:
            self._made(kind, {name: value for name, value in values.items() if name != about}, path, known, whole=False)
        return _WRONG
