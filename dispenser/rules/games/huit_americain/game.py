"""Huit américain, with an exact draw pile. ``book.py`` states the rules; their IDs stand where each lives.

Hand and moves work as in every game (``engine/rules.py``): cards that fit may be laid; a player who lays none draws
one, which may be laid if it fits (H-05, G-02).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.cards import and_anywhere
from dispenser.rules.engine.demands import Brings, Demand
from dispenser.rules.engine.moves import DRAW, TAKE, Act, Move, lay
from dispenser.rules.engine.phases import AGAIN, ANSWERING, DREW
from dispenser.rules.engine.playing_cards import (
    ACE,
    EIGHT,
    JACK,
    JOKER,
    KING,
    PLAYING_CARDS,
    QUEEN,
    SEVEN,
    TEN,
    all_of,
    card_of,
    packs_of_cards,
    rank_of,
    require_enough,
)
from dispenser.rules.engine.rules import Reason, Rules
from dispenser.rules.games.huit_americain.words import CHAIN_OF_ACES, NOT_COVERED, WORDS

EIGHTS: Final = all_of(EIGHT)
SPECIAL: Final = (*all_of(SEVEN, EIGHT, TEN, ACE), JOKER)  # H-02

# H-04: an 8 fits on every card, and on every suit asked for
GOES_ON_CARD: Final = and_anywhere(PLAYING_CARDS.fits, EIGHTS)
GOES_ON_SUIT: Final = and_anywhere(PLAYING_CARDS.fits_colour, EIGHTS)

# H-11
_POINTS: Final = {EIGHT: 50, SEVEN: 25, TEN: 25, ACE: 25, KING: 10, QUEEN: 10, JACK: 10}
POINT_VALUES: Final = (*(_POINTS.get(rank_of(card), 5) for card in range(JOKER)), 50)

# Causes of draws
ACES: Final = Brings("H-09", 2, ACE, name=CHAIN_OF_ACES, chain=True)
UNCOVERED: Final = Brings("H-08", 1, TEN, name=NOT_COVERED)

# G-06
ANSWER_ACE: Final = Text("the ace first: play an ace or take the cards")
NO_ACE: Final = Text("there is no ace to answer")
COVER_TEN: Final = Text("the 10 must be covered: play a card that fits, or draw if you have none")


class HuitAmericain(Rules):
    """Huit américain.

    :ivar ace_cards: cards to draw for the chain of aces (H-09).
    """

    game_id = "huit-americain"
    words = WORDS
    cards = PLAYING_CARDS
    hand_size = 8  # H-02
    under_pile = True  # H-02
    deal_passes = True  # H-03
    name_colour = (*EIGHTS, JOKER)  # H-07, H-01: any suit, also the one of the 8 and the one in force
    point_values = POINT_VALUES  # H-11
    turn_rule = "H-03"
    draw_rule = "H-05"
    first_card_rule = "H-02"
    end_rule = "H-12"
    points_rule = "H-11"
    forgotten = ("H-10", 2)
    brings = (ACES, UNCOVERED)
    comes_first = {ANSWERING: ("H-09", ANSWER_ACE)}
    out_of_place = {Act.TAKE: ("H-09", NO_ACE)}
    choice_missing = reasons.NAME_SUIT
    own = ("ace_cards",)
    __slots__ = own

    # H-01: the cards

    def prepare(self) -> None:
        require_enough("H-01", self.options["packs"], self.seats, self.hand_size, jokers=self.options["jokers"])
        self.ace_cards = 0
        self.fits, self.fits_colour = GOES_ON_CARD, GOES_ON_SUIT
        # H-12, H-11: in a single deal only its winner scores, whatever the scoring
        self.low_score_wins = self.options["match"] == "points" and self.options["scoring"] == "own-points"

    def deck(self) -> Sequence[int]:
        return packs_of_cards(self.options["packs"], jokers=self.options["jokers"])

    def shows(self, card: int, colour: int | None = None) -> None:
        """H-01: a joker is an 8 of the suit that it names."""
        super().shows(card if card != JOKER or colour is None else card_of(EIGHT, colour), colour)

    # H-02, H-03: the first card, and who begins

    def may_start(self, card: int) -> bool:
        """H-02: if all remaining cards are special, the last of them starts, without effect."""
        return card not in SPECIAL or not self.pile

    def first_card(self, card: int) -> None:  # noqa: ARG002 - no card has an effect
        self.ace_cards = 0
        self.next_turn(self.left[self.dealer])

    # H-04 to H-09: a turn; H-05: a fitting card, or else one is drawn, and may be laid if it fits

    def asked(self, seat: int) -> list[Move]:
        hand = self.possible(seat)
        if self.phase is ANSWERING:  # H-09: to lay an ace, or to take the cards
            return [*(lay(ace) for ace in all_of(ACE) if hand[ace]), TAKE]
        # H-08: a player with a card that covers the 10 must lay it, as far as the hand is known; otherwise draws
        must_cover = any(self.hands[seat][card] for card in self.matches)
        return self.cards_that_fit(seat, hand) + ([] if must_cover else [DRAW])

    def lays(self, seat: int, move: Move) -> None:
        rank = rank_of(self.lay(seat, move))  # H-07, H-01: an 8 and a joker name a suit, without other effect
        after = self.following[seat]
        if rank == TEN:  # H-08: it must be covered, also as the last card
            self.play_again(seat)
        elif not self.sizes[seat]:  # H-12, H-09: the first without cards wins, and the last card has no effect
            self.ace_cards = 0
            self.goes_out(seat)
            self.next_turn(after)
        elif rank == SEVEN:  # H-06
            self.next_turn(self.misses(after))
        elif rank == ACE:  # H-09
            self.ace_cards += ACES.number
            self.next_turn(after, ANSWERING)
        else:
            self.next_turn(after)

    def to_take(self) -> int:
        return self.ace_cards

    def takes(self, seat: int) -> None:
        """H-09: draw for the aces, and lose the turn."""
        self.has_acted()
        self.next_turn(self.owes_and_misses(self.to_take(), seat, "H-09"))
        self.ace_cards = 0

    def does_not_play(self, seat: int) -> None:
        if self.phase is not AGAIN:
            super().does_not_play(seat)  # H-05
            return
        self.phase = DREW  # H-08: draws for the own 10, so the next player has not acted, and catching goes on (G-03)
        self.demands.append(Demand(self.draws, seat, seat, UNCOVERED.number, "H-08"))

    # H-11, H-12: the score

    def needs_winner(self) -> bool:
        return not self.low_score_wins  # H-11, own points

    def round_over(self) -> None:
        target = self.options["target"]
        if self.low_score_wins:  # H-11, own points
            self.all_score_their_own(target)
        else:
            self.winner_scores(0 if self.options["match"] == "single" else target)

    # G-06

    def why_not(self, seat: int, move: Move) -> Reason:
        if self.phase is AGAIN and move.act in {Act.DRAW, Act.PASS}:
            return "H-08", COVER_TEN
        return super().why_not(seat, move)
