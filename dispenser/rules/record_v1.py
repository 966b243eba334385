"""Documents of version 1, where a move was one number, a set of seats another, and the launcher's chance nothing.

======  =========================================================================================
bits    of a move
======  =========================================================================================
0-7     the card's kind, or the seat that the move is about, or the colour or direction it names
8-15    first choice + 1 (colour or suit named, card a joker stands for, seat), 0 when there is none
16-23   second choice + 1 (seat aimed at, suit named with a joker, presses), 0 when there is none
24-29   what sort of move it is
======  =========================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.launcher import BY_CHANCE
from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.engine.phases import Phase
from dispenser.rules.engine.playing_cards import JOKER
from dispenser.rules.engine.record import Notes
from dispenser.rules.engine.uno_cards import WHITE
from dispenser.rules.games.folder import GameFolder
from dispenser.rules.registry import GAMES

_ACTS: Final = {
    0: Act.LAY, 1: Act.JUMP_IN, 2: Act.CANCEL, 16: Act.DRAW, 17: Act.PASS, 18: Act.TAKE, 19: Act.CHALLENGE,
    20: Act.ANNOUNCE, 21: Act.CATCH, 22: Act.RETRACT, 23: Act.CATCH_RETRACT, 24: Act.NAME, 25: Act.CHOOSE_DIRECTION,
    26: Act.DONE, 27: Act.EFFECT, 28: Act.STAND,
}  # fmt: skip
_DEEDS: Final = {"hand_size": Deed.HAND_SIZE}
_SETS: Final = ("exposed", "announced", "gone", "unsaid")


def from_version_1(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same document in version 2; what is damaged in it stays so, for the reader to name."""
    folder = GAMES.get(str(document.get("game")))
    if folder is None:
        return {**document, "version": 2}
    converted = {**document, "version": 2}
    for name in ("actions", "undone"):
        listed = document.get(name)
        if isinstance(listed, list):
            converted[name] = [_action(entry, folder) for entry in listed]
    if isinstance(document.get("position"), dict):
        converted["position"] = _position(document["position"], folder.game_id)
    return converted


def _action(entry: Any, game: GameFolder) -> Any:
    try:
        name, seat, value = entry
        deed = _DEEDS.get(name) or Deed(name)
        return Notes(game.rules.cards).write(
            Action(deed, None if seat < 0 else seat, _value(deed, value, game.game_id))
        )
    except (TypeError, ValueError, IndexError, KeyError, AttributeError):
        return entry


def _value(deed: Deed, value: Any, game_id: str) -> Any:
    if deed is Deed.PLAY:
        return move_of(value, game_id)
    if deed is Deed.FULFIL and value is None:
        return BY_CHANCE
    if deed is Deed.BEGIN:
        return {name: _tuples(what) for name, what in value.items()}
    return _tuples(value)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def move_of(number: int, game_id: str) -> Move:  # noqa: PLR0911 - one a sort of move
    """The move that a number stood for in that game."""
    act, about = _ACTS[number >> 24], number & 255
    first, second = (number >> 8 & 255) - 1, (number >> 16 & 255) - 1
    one, other = (None if choice < 0 else choice for choice in (first, second))
    match act:
        case Act.LAY | Act.JUMP_IN | Act.CANCEL:
            if game_id == "uno-vache" and about == WHITE:
                return Move(act, about, seat=one, other=other)
            if game_id == "151" and about == JOKER:
                return Move(act, about, stands_for=one, colour=other)
            return Move(act, about, colour=one, seat=other)
        case Act.CATCH | Act.CATCH_RETRACT:
            return Move(act, seat=about)
        case Act.NAME:
            return Move(act, colour=about)
        case Act.CHOOSE_DIRECTION:
            return Move(act, direction=-1 if about else 1)
        case Act.EFFECT:
            return Move(act, seat=about, presses=one)
        case Act.STAND:
            return Move(act, stands_for=about, colour=one)
    return Move(act)


def _position(old: Mapping[str, Any], game_id: str) -> dict[str, Any]:
    """Sets of seats were bits, phases were numbered, one seat at most was calling."""
    position = dict(old)
    try:
        for name in (*_SETS, *(("fresh",) if game_id == "151" else ())):
            if name in position:
                position[name] = [seat for seat in range(old[name].bit_length()) if old[name] >> seat & 1]
        position["phase"] = list(Phase)[old["phase"]]
        position["calling"] = [] if old["calling"] < 0 else [old["calling"]]
        if old["question"] is not None:
            kind, seat, rule = old["question"]
            position["question"] = [kind, None if seat < 0 else seat, rule]
    except (TypeError, ValueError, IndexError, KeyError, AttributeError):
        return dict(old)
    return position
