"""What a move brought about: small tuples ``(code, seat, value)``.

``dispenser.rules.telling`` says them in French or English. ``seat`` and ``value`` are -1 where there is none.
"""

from __future__ import annotations

from typing import Final

Event = tuple[int, int, int]

PLAYED: Final = 1
"""``seat`` laid a card: ``value`` is the move."""
DREW: Final = 2
"""``seat`` got ``value`` cards."""
PRESSED: Final = 3
"""``seat`` pressed, and ``value`` cards came out (0 is a dud)."""
SHORT: Final = 4
"""``seat`` should have got ``value`` cards more, and there are none (G-01)."""
RESHUFFLED: Final = 5
"""``value`` cards of the talon are the draw pile again."""
REVERSED: Final = 6
"""Play goes the other way; ``value`` is the direction now, +1 or -1."""
SKIPPED: Final = 7
"""``seat`` loses a turn."""
NAMED: Final = 8
"""``seat`` named colour ``value``."""
OWES: Final = 9
"""``seat`` owes ``value`` presses or cards; see ``Game.demand``."""
TURN: Final = 10
"""It is the turn of ``seat``."""
PASSED: Final = 11
"""``seat`` does not play the card drawn, or does not play again."""
ANNOUNCED: Final = 12
"""``seat`` said "UNO" or "Carte"."""
CAUGHT: Final = 13
"""``seat`` was caught by seat ``value``."""
PENALISED: Final = 14
"""The table declared an offence of ``seat``; ``value`` is its place in ``Game.offences``."""
CHALLENGED: Final = 15
"""``seat`` doubts the +4; ``value`` is 1 when it was a bluff, 0 when it was lawful."""
WENT_OUT: Final = 16
"""``seat`` has no card left; ``value`` is its place from 1, where places count."""
ROUND_ENDED: Final = 17
"""``seat`` won the round; ``value`` is its number from 1."""
SCORED: Final = 18
"""``seat`` writes down ``value`` points."""
ELIMINATED: Final = 19
"""``seat`` is over the limit and out of the match."""
MATCH_ENDED: Final = 20
"""``seat`` won the match (-1 when only a loser is named)."""
DEALER: Final = 21
"""``seat`` deals."""
DEALER_DREW: Final = 22
"""``seat`` drew card ``value`` for the deal."""
TURNED_UP: Final = 23
"""Card ``value`` was turned up as the first of the talon."""
PUT_BACK: Final = 24
"""Card ``value`` was turned up and went back; another is turned."""
DISCARDED: Final = 25
"""``seat`` laid card ``value`` along with the card on top."""
SWAPPED: Final = 26
"""Hands of ``seat`` and of seat ``value`` were exchanged."""
PASSED_ON: Final = 27
"""Every hand went to the next seat."""
CANCELLED: Final = 28
"""``seat`` cancelled the chain; ``value`` is the seat that draws."""
RELOAD_ASKED: Final = 29
"""Lift the talon but its top card, shuffle, reload, shut the lid; ``value`` cards would go in."""
RELOADED: Final = 30
"""The talon was reloaded: ``value`` cards."""
CORRECTED: Final = 31
"""The table set a count right; ``value`` is the count now, ``seat`` -1 is the draw pile."""
TAKEN_BACK: Final = 32
"""``seat`` took card ``value`` back into the hand."""
FROZEN: Final = 33
"""``seat`` froze the pile (``value`` 1) or freed it (0)."""
AGAIN: Final = 34
"""``seat`` plays again."""
RETRACTED: Final = 35
"""``seat`` said "OU PAS"."""
OUT_AGAIN: Final = 36
"""``seat`` had gone out and has cards again."""
RULE_SHOWN: Final = 37
"""A customizable card of ``seat`` waits for the table's own rule to be carried out."""
STOOD: Final = 38
"""``seat`` said what the joker turned up stands for (C-12): ``value`` is the move."""
