"""Phases of a turn. A game uses those that it needs."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """Phase of a match."""

    IDLE = "idle"  # Between rounds
    PLAYING = "playing"  # To play a card, or not
    DREW = "drew"  # To play the card just drawn, or to pass
    ANSWERING = "answering"  # To answer a +4, a chain of "+" or an ace, or to take the cards
    NAMING = "naming"  # To name a colour for the card turned up, or what a joker turned up stands for
    CHOOSING_DIRECTION = "choosing direction"  # The dealer chooses the direction (V-02)
    CARRYING_OUT = "carrying out"  # To carry out what a customizable card says (E-22)
    AGAIN = "again"  # To play once more (H-08, C-10)
    COUNTING = "counting"  # The round is over, and hidden hands are being counted
    MATCH_OVER = "match over"


# Names of their own, because the rules read them several times per move (a class lookup is slower)
IDLE, PLAYING, DREW, ANSWERING, NAMING, CHOOSING_DIRECTION, CARRYING_OUT, AGAIN, COUNTING, MATCH_OVER = Phase

IN_ROUND: Final = frozenset(Phase) - {IDLE, COUNTING, MATCH_OVER}
"""The phases between the deal and the count, in which cards are played."""
