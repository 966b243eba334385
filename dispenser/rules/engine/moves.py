"""Moves: what a seat may do, as values whose parts have names.

>>> lay(7), lay(52, colour=2)
(Move(lay, card=7), Move(lay, card=52, colour=2))
>>> lay(52, colour=2).colour
2

There are few different ones and many of each, so the same words give the same move: legal moves are found, not made,
and to compare two is to see whether they are one.
``dispenser.rules.words.notation`` writes a move out in French or English and reads it back.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from operator import index
from typing import Any, ClassVar, Final, final


class Act(StrEnum):
    """What one does; the value is how a recorded match says it."""

    LAY = "lay"  # Lay `card`, with the choices that it asks for
    JUMP_IN = "jump in"  # Lay an identical card, out of turn (V-11); the same choices
    CANCEL = "cancel"  # Lay the number `card` that ends a chain of "+" (V-14)
    DRAW = "draw"  # Not able or not willing to play: draw (or press, where the launcher decides how many)
    PASS = "pass"  # noqa: S105 - no password
    """Not playing the card just drawn, or not playing again."""
    TAKE = "take"  # Take the cards that a chain, an ace or a +4 has brought, instead of answering it
    CHALLENGE = "challenge"  # Doubt that the +4 was legal (U-16)
    ANNOUNCE = "announce"  # Say "UNO" or "Carte"
    CATCH = "catch"  # Point at `seat`, which forgot to say it
    RETRACT = "retract"  # Say "OU PAS" (V-23)
    CATCH_RETRACT = "catch retract"  # Point at `seat`, which forgot "OU PAS" (V-23)
    NAME = "name"  # Name `colour`, when the card turned up asks for it
    CHOOSE_DIRECTION = "choose direction"  # Play goes round in `direction` (V-02)
    STAND = "stand"  # Say which card a joker turned up `stands_for` (C-04, C-12); with an 8, `colour` too
    DONE = "done"  # The rule on a customizable card has been carried out (E-22)
    EFFECT = "effect"  # Its rule is `presses` for `seat` (E-22)


LAYING: Final = frozenset({Act.LAY, Act.JUMP_IN, Act.CANCEL})
"""What puts a card of the hand on the talon."""


def _whole(part: int | None) -> int | None:
    """A part as everybody is to find it: ``True`` and 1.0 find the move of 1, and must not have made it."""
    return None if part is None else index(part)


@final
class Move:
    """What a seat does, with ``None`` for each part that does not come into it. Never changed.

    :ivar card: the kind of the card laid.
    :ivar colour: the colour or suit named.
    :ivar seat: the seat aimed at, caught, given presses, or the first of the two that swap hands (V-16).
    :ivar other: the second of the two.
    :ivar stands_for: the card that a joker stands for (C-12).
    :ivar presses: how many ``seat`` owes.
    :ivar direction: +1 to the left (clockwise), -1 to the right.
    """

    PARTS: ClassVar[tuple[str, ...]] = (
        "act", "card", "colour", "seat", "other", "stands_for", "presses", "direction",
    )  # fmt: skip
    _made: ClassVar[dict[tuple[Any, ...], Move]] = {}

    __slots__ = PARTS

    act: Act
    card: int | None
    colour: int | None
    seat: int | None
    other: int | None
    stands_for: int | None
    presses: int | None
    direction: int | None

    def __new__(  # noqa: PLR0917 - most have one part or two
        cls,
        act: Act,
        card: int | None = None,
        colour: int | None = None,
        seat: int | None = None,
        other: int | None = None,
        stands_for: int | None = None,
        presses: int | None = None,
        direction: int | None = None,
    ) -> Move:
        words = act, card, colour, seat, other, stands_for, presses, direction
        known = cls._made.get(words)
        if known is not None:
            return known
        move = super().__new__(cls)
        for part, value in zip(cls.PARTS, (Act(act), *map(_whole, words[1:])), strict=True):
            object.__setattr__(move, part, value)
        cls._made[words] = move
        return move

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a move is the same one for everybody: its {name} cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, tuple(getattr(self, part) for part in self.PARTS)

    def __repr__(self) -> str:
        said = [f"{name}={value}" for name, value in self.said().items() if name != "act"]
        return f"Move({', '.join([str(self.act), *said])})"

    def said(self) -> dict[str, Any]:
        """The parts that come into it, by name."""
        return {part: value for part in self.PARTS if (value := getattr(self, part)) is not None}

    def but(self, act: Act) -> Move:
        """The same parts, done otherwise."""
        return Move(**(self.said() | {"act": act}))


DRAW: Final = Move(Act.DRAW)
PASS: Final = Move(Act.PASS)
TAKE: Final = Move(Act.TAKE)
CHALLENGE: Final = Move(Act.CHALLENGE)
ANNOUNCE: Final = Move(Act.ANNOUNCE)
RETRACT: Final = Move(Act.RETRACT)
DONE: Final = Move(Act.DONE)
TO_THE_LEFT: Final = Move(Act.CHOOSE_DIRECTION, direction=1)
TO_THE_RIGHT: Final = Move(Act.CHOOSE_DIRECTION, direction=-1)


@cache
def lay(
    card: int,
    *,
    colour: int | None = None,
    seat: int | None = None,
    other: int | None = None,
    stands_for: int | None = None,
) -> Move:
    """Lay ``card``, with what its player chooses."""
    return Move(Act.LAY, card, colour, seat, other, stands_for)


@cache
def jump_in(laying: Move) -> Move:
    """``laying``, out of turn."""
    return laying.but(Act.JUMP_IN)


@cache
def cancel(card: int) -> Move:
    """Lay ``card`` to cancel a chain."""
    return Move(Act.CANCEL, card)


@cache
def catch(seat: int) -> Move:
    """``seat`` has not announced its last card."""
    return Move(Act.CATCH, seat=seat)


@cache
def catch_retract(seat: int) -> Move:
    """``seat`` has not said "OU PAS"."""
    return Move(Act.CATCH_RETRACT, seat=seat)


@cache
def name(colour: int) -> Move:
    """Name a colour or suit."""
    return Move(Act.NAME, colour=colour)


@cache
def stand(card: int, *, colour: int | None = None) -> Move:
    """The joker turned up stands for ``card``."""
    return Move(Act.STAND, colour=colour, stands_for=card)


@cache
def effect(seat: int, presses: int) -> Move:
    """A customizable card brings presses to ``seat``."""
    return Move(Act.EFFECT, seat=seat, presses=presses)
