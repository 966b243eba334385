"""Phases of a turn. A game uses those that it needs."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """Where a match stands."""

    IDLE = "idle"  # Between rounds
    PLAYING = "playing"  # To play a card, or not
    DREW = "drew"  # To play the card just drawn, or to pass
    ANSWERING = "answering"  # To answer a +4, a chain of "+" or an ace, or to take the cards
    NAMING = "naming"  # To name a colour for the card turned up, or what a joker turned up stands for
    CHOOSING_DIRECTION = "choosing direction"  # The dealer chooses the direction (V-02)
    CARRYING_OUT = "carrying out"  # To carry out what a customizable card says (E-22)
    AGAIN = "again"  # To play once more (H-08, C-10)
    COUNTING = "counting"  # The round is over, and hands nobody saw are being counted
    MATCH_OVER = "match over"


# By their own names, for the rules read them several times in each move (looking one up in its class takes longer)
IDLE, PLAYING, DREW, ANSWERING, NAMING, CHOOSING_DIRECTION, CARRYING_OUT, AGAIN, COUNTING, MATCH_OVER = Phase

IN_ROUND: Final = frozenset(Phase) - {IDLE, COUNTING, MATCH_OVER}
"""The phases in which cards are played: dealt, and not yet counted."""
