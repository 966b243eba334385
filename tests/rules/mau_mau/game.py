"""Mau-Mau. ``book.py`` states the rules; their IDs stand where each lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.language import Text
from dispenser.rules.engine.moves import DRAW, PASS, Move, lay
from dispenser.rules.engine.packs import packs_of_cards
from dispenser.rules.engine.phases import DREW
from dispenser.rules.engine.playing_cards import JACK, PLAYING_CARDS, SEVEN, all_of, rank_of
from dispenser.rules.engine.rules import Rules
from tests.rules.mau_mau.words import WORDS

_JACKS: Final = all_of(JACK)
_WAYS: Final = [[lay(card, colour=suit) for suit in range(4)] if card in _JACKS else [lay(card)] for card in range(52)]
_DOES_NOT_FIT: Final = Text("that card does not fit")


class MauMau(Rules):
    """Mau-Mau."""

    __slots__ = ("_deck",)
    game_id = "mau-mau"
    words = WORDS
    cards = PLAYING_CARDS
    hand_size = 5  # M-02
    turn_rule = "M-03"
    draw_rule = "M-04"
    first_card_rule = "M-02"
    end_rule = "M-07"
    forgotten = ("M-08", 1)

    def prepare(self) -> None:
        self._deck = packs_of_cards(self.options["packs"], jokers=False)  # M-01

    def deck(self) -> Sequence[int]:
        return self._deck

    def first_card(self, card: int) -> None:  # noqa: ARG002 - it does nothing here
        self.next_turn(self.left[self.dealer])

    def turn_moves(self, seat: int) -> list[Move]:
        drew = self.phase is DREW
        hand = self.drawn_card(seat) if drew else self.possible(seat)
        fitting = [way for card in self.matches if hand[card] for way in _WAYS[card]]  # M-03
        return [*fitting, PASS if drew else DRAW]  # M-04

    def lays(self, seat: int, move: Move) -> None:
        card = self.lay(seat, move)
        self.shows(card, move.colour)  # M-06: a jack asks for a suit
        after = self.following[seat]
        if not self.sizes[seat]:  # M-07
            self.goes_out(seat)
        if rank_of(card) is SEVEN:  # M-05
            self.owe(2, after, "M-05")
        self.next_turn(after)

    def round_over(self) -> None:
        self.end_match((self.round_winner,))  # M-07

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:  # noqa: ARG002
        return ("M-06" if move.card in _JACKS else "M-03"), _DOES_NOT_FIT
