"""Moves as small integers: what a seat may do, in 30 bits.

======  =========================================================================================
bits    meaning
======  =========================================================================================
0-7     the card's kind, or the seat that the move is about, or the colour or direction it names
8-15    first choice + 1 (colour or suit named, card a joker stands for, seat), 0 when there is none
16-23   second choice + 1 (seat aimed at, suit named with a joker, presses), 0 when there is none
24-29   what kind of move it is: ``PLAY`` is 0, so laying a card without a choice is just its kind
======  =========================================================================================

``dispenser.rules.notation`` writes a move out in French or English and reads it back.
"""

from __future__ import annotations

from typing import Final

Move = int

KIND_SHIFT: Final = 24

PLAY: Final = 0
JUMP_IN: Final = 1 << KIND_SHIFT
"""An identical card, out of turn (V-11)."""
CANCEL: Final = 2 << KIND_SHIFT
"""The number card that ends a chain of "+" (V-14)."""
DRAW: Final = 16 << KIND_SHIFT
"""Not able or not willing to play: draw (or press, where the launcher decides how many)."""
PASS: Final = 17 << KIND_SHIFT
"""Not playing the card just drawn, or not playing again."""
TAKE: Final = 18 << KIND_SHIFT
"""Take the cards that a chain or a +4 has brought, instead of answering it."""
CHALLENGE: Final = 19 << KIND_SHIFT
"""Doubt that the +4 was lawful (U-16)."""
ANNOUNCE: Final = 20 << KIND_SHIFT
"""Say "UNO" or "Carte"."""
CATCH: Final = 21 << KIND_SHIFT
"""Point at a seat that forgot to say it; bits 0-7 are the seat."""
RETRACT: Final = 22 << KIND_SHIFT
"""Say "OU PAS" (V-23)."""
CATCH_RETRACT: Final = 23 << KIND_SHIFT
"""Point at a seat that forgot "OU PAS" (V-23); bits 0-7 are the seat."""
NAME: Final = 24 << KIND_SHIFT
"""Name a colour or suit, when a turned card asks for it; bits 0-7 are the colour."""
DIRECTION: Final = 25 << KIND_SHIFT
"""Choose the direction (V-02); bits 0-7 are 0 for to the left (clockwise), 1 for to the right."""
DONE: Final = 26 << KIND_SHIFT
"""The rule on a customizable card has been carried out (E-22)."""
EFFECT: Final = 27 << KIND_SHIFT
"""Its rule is presses for a seat (E-22): bits 0-7 the seat, first choice the presses."""
STAND: Final = 28 << KIND_SHIFT
"""Say what a turned joker stands for (C-04, C-12): bits 0-7 the card, first choice the suit named."""


def play(card: int, first: int = -1, second: int = -1) -> Move:
    """Lay ``card``, with up to two choices."""
    return card | (first + 1) << 8 | (second + 1) << 16


def kind_of(move: Move) -> int:
    """``PLAY``, ``DRAW``, ``CATCH`` ...: the move without its details."""
    return move >> KIND_SHIFT << KIND_SHIFT


def card_of(move: Move) -> int:
    """The low 8 bits: the card laid, or what the move is about."""
    return move & 255


def first_choice(move: Move) -> int:
    """The first choice, -1 when there is none."""
    return (move >> 8 & 255) - 1


def second_choice(move: Move) -> int:
    """The second choice, -1 when there is none."""
    return (move >> 16 & 255) - 1
