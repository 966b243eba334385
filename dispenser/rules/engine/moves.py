"""Moves as named tuples.

>>> lay(7), lay(52, colour=2)
(Move(lay, card=7), Move(lay, card=52, colour=2))
>>> lay(52, colour=2).colour
2

Moves are interned: equal parts give the same object, because few different moves occur, many times each. So legal
moves are looked up, not created, and compared by identity.
``dispenser.rules.words.notation`` formats a move in French or English and parses it.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Any, Final, NamedTuple, final


class Act(StrEnum):
    """Type of a move; the value is its name in a recorded match."""

    LAY = "lay"  # Lay `card`, with the choices that it asks for
    JUMP_IN = "jump in"  # Lay an identical card, out of turn (V-11); the same choices
    CANCEL = "cancel"  # Lay the number `card` that ends a chain of "+" (V-14)
    DRAW = "draw"  # Not able or not willing to play: draw (or press, where the launcher decides how many)
    PASS = "pass"  # noqa: S105 - no password
    """Not playing the card just drawn, or not playing again."""
    TAKE = "take"  # Take the cards that a chain, an ace or a +4 has brought, instead of answering it
    CHALLENGE = "challenge"  # Doubt that the +4 was legal (U-16)
    ANNOUNCE = "announce"  # Say "UNO" or "Carte"
    CATCH = "catch"  # Catch `seat`, which forgot to announce
    RETRACT = "retract"  # Say "OU PAS" (V-23)
    CATCH_RETRACT = "catch retract"  # Catch `seat`, which forgot to say "OU PAS" (V-23)
    NAME = "name"  # Name `colour`, when the card turned up requires it
    CHOOSE_DIRECTION = "choose direction"  # Play goes round in `direction` (V-02)
    STAND = "stand"  # Say which card a turned-up joker `stands_for` (C-04, C-12); with an 8, `colour` too
    DONE = "done"  # The rule on a customizable card has been carried out (E-22)
    EFFECT = "effect"  # Its rule is `presses` for `seat` (E-22)


LAYING: Final = frozenset({Act.LAY, Act.JUMP_IN, Act.CANCEL})  # moves that put a card of the hand on the talon


class _Parts(NamedTuple):
    act: Act
    card: int | None = None  # the kind of the card laid
    colour: int | None = None  # the colour or suit named
    seat: int | None = None  # the seat aimed at, caught, given presses, or the first of two that swap hands (V-16)
    other: int | None = None  # the second of the two
    stands_for: int | None = None  # the card that a joker stands for (C-12)
    presses: int | None = None  # how many `seat` owes
    direction: int | None = None  # +1 to the left (clockwise), -1 to the right


_MADE: Final[dict[tuple[Any, ...], Move]] = {}


@final
class Move(_Parts):
    """A move of a seat; parts that do not apply are ``None``. Equal moves are the same object."""

    __slots__ = ()
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__

    def __new__(cls, *parts: Any, **named: Any) -> Move:
        move = super().__new__(cls, *parts, **named)
        return _MADE.setdefault(tuple(move), move)

    def __repr__(self) -> str:
        said = [f"{name}={value}" for name, value in self.said().items() if name != "act"]
        return f"Move({', '.join([str(self.act), *said])})"

    def said(self) -> dict[str, Any]:
        """Return the parts that are not ``None``, by name."""
        return {part: value for part, value in zip(self._fields, self, strict=True) if value is not None}

    def but(self, act: Act) -> Move:
        """Return the same parts with another act."""
        return Move(act, *self[1:])


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
    """Lay ``card``, with the choices of its player."""
    return Move(Act.LAY, card, colour, seat, other, stands_for)


@cache
def jump_in(laying: Move) -> Move:
    """Return ``laying`` as a move out of turn."""
    return laying.but(Act.JUMP_IN)


def cancel(card: int) -> Move:
    """Lay ``card`` to cancel a chain."""
    return Move(Act.CANCEL, card)


@cache
def catch(seat: int) -> Move:
    """Catch ``seat``, which has not announced its last card."""
    return Move(Act.CATCH, seat=seat)


def catch_retract(seat: int) -> Move:
    """Catch ``seat``, which has not said "OU PAS"."""
    return Move(Act.CATCH_RETRACT, seat=seat)


def name(colour: int) -> Move:
    """Name a colour or suit."""
    return Move(Act.NAME, colour=colour)


def stand(card: int, *, colour: int | None = None) -> Move:
    """Say that the turned-up joker stands for ``card``."""
    return Move(Act.STAND, colour=colour, stands_for=card)


@cache
def effect(seat: int, presses: int) -> Move:
    """Say that a customizable card brings presses to ``seat``."""
    return Move(Act.EFFECT, seat=seat, presses=presses)
