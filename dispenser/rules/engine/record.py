"""Actions as plain lists, texts and numbers, and back: cards and colours stand there by their English names.

>>> from dispenser.rules.engine.moves import lay
>>> from dispenser.rules.engine.uno_cards import UNO, WILD
>>> Notes(UNO).write(Action(Deed.PLAY, 1, lay(WILD, colour=2)))
['play', 1, {'act': 'lay', 'card': 'wild', 'colour': 'green'}]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.launcher import BY_CHANCE
from dispenser.rules.engine.moves import Act, Move

CHANCE: Final = "chance"
_LARGEST: Final = 1 << 62
_CARD_PARTS: Final = frozenset({"card", "stands_for"})


class NotSoError(ValueError):
    """A value that cannot stand where it stands."""


class Notes:
    """Writes down the actions of a game with those cards, and reads them.

    What cannot be is refused with ``NotSoError``; whether it is allowed, the game says.
    """

    def __init__(self, cards: CardSet) -> None:
        self._names = [*(name.en for name in cards.names), "?"]
        self._colours = [name.en for name in cards.colour_names]
        self._kinds = {name: kind for kind, name in enumerate(self._names)}

    def write(self, action: Action) -> list[Any]:
        """The action as ``[deed, seat, value]``."""
        deed, seat, value = action
        writers: Mapping[Deed, Callable[[Any], Any]] = {
            Deed.PLAY: self._write_move,
            Deed.FULFIL: lambda delivered: CHANCE if delivered is BY_CHANCE else self._write_cards(delivered),
            Deed.BEGIN: lambda deal: {name: self._write_deal(name, what) for name, what in deal.items()},
            Deed.ANSWER: lambda told: self._write_card(told) if seat is None else self._write_cards(told),
            Deed.HAND: self._write_cards,
        }
        return [str(deed), seat, writers[deed](value) if deed in writers else value]

    def read(self, entry: object) -> Action:
        """The action that ``write`` wrote."""
        if not isinstance(entry, list) or len(entry) != 3 or not isinstance(entry[0], str):
            raise NotSoError
        deed, seat, value = Deed(entry[0]), entry[1], entry[2]
        if seat is not None:
            whole(seat)
        readers: Mapping[Deed, Callable[[Any], Any]] = {
            Deed.BEGIN: self._read_deal,
            Deed.PLAY: self._read_move,
            Deed.FULFIL: lambda told: BY_CHANCE if told == CHANCE else self._read_number_or_cards(told),
            Deed.ANSWER: lambda told: told if isinstance(told, bool) else self._read_answer(told),
            Deed.PENALISE: text,
            Deed.HAND_SIZE: whole,
            Deed.HAND: self._read_cards,
        }
        if deed in readers:
            return Action(deed, seat, readers[deed](value))
        if value is not None:
            raise NotSoError
        return Action(deed, seat)

    # Cards

    def _write_card(self, card: int) -> str:
        if card < 0:
            raise NotSoError
        return self._names[card]

    def _write_cards(self, value: Any) -> Any:
        return [self._write_card(card) for card in value] if isinstance(value, tuple) else value

    def _read_card(self, name: object) -> int:
        kind = self._kinds.get(text(name))
        if kind is None:
            raise NotSoError
        return kind

    def _read_cards(self, value: object) -> tuple[int, ...]:
        return tuple(map(self._read_card, _list(value)))

    def _read_number_or_cards(self, value: object) -> int | tuple[int, ...]:
        return self._read_cards(value) if isinstance(value, list) else whole(value)

    def _read_answer(self, value: object) -> int | tuple[int, ...]:
        return self._read_card(value) if isinstance(value, str) else self._read_number_or_cards(value)

    # Deals and moves

    def _write_deal(self, name: str, value: Any) -> Any:
        match name:
            case "first":
                return self._write_card(value)
            case "hands":
                return [self._write_cards(hand) for hand in value]
            case "scores":
                return list(value)
            case "colour":
                return self._colours[value]
        return self._write_cards(value)

    def _read_deal(self, value: object) -> dict[str, Any]:
        readers: Mapping[str, Callable[[object], Any]] = {
            "dealer": whole,
            "draws": self._read_cards,
            "hands": lambda hands: tuple(map(self._read_cards, _list(hands))),
            "pile": self._read_cards,
            "first": self._read_card,
            "talon": self._read_cards,
            "scores": lambda scores: tuple(map(whole, _list(scores))),
            "turn": whole,
            "direction": whole,
            "colour": lambda name: self._colours.index(text(name)),
        }
        if not isinstance(value, dict) or value.keys() - readers.keys():
            raise NotSoError
        return {name: readers[name](what) for name, what in value.items()}

    def _write_move(self, move: Move) -> dict[str, Any]:
        parts: dict[str, Any] = {name: value for name, value in move._asdict().items() if value is not None}
        for name in parts.keys() & _CARD_PARTS:
            parts[name] = self._write_card(parts[name])
        if move.colour is not None:
            parts["colour"] = self._colours[move.colour]
        return parts

    def _read_move(self, value: object) -> Move:
        if not isinstance(value, dict) or value.keys() - set(Move._fields) or "act" not in value:
            raise NotSoError
        parts = {name: self._read_part(name, part) for name, part in value.items() if name != "act"}
        return Move(Act(text(value["act"])), **parts)

    def _read_part(self, name: str, value: object) -> int:
        if name in _CARD_PARTS:
            return self._read_card(value)
        return self._colours.index(text(value)) if name == "colour" else whole(value)


def whole(value: object) -> int:
    """A whole number of a size that can be meant."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= _LARGEST:
        raise NotSoError
    return value


def text(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise NotSoError
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise NotSoError
    return value
