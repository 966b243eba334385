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
from contextlib import suppress
from typing import Any, Final

from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.launcher import BY_CHANCE
from dispenser.rules.engine.moves import LAYING, Act, Move
from dispenser.rules.engine.phases import Phase
from dispenser.rules.engine.playing_cards import JOKER
from dispenser.rules.engine.record import notes_of
from dispenser.rules.engine.uno_cards import WHITE
from dispenser.rules.games.folder import GameFolder
from dispenser.rules.registry import GAMES

_ACTS: Final = {
    0: Act.LAY, 1: Act.JUMP_IN, 2: Act.CANCEL, 16: Act.DRAW, 17: Act.PASS, 18: Act.TAKE, 19: Act.CHALLENGE,
    20: Act.ANNOUNCE, 21: Act.CATCH, 22: Act.RETRACT, 23: Act.CATCH_RETRACT, 24: Act.NAME, 25: Act.CHOOSE_DIRECTION,
    26: Act.DONE, 27: Act.EFFECT, 28: Act.STAND,
}  # fmt: skip
_PARTS: Final = {
    **dict.fromkeys(LAYING, ("card", "colour", "seat")),
    Act.CATCH: ("seat",),
    Act.CATCH_RETRACT: ("seat",),
    Act.NAME: ("colour",),
    Act.EFFECT: ("seat", "presses"),
    Act.STAND: ("stands_for", "colour"),
}
"""What the numbers of a move are about, in their order."""
_OF_A_CARD: Final = {
    ("uno-vache", WHITE): ("card", "seat", "other"),
    ("151", JOKER): ("card", "stands_for", "colour"),
}
_SETS: Final = ("exposed", "announced", "gone", "unsaid")
_DAMAGED: Final = (TypeError, ValueError, IndexError, KeyError, AttributeError)


def from_version_1(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same document in version 2; what is damaged in it stays so, for the reader to name."""
    converted = {**document, "version": 2}
    folder = GAMES.get(str(document.get("game")))
    if folder:
        for name in ("actions", "undone"):
            if isinstance(document.get(name), list):
                converted[name] = [_action(entry, folder) for entry in document[name]]
        with suppress(*_DAMAGED):
            converted["position"] = _position(document["position"], folder.game_id)
    return converted


def _action(entry: Any, game: GameFolder) -> Any:
    with suppress(*_DAMAGED):
        name, seat, value = entry
        deed = Deed(name.replace("_", " "))
        if deed is Deed.PLAY:
            value = _move(value, game.game_id)
        elif deed is Deed.FULFIL and value is None:
            value = BY_CHANCE
        elif isinstance(value, list):
            value = tuple(value)
        return notes_of(game.rules.cards).write(Action(deed, None if seat < 0 else seat, value))
    return entry


def _move(number: int, game_id: str) -> Move:
    """The move that a number stood for in that game."""
    act, about = _ACTS[number >> 24], number & 255
    if act is Act.CHOOSE_DIRECTION:
        return Move(act, direction=-1 if about else 1)
    parts = _OF_A_CARD.get((game_id, about)) if act in LAYING else None
    numbers = (about, (number >> 8 & 255) - 1, (number >> 16 & 255) - 1)
    return Move(
        act, **{part: value for part, value in zip(parts or _PARTS.get(act, ()), numbers, strict=False) if value >= 0}
    )


def _position(old: Mapping[str, Any], game_id: str) -> dict[str, Any]:
    """Sets of seats were bits, phases were numbered, one seat at most was calling."""
    position = dict(old)
    for name in (*_SETS, *(("fresh",) if game_id == "151" else ())):
        if name in old:
            position[name] = [seat for seat in range(old[name].bit_length()) if old[name] >> seat & 1]
    position["phase"] = list(Phase)[old["phase"]]
    position["calling"] = [] if old["calling"] < 0 else [old["calling"]]
    if old["question"] is not None:
        kind, seat, rule = old["question"]
        position["question"] = [kind, None if seat < 0 else seat, rule]
    return position
