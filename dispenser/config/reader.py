"""Makes values of tables as their types describe them, and finds all that is wrong with them."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final, TypeVar, get_args, get_origin

import msgspec

from dispenser.config.mistakes import (
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
from dispenser.config.remedies import (
    Field,
    alternatives,
    bare,
    bound,
    fields_of,
    is_ones_own,
    remedy_for,
    said_of,
    shape,
    tag_of,
)
from dispenser.config.writer import NOT_THERE
from dispenser.i18n import Text, listed

T = TypeVar("T")
Hook = Callable[[type, Any], Any]
"""Reads a value of one's own type; raises ``WrongValueError``."""

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
    result = reader.read(value, kind, path)
    reader.mistakes.tell(error)
    return result  # type: ignore[no-any-return]


class _Reader:
    def __init__(self, hook: Hook | None) -> None:
        self.mistakes = Mistakes()
        self._hook = hook

    def read(self, value: Any, kind: Any, path: Path) -> Any:
        """``value`` as that type, or ``_WRONG``."""
        methods = {"union": self._union, "list": self._list, "table": self._table}
        return methods.get(shape(kind), self._plain)(value, kind, path)

    def _wrong(self, path: Path, kind: Any, value: Any, remedy: Text | None = None) -> Any:
        self.mistakes.note(mistake(path, remedy or remedy_for(kind, path, value), value))
        return _WRONG

    def _plain(self, value: Any, kind: Any, path: Path) -> Any:
        try:
            if self._hook is not None and is_ones_own(kind):
                return self._hook(bare(kind), value)
            return msgspec.convert(value, kind, str_keys=True)
        except WrongValueError as error:
            return self._wrong(path, kind, value, error.text)
        except msgspec.ValidationError:
            return self._wrong(path, kind, value)

    def _union(self, value: Any, kind: Any, path: Path) -> Any:
        kinds = alternatives(kind)
        if types.NoneType in get_args(bare(kind)) and (value is None or (value == NOT_THERE and str not in kinds)):
            return None
        if isinstance(value, Mapping):
            likely = [each for each in kinds if shape(each) in {"table", "dict"}]
            if len(likely) > 1 and all(map(tag_of, likely)):
                return self._tagged(value, likely, path)
        else:
            likely = [each for each in kinds if shape(each) == "list"] if isinstance(value, (list, tuple)) else kinds
        if len(likely) == 1:
            return self.read(value, likely[0], path)
        attempts = (_Reader(self._hook).read(value, each, path) for each in likely)
        found = next((attempt for attempt in attempts if attempt is not _WRONG), _WRONG)
        return self._wrong(path, kind, value) if found is _WRONG else found

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
            return self._wrong((*path, tag_field), str, word, closest(word, words))
        return self._table(value, words[word], path)

    def _list(self, value: Any, kind: Any, path: Path) -> Any:
        plain = bare(kind)
        inner = get_args(plain)
        if not isinstance(value, (list, tuple)) or len(value) < (bound(kind, "min_length") or 0):
            return self._wrong(path, kind, value)
        kinds = inner if get_origin(plain) is tuple and inner[-1] is not ... else inner[:1] * len(value)
        if len(value) != len(kinds):
            return self._wrong(path, kind, value)
        items = [self.read(item, each, (*path, n)) for n, item, each in zip(count(1), value, kinds, strict=False)]
        if any(item is _WRONG for item in items):
            return _WRONG
        return items if get_origin(plain) is list else tuple(items)

    def _table(self, value: Any, kind: Any, path: Path) -> Any:
        if not isinstance(value, Mapping):
            return self._wrong(path, kind, value)
        kind = bare(kind)
        known, tag = fields_of(kind), tag_of(kind)
        found: dict[str, Any] = {}
        unknown = [key for key in value if key not in known and not (tag and key == tag[0])]
        for key, item in value.items():
            if field := known.get(key):
                found[field.attribute] = self.read(item, field.kind, (*path, key))
        meant = [self._note_unknown(key, value[key], known, path) for key in unknown]
        for key, field in known.items():
            if field.needed and key not in value and key not in meant:
                remedy = said_of(field.kind).get("missing") or remedy_for(field.kind, (key,))
                self.mistakes.note(mistake_in(path, _MISSING.filled(key=key, remedy=remedy)))
        right = {attribute: item for attribute, item in found.items() if item is not _WRONG}
        if any(field.needed and field.attribute not in right for field in known.values()):
            return _WRONG
        whole = len(right) == len(found) and not unknown
        written = {field.attribute: (field, value.get(key)) for key, field in known.items()}
        made = self._made(kind, right, path, written, whole=whole)
        return made if whole else _WRONG

    def _note_unknown(self, key: str, item: Any, known: Mapping[str, Field], path: Path) -> str | None:
        """Note a key that there is none of; which key is perhaps meant."""
        others = {name: each.key for each in known.values() for name in said_of(each.kind).get("other_names", ())}
        remedy = closest(key, known, others)
        if isinstance(item, Mapping) and not any(isinstance(part, int) for part in path):
            no_table = Text("there is no such table; {remedy}").filled(remedy=remedy)
            self.mistakes.note(told(heading((*path, key)).strip(), no_table))
        else:
            self.mistakes.note(mistake((*path, key), Text("no such key here; {remedy}").filled(remedy=remedy), item))
        return nearest(key, known, others)

    def _made(
        self, kind: Any, values: dict[str, Any], path: Path, known: Mapping[str, tuple[Field, Any]], *, whole: bool
    ) -> Any:
        """The table; when its own check refuses the value of a key, what it says without that one is told too.

        :param whole: nothing of it was wrong so far; else what keys say together may be wrong only because of that.
        """
        try:
            return kind(**values)
        except WrongValueError as error:
            if not whole:
                return _WRONG
            about = error.key or ""
            if about in values:
                field, written = known[about]
                self.mistakes.note(mistake((*path, field.key), error.text, written))
            else:
                self.mistakes.note(mistake_in(path, error.text))
        except ValueError as error:  # a sentence that begins with the key that it is about
            about = str(error).split(" ", 1)[0].rstrip(":")
            if about not in values and about in known and known[about][1] is not None:
                return _WRONG  # what it says of the default that stands in for a wrong value
            self.mistakes.note(mistake_in(path, listed([error])))
        if about in values and not known[about][0].needed:
            self._made(kind, {name: value for name, value in values.items() if name != about}, path, known, whole=False)
        return _WRONG
