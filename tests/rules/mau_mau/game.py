"""Mau-Mau. ``book.py`` states the rules; their IDs stand where each lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.rules.engine.demands import Brings
from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.playing_cards import JACK, PLAYING_CARDS, SEVEN, all_of, packs_of_cards, rank_of
from dispenser.rules.engine.rules import Rules
from tests.rules.mau_mau.words import WORDS

TWO_CARDS: Final = Brings("M-05", 2, SEVEN)


class MauMau(Rules):
    """Mau-Mau."""

    __slots__ = ()
    game_id = "mau-mau"
    words = WORDS
    cards = PLAYING_CARDS
    hand_size = 5  # M-02
    name_colour = all_of(JACK)  # M-06
    turn_rule = "M-03"
    draw_rule = "M-04"
    first_card_rule = "M-02"
    end_rule = "M-07"
    forgotten = ("M-08", 1)
    brings = (TWO_CARDS,)

    def deck(self) -> Sequence[int]:
        return packs_of_cards(self.options["packs"], jokers=False)  # M-01

    def first_card(self, card: int) -> None:  # noqa: ARG002 - it does nothing here
        self.next_turn(self.left[self.dealer])

    def lays(self, seat: int, move: Move) -> None:
        card = self.lay(seat, move)  # M-03; M-06: with the suit that a jack asks for
        after = self.following[seat]
        if not self.sizes[seat]:  # M-07
            self.goes_out(seat)
        if rank_of(card) == SEVEN:  # M-05
            self.owe(TWO_CARDS.number, after, "M-05")
        self.next_turn(after)

    def round_over(self) -> None:
        self.end_match((self.round_winner,))  # M-07
