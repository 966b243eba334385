"""Convert actions to plain lists, texts and numbers, and back; cards and colours by their English names.

>>> from dispenser.rules.engine.moves import lay
>>> from dispenser.rules.engine.uno_cards import UNO, WILD
>>> Notes(UNO).write(Action(Deed.PLAY, 1, lay(WILD, colour=2)))
['play', 1, {'act': 'lay', 'card': 'wild', 'colour': 'green'}]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Final

from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.history import Action, Deal, Deed
from dispenser.rules.engine.launcher import BY_CHANCE
from dispenser.rules.engine.moves import Act, Move

_LARGEST: Final = 1 << 62
_CARDS: Final = {"card": 0, "stands_for": 0, "first": 0, "draws": 1, "pile": 1, "talon": 1, "hands": 2}
"""Parts of a deal or a move that are cards, with the nesting depth: a card, a list of them, a list of hands."""


class NotSoError(ValueError):
    """Error: a value that is invalid at its place."""


class Notes:
    """Converts actions of a game with those cards to plain values and back.

    Malformed values raise ``NotSoError``; whether an action is legal is checked by the game.
    """

    def __init__(self, cards: CardSet) -> None:
        self._names = [*(name.en for name in cards.names), "?"]
        self._colours = [name.en for name in cards.colour_names]

    def write(self, action: Action) -> list[Any]:
        """Return the action as ``[deed, seat, value]``."""
        deed, seat, value = action
        match deed:
            case Deed.PLAY | Deed.BEGIN:
                parts = value.said() if deed is Deed.PLAY else value
                value = {name: self._write_part(name, part) for name, part in parts.items() if part is not None}
            case Deed.COUNT_ROUND:
                value = list(value)
            case _ if isinstance(value, tuple) or (deed is Deed.ANSWER and seat is None):
                value = self._write_cards(value)
        return [str(deed), seat, value]

    def read(self, entry: object) -> Action:
        """Return the action that ``write`` converted."""
        match entry:
            case [str(deed), seat, value] if deed in set(Deed):
                return Action(Deed(deed), None if seat is None else whole(seat), self._read_value(Deed(deed), value))
        raise NotSoError

    def _read_value(self, deed: Deed, value: Any) -> Any:  # noqa: PLR0911 - one a form
        match deed, value:
            case Deed.PLAY, {"act": _}:
                return Move(**self._read_parts(value, Move._fields))
            case Deed.BEGIN, dict():
                return self._read_parts(value, Deal.__annotations__)
            case Deed.FULFIL, "chance":
                return BY_CHANCE
            case (Deed.ANSWER, bool()) | (Deed.PENALISE, str()) | (Deed.TURN | Deed.RELOAD, None):
                return value
            case Deed.ANSWER, str():
                return self._read_cards(value, 0)
            case Deed.FULFIL | Deed.ANSWER | Deed.HAND, list():
                return self._read_cards(value, 1)
            case Deed.FULFIL | Deed.ANSWER | Deed.HAND_SIZE, int():
                return whole(value)
            case Deed.COUNT_ROUND, list():
                return tuple(map(whole, value))
        raise NotSoError

    # Parts of a deal or a move

    def _write_part(self, name: str, value: Any) -> Any:
        if name in _CARDS:
            return self._write_cards(value)
        if name == "colour":
            return self._colours[value]
        return str(value) if name == "act" else list(value) if isinstance(value, tuple) else value

    def _read_parts(self, parts: Mapping[str, object], known: Collection[str]) -> dict[str, Any]:
        if not parts.keys() <= set(known):
            raise NotSoError
        return {name: self._read_part(name, value) for name, value in parts.items()}

    def _read_part(self, name: str, value: object) -> Any:
        if name in _CARDS:
            return self._read_cards(value, _CARDS[name])
        if name in {"scores", "gone"}:
            return tuple(map(whole, _list(value)))
        try:
            return Act(value) if name == "act" else self._colours.index(value) if name == "colour" else whole(value)  # type: ignore[arg-type]
        except ValueError as error:
            raise NotSoError from error

    # Cards

    def _write_cards(self, cards: Any) -> Any:
        """Convert a card, or nested lists of cards."""
        if not isinstance(cards, int):
            return [self._write_cards(each) for each in cards]
        if cards < 0:
            raise NotSoError
        return self._names[cards]

    def _read_cards(self, names: object, depth: int) -> Any:
        """Convert back a card, or lists of cards nested ``depth`` deep."""
        if depth:
            return tuple(self._read_cards(each, depth - 1) for each in _list(names))
        if not isinstance(names, str) or names not in self._names:
            raise NotSoError
        return self._names.index(names)


notes_of = cache(Notes)  # cached: one instance per card set


def whole(value: object) -> int:
    """Check a whole number of reasonable size."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= _LARGEST:
        raise NotSoError
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise NotSoError
    return value
