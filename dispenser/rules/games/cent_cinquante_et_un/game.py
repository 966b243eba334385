"""151, with an exact draw pile. ``book.py`` states the rules; their IDs stand where each lives.

Hand and moves work as in every game (``engine/rules.py``): cards that fit may be laid; a player who lays none draws
one, which may be laid if it fits (C-13, G-02).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.cards import and_anywhere
from dispenser.rules.engine.dealing import deal_to
from dispenser.rules.engine.demands import Brings
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import PASS, Act, Move, lay, stand
from dispenser.rules.engine.phases import AGAIN, NAMING
from dispenser.rules.engine.playing_cards import (
    ACE,
    EIGHT,
    JACK,
    JOKER,
    KING,
    PLAYING_CARDS,
    QUEEN,
    SIX,
    TEN,
    TWO,
    all_of,
    packs_of_cards,
    rank_of,
    require_enough,
)
from dispenser.rules.engine.rules import Reason, Rules
from dispenser.rules.games.cent_cinquante_et_un.words import WORDS

EIGHTS: Final = all_of(EIGHT)
GOES_ON_ACE: Final = (*all_of(ACE, EIGHT), JOKER)  # C-11
GOES_ON_SUIT: Final = and_anywhere(PLAYING_CARDS.fits_colour, EIGHTS)  # C-08: another 8 matches the 8

TWO_CARDS: Final = Brings("C-06", 2, TWO, name=Text("a 2"))  # what a 2 brings
OUT_POINTS: Final = -10  # points for going out (C-15)

# C-15, without the joker
_POINTS: Final = {ACE: 11, EIGHT: 32, JACK: 10, QUEEN: 10, KING: 10}
POINT_VALUES: Final = tuple(_POINTS.get(rank_of(card), rank_of(card) + 1) for card in range(JOKER))

# G-06
SAY_WHICH: Final = Text("say which card the joker stands for, one that fits; with an 8, the suit too")
PILE_FROZEN: Final = Text("the ace freezes the discard pile: only an ace, an 8 or a joker as one of them may be played")
FIRST_TURN: Final = Text("nobody may go out in the first turn that they play")
PLAY_OR_PASS: Final = Text("after a queen, play a card that fits or pass; nothing is drawn")
NO_JOKER_UP: Final = Text("no joker was turned up")


class CentCinquanteEtUn(Rules):
    """151.

    :ivar fresh: seats that have not finished a turn in this deal (C-10).
    """

    game_id = "151"
    words = WORDS
    cards = PLAYING_CARDS
    hand_size = 5  # C-03
    highest_deals = False  # C-02
    deal_passes = True  # C-02
    name_colour = EIGHTS  # C-08
    stand_ins = (JOKER,)  # C-12
    turn_rule = "C-05"
    draw_rule = "C-13"
    first_card_rule = "C-04"
    end_rule = "C-15"
    points_rule = "C-15"
    forgotten = ("C-14", 1)
    brings = (TWO_CARDS,)
    out_of_place = {
        Act.DRAW: ("C-10", PLAY_OR_PASS),
        Act.STAND: ("C-12", NO_JOKER_UP),
    }
    own = ("fresh",)
    __slots__ = (*own, "_joker_ways", "_values")

    # C-01: the cards

    def prepare(self) -> None:
        require_enough("C-01", self._packs(), self.seats, self.hand_size, jokers=True)
        self.fresh: set[int] = set()
        self.low_score_wins = True  # C-16
        self._values = (*POINT_VALUES, self.options["joker-points"])  # C-15
        anywhere = EIGHTS if self.options["eight-anywhere"] else ()  # C-05
        self.fits = [
            GOES_ON_ACE if rank_of(card) == ACE else kinds  # C-11
            for card, kinds in enumerate(and_anywhere(PLAYING_CARDS.fits, anywhere))
        ]
        self.fits_colour = GOES_ON_SUIT
        # C-12: a joker can be laid as any other card, in all ways to lay that card
        ways = self.ways[0]
        ways[JOKER] = []
        self._joker_ways = [
            [lay(JOKER, stands_for=card, colour=way.colour) for way in each] for card, each in enumerate(ways)
        ]

    def _packs(self) -> int:
        return int(self.options["packs"] or (1 if self.seats <= 6 else 2))

    def deck(self) -> Sequence[int]:
        return packs_of_cards(self._packs(), jokers=True)

    # C-03, C-04: the deal and the first card

    def deal(self) -> None:
        """C-03: deal one card at a time, beginning on the dealer's left."""
        for _ in range(self.hand_size):
            seat = self.dealer
            for _ in range(self.seats):
                seat = self.left[seat]
                deal_to(self, seat, 1)

    def first_card(self, card: int) -> None:
        """C-04: apply the first card as if the dealer had played it."""
        self.fresh = set(range(self.seats))
        if card == JOKER or rank_of(card) == EIGHT:
            self.turn, self.phase = self.dealer, NAMING  # C-12, C-08: the dealer names a card, or a suit
        else:
            self._takes_effect(self.dealer, card)

    def names(self, seat: int, colour: int) -> None:
        self.emit(What.NAMED, seat, colour=colour)
        self.shows(self.top, colour)  # C-08
        self._takes_effect(seat, self.top)

    def acts(self, seat: int, move: Move) -> None:
        """C-12: set the card that the turned-up joker stands for; with an 8, also a suit."""
        assert move.stands_for is not None
        self.emit(What.STOOD, seat, move=move)
        self.shows(move.stands_for, move.colour)
        self._takes_effect(seat, move.stands_for)

    # C-05, C-10 to C-13: what may be done

    def asked(self, seat: int) -> list[Move]:
        if self.phase is AGAIN:  # C-10: after a queen, a fitting card may be played
            return [*self.cards_that_fit(seat, self.possible(seat)), PASS]
        if self.top == JOKER:  # C-12
            return [stand(card, colour=way.colour) for card, ways in enumerate(self.ways[seat]) for way in ways]
        return super().asked(seat)  # C-08

    def cards_that_fit(self, seat: int, hand: list[int]) -> list[Move]:
        if self._would_go_out_too_soon(seat):
            return []
        moves = super().cards_that_fit(seat, hand)  # C-05, C-08, C-11, C-13
        if hand[JOKER]:
            moves += [way for card in self.matches for way in self._joker_ways[card]]  # C-12
        return moves

    def _would_go_out_too_soon(self, seat: int) -> bool:
        """C-10: whether the seat would go out in its first turn."""
        return self.sizes[seat] == 1 and seat in self.fresh

    # C-06 to C-12: what a card does

    def lays(self, seat: int, move: Move) -> None:
        under = self.top
        card = self.lay(seat, move)  # C-08: an 8 with the named suit
        if not self.sizes[seat]:  # C-15: the deal is over at once, without the effect of the last card
            self.goes_out(seat)
            self.next_turn(self.following[seat])
            return
        if move.stands_for is not None:  # C-12
            card = move.stands_for
            self.shows(card, move.colour)
        if rank_of(card) == EIGHT and rank_of(under) == ACE:  # C-11
            self.emit(What.THAWED, seat)
        self._takes_effect(seat, card)
        if self.phase is not AGAIN:
            self.fresh.discard(seat)  # C-10

    def _takes_effect(self, seat: int, card: int) -> None:
        """Apply ``card``, laid by ``seat`` or turned up by the dealer, and give the turn to the next player."""
        rank = rank_of(card)
        after = self.following[seat]
        if rank == QUEEN:  # C-10
            self.play_again(seat)
            return
        if rank == TWO:  # C-06
            after = self.owes_and_misses(TWO_CARDS.number, after, "C-06")
        elif rank == SIX:  # C-07: who sits opposite
            after = (seat + self.direction * (self.seats // 2)) % self.seats
        elif rank == TEN:  # C-09
            self.reverse()
            after = self.following[seat]
        elif rank == ACE:  # C-11
            self.emit(What.FROZE, seat)
        self.next_turn(after)

    def passes(self, seat: int) -> None:
        self.fresh.discard(seat)  # C-10: a turn of only drawing counts, one skipped by a 2 does not
        super().passes(seat)

    # C-15, C-16: the score

    def values(self) -> Sequence[int]:
        return self._values

    def round_over(self) -> None:
        for seat, points in enumerate(self.points):
            self.add_points(seat, OUT_POINTS if seat == self.round_winner else points)
        most = max(self.scores)
        if most >= self.options["limit"]:
            self.end_match((), losers=[seat for seat, score in enumerate(self.scores) if score == most])

    # G-06

    def why_not(self, seat: int, move: Move) -> Reason:
        if self.phase is NAMING:
            return ("C-12", SAY_WHICH) if self.top == JOKER else ("C-08", reasons.NAME_SUIT)
        return super().why_not(seat, move)

    def why_not_laid(self, seat: int, card: int, move: Move) -> Reason:  # noqa: ARG002
        if self._would_go_out_too_soon(seat):
            return "C-10", FIRST_TURN
        if card != JOKER and card in self.matches:
            return "C-08", reasons.NAME_SUIT
        if rank_of(self.top) == ACE:
            return "C-11", PILE_FROZEN
        return ("C-12", SAY_WHICH) if card == JOKER else ("C-05", reasons.NO_MATCH)
