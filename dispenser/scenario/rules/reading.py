"""Reads tables by a description of their keys, and tells all that is wrong with them: place, key, value and remedy."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dispenser.rules.book.entry import Text
from dispenser.rules.engine.errors import RulesError

TOP_OF_THE_FILE: Final = Text("top of the file")
NO_SUCH_KEY: Final = Text("no such key here")
_A_TABLE: Final = Text("this must be a table, with keys and values")
_A_LIST: Final = Text("write a list: [ …, … ]")


class ScenarioError(RulesError, ValueError):
    """A scenario that cannot be played as it is written. One line: place, key, wrong value, remedy.

    :ivar more: what else is wrong with the same file.
    """

    def __init__(self, text: Text, more: Iterable[Text] = ()) -> None:
        super().__init__(text)
        self.more = tuple(map(ScenarioError, more))


class WrongValueError(RulesError, ValueError):
    """A value that means nothing where it stands; the text is the remedy."""


class WrongInsideError(Exception):
    """A table or list some of whose values are wrong; each text begins with where inside."""

    def __init__(self, texts: Iterable[Text]) -> None:
        super().__init__()
        self.texts = tuple(texts)


@dataclass(frozen=True, slots=True)
class Key:
    """What may stand behind a key.

    :ivar read: makes of the value what it means; raises ``WrongValueError`` or ``WrongInsideError``.
    :ivar missing: what to write where the key must be there and is not; ``None`` when it may be left out.
    """

    read: Callable[[Any], Any]
    missing: Text | None = None


def read_table(
    values: Any,
    keys: Mapping[str, Key],
    mistakes: list[Text],
    place: Text,
    *,
    others: Collection[str] = (),
    unknown: Text = NO_SUCH_KEY,
) -> dict[str, Any]:
    """What stands in a table and means something; what is wrong with the rest is added to ``mistakes``.

    :param place: as people would point at the table, such as ``step 3``.
    :param others: keys that may stand there, too, and are read elsewhere.
    :param unknown: what to say of a key that is neither among ``keys`` nor ``others``.
    """
    if not isinstance(values, dict):
        mistakes.append(within(equal(place, values), _A_TABLE))
        return {}
    found: dict[str, Any] = {}
    strange = [key for key in values if key not in keys and key not in others]
    for key in strange:
        remedy = closest(key, [*keys, *(other for other in others if other not in keys)])
        mistakes.append(within(place, within(equal(key, values[key]), remark(unknown, remedy))))
    for key, each in keys.items():
        if key in values:
            try:
                found[key] = each.read(values[key])
            except WrongInsideError as error:
                mistakes += [within(place, within(key, text)) for text in error.texts]
            except WrongValueError as error:
                mistakes.append(within(place, within(equal(key, values[key]), error.text)))
        elif each.missing and not difflib.get_close_matches(key, strange, n=1):
            mistakes.append(within(place, within(Text("{key} is missing").filled(key=key), each.missing)))
    return found


def table_of(keys: Mapping[str, Key]) -> Callable[[Any], dict[str, Any]]:
    """The reader of a table inside another."""

    def read(values: Any) -> dict[str, Any]:
        mistakes: list[Text] = []
        found = read_table(table(values), keys, mistakes, Text(""))
        if mistakes:
            raise WrongInsideError(mistakes)
        return found

    return read


def list_of(read: Callable[[Any], Any], wanted: Text = _A_LIST) -> Callable[[Any], tuple[Any, ...]]:
    """The reader of a list; tells all its values that are wrong."""

    def read_all(values: Any) -> tuple[Any, ...]:
        if not isinstance(values, list):
            raise WrongValueError(wanted)
        found: list[Any] = []
        wrong: list[tuple[Any, Text]] = []
        for value in values:
            try:
                found.append(read(value))
            except WrongValueError as error:
                wrong.append((value, error.text))
        if len(wrong) > 1:
            raise WrongInsideError(within(written(value), text) for value, text in wrong)
        if wrong:
            raise WrongValueError(wrong[0][1])
        return tuple(found)

    return read_all


def text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise WrongValueError(Text('write a text, such as "…"'))
    return value.strip()


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise WrongValueError(Text("write true or false"))
    return value


def whole(low: int, high: int, remedy: Text | None = None) -> Callable[[Any], int]:
    """The reader of a whole number between two others, both included."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise WrongValueError(
                remedy or Text("write a whole number from {low} to {high}").filled(low=low, high=high)
            )
        return value

    return read


def one_of(known: Mapping[str, Any]) -> Callable[[Any], Any]:
    """The reader of a word that stands for something."""

    def read(value: Any) -> Any:
        if not isinstance(value, str) or value not in known:
            raise WrongValueError(closest(value, known))
        return known[value]

    return read


def table(value: Any) -> dict[str, Any]:
    """The reader of a table that means something elsewhere."""
    if not isinstance(value, dict):
        raise WrongValueError(_A_TABLE)
    return value


def anything(value: Any) -> Any:
    """No reader: what it means is found out elsewhere."""
    return value


# Words of mistakes


def step_name(number: int) -> Text:
    """How one points at a step; 0 is the start."""
    return Text("step {number}").filled(number=number) if number else Text("start")


def closest(word: Any, known: Iterable[str]) -> Text:
    """A remedy for a word that nobody knows."""
    words = {each.lower(): each for each in known}
    near = difflib.get_close_matches(str(word).lower(), words, n=1)
    if near:
        return Text('did you mean "{near}"?').filled(near=words[near[0]])
    listed = ", ".join(words.values())
    return Text("known are {listed}").filled(listed=listed)


def within(place: Text | str, what: Text) -> Text:
    """What is wrong, and before it where that is: in words, or as it stands in the file."""
    return Text("{at}: {what}").filled(at=place, what=what) if str(place) else what


def equal(key: Text | str, value: Any) -> Text:
    """A key and its value, as they stand in the file."""
    return Text("{key} = {written}").filled(key=key, written=written(value))


def remark(what: Text, remedy: Text) -> Text:
    """What is wrong, and what to do about it."""
    return Text("{what}; {remedy}").filled(what=what, remedy=remedy)


def written(value: Any) -> str:
    """A value as it stands in the file."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {written(each)}" for key, each in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=str)
