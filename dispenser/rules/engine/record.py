"""Actions as plain lists, texts and numbers, and back: cards and colours stand there by their English names.

>>> from dispenser.rules.engine.moves import lay
>>> from dispenser.rules.engine.uno_cards import UNO, WILD
>>> Notes(UNO).write(Action(Deed.PLAY, 1, lay(WILD, colour=2)))
['play', 1, {'act': 'lay', 'card': 'wild', 'colour': 'green'}]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.launcher import BY_CHANCE
from dispenser.rules.engine.moves import Act, Move

CHANCE: Final = "chance"
_LARGEST: Final = 1 << 62
_CARDS: Final = {"card": 0, "stands_for": 0, "first": 0, "draws": 1, "pile": 1, "talon": 1, "hands": 2}
"""Which parts of a deal or a move are cards: one, a list of them, a list of hands."""
_NUMBERS: Final = ("scores", "gone")
"""Which are lists of whole numbers."""
_OF_A_DEAL: Final = frozenset(
    {
        *("dealer", "draws", "hands", "pile", "first", "talon", "scores", "gone", "turn", "direction", "colour"),
        "stands_for",
    }
)
_OF_A_MOVE: Final = frozenset(Move.PARTS)


class NotSoError(ValueError):
    """A value that cannot stand where it stands."""


class Notes:
    """Writes down the actions of a game with those cards, and reads them.

    What cannot be is refused with ``ValueError``; whether it is allowed, the game says.
    """

    def __init__(self, cards: CardSet) -> None:
        self._names = [*(name.en for name in cards.names), "?"]
        self._colours = [name.en for name in cards.colour_names]
        self._kinds = {name: kind for kind, name in enumerate(self._names)}

    def write(self, action: Action) -> list[Any]:
        """The action as ``[deed, seat, value]``."""
        deed, seat, value = action
        if deed is Deed.PLAY:
            value = self._write_parts(value.said())
        elif deed is Deed.BEGIN:
            value = self._write_parts(value)
        elif value is BY_CHANCE:
            value = CHANCE
        elif deed is Deed.COUNT_ROUND:
            value = list(value)
        elif isinstance(value, tuple) or (deed is Deed.ANSWER and seat is None):
            value = self._write_cards(value)
        return [str(deed), seat, value]

    def read(self, entry: object) -> Action:
        """The action that ``write`` wrote."""
        if not isinstance(entry, list) or len(entry) != 3:
            raise NotSoError
        deed, seat, value = Deed(text(entry[0])), entry[1], entry[2]
        return Action(deed, None if seat is None else whole(seat), self._read_value(deed, value))

    def _read_value(self, deed: Deed, value: object) -> Any:  # noqa: PLR0911 - one a deed
        match deed:
            case Deed.PLAY:
                return Move(**self._read_parts(value, _OF_A_MOVE, needed="act"))
            case Deed.BEGIN:
                return self._read_parts(value, _OF_A_DEAL)
            case Deed.FULFIL if value == CHANCE:
                return BY_CHANCE
            case Deed.ANSWER if isinstance(value, (bool, str)):
                return value if isinstance(value, bool) else self._read_cards(value, 0)
            case Deed.FULFIL | Deed.ANSWER:
                return self._read_cards(value, 1) if isinstance(value, list) else whole(value)
            case Deed.PENALISE:
                return text(value)
            case Deed.HAND_SIZE:
                return whole(value)
            case Deed.COUNT_ROUND:
                return _wholes(value)
            case Deed.HAND:
                return self._read_cards(value, 1)
        if value is not None:
            raise NotSoError
        return None

    # Parts of a deal or a move

    def _write_parts(self, parts: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self._write_part(name, value) for name, value in parts.items() if value is not None}

    def _write_part(self, name: str, value: Any) -> Any:
        if name in _CARDS:
            return self._write_cards(value)
        if name == "colour":
            return self._colours[value]
        return str(value) if name == "act" else list(value) if name in _NUMBERS else value

    def _read_parts(self, parts: object, known: frozenset[str], needed: str = "") -> dict[str, Any]:
        if not isinstance(parts, dict) or parts.keys() - known or (needed and needed not in parts):
            raise NotSoError
        return {name: self._read_part(name, value) for name, value in parts.items()}

    def _read_part(self, name: str, value: object) -> Any:
        if name in _CARDS:
            return self._read_cards(value, _CARDS[name])
        if name == "colour":
            return self._colours.index(text(value))
        if name in _NUMBERS:
            return _wholes(value)
        return Act(text(value)) if name == "act" else whole(value)

    # Cards

    def _write_cards(self, cards: Any) -> Any:
        """A card, or cards in lists."""
        if not isinstance(cards, int):
            return [self._write_cards(each) for each in cards]
        if cards < 0:
            raise NotSoError
        return self._names[cards]

    def _read_cards(self, names: object, depth: int) -> Any:
        """A card, or cards in so many lists."""
        if depth:
            return tuple(self._read_cards(each, depth - 1) for each in _list(names))
        kind = self._kinds.get(text(names))
        if kind is None:
            raise NotSoError
        return kind


notes_of = cache(Notes)
"""The notes for those cards, the same ones each time."""


def whole(value: object) -> int:
    """A whole number of a size that can be meant."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= _LARGEST:
        raise NotSoError
    return value


def _wholes(value: object) -> tuple[int, ...]:
    return tuple(map(whole, _list(value)))


def text(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise NotSoError
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise NotSoError
    return value
