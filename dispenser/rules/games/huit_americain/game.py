"""Huit américain, with an exact draw pile. ``book.py`` states the rules; their IDs stand where each lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.language import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.demands import Demand
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import DRAW, PASS, TAKE, Act, Move, lay
from dispenser.rules.engine.packs import packs_of_cards, require_enough
from dispenser.rules.engine.phases import AGAIN, ANSWERING, DREW, PLAYING
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
    rank_of,
)
from dispenser.rules.engine.rounds import hands_are_counted
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.scoring import lowest, points_of_others
from dispenser.rules.games.huit_americain.words import WORDS

_SUITS: Final = range(4)
_SUIT_OF: Final = PLAYING_CARDS.colour
_ACES: Final = all_of(ACE)
_EIGHTS: Final = all_of(EIGHT)
_SPECIAL: Final = frozenset((*all_of(SEVEN, EIGHT, TEN, ACE), JOKER))


def _with_eights(kinds: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted({*kinds, *_EIGHTS}))


# H-04, for each card on top; a joker that had to be the first of the talon has no suit, and everything goes on it
_FITS: Final = (*map(_with_eights, PLAYING_CARDS.matches[:JOKER]), tuple(range(JOKER)))
_FITS_SUIT: Final = tuple(map(_with_eights, PLAYING_CARDS.of_colour))

# Each card and how it can be laid. H-07: an 8 names any suit, its own and the one in force too. H-01: a joker is an 8
_WAYS: Final = tuple(
    [lay(card, colour=suit) for suit in _SUITS] if card in _EIGHTS or card == JOKER else [lay(card)]
    for card in range(JOKER + 1)
)

# H-11
_POINTS: Final = {EIGHT: 50, SEVEN: 25, TEN: 25, ACE: 25, KING: 10, QUEEN: 10, JACK: 10}
POINT_VALUES: Final = (*(_POINTS.get(rank_of(card), 5) for card in range(JOKER)), 50)

ANSWER_ACE: Final = Text("the ace first: lay an ace or take the cards")
NO_ACE: Final = Text("there is no ace to answer")
COVER_TEN: Final = Text("the 10 must be covered: play a card that fits; only who has none draws")


class HuitAmericain(Rules):
    """Huit américain.

    :ivar ace_cards: what the aces laid one after the other have come to (H-09).
    """

    game_id = "huit-americain"
    words = WORDS
    cards = PLAYING_CARDS
    hand_size = 8  # H-02
    point_values = POINT_VALUES
    under_pile = True  # H-02
    deal_passes = True
    turn_rule = "H-03"
    draw_rule = "H-05"
    first_card_rule = "H-02"
    end_rule = "H-12"
    points_rule = "H-11"
    forgotten = ("H-10", 2)
    own_values = ("ace_cards",)
    __slots__ = (*own_values, "_deck")

    def prepare(self) -> None:
        self.ace_cards = 0
        packs, jokers = self.options["packs"], self.options["jokers"]
        require_enough("H-01", packs, self.seats, self.hand_size, jokers=jokers)
        self._deck = packs_of_cards(packs, jokers=jokers)  # H-01

    def deck(self) -> Sequence[int]:
        return self._deck

    # The first card

    def may_start(self, card: int) -> bool:
        # H-02; where all that is left of the cards is special, the last one starts and does nothing
        return card not in _SPECIAL or not self.pile

    def first_card(self, card: int) -> None:
        self.ace_cards = 0
        self.matches = _FITS[card]
        self.next_turn(self.left[self.dealer])  # H-03

    def shows(self, card: int, colour: int | None = None) -> None:
        super().shows(card, colour)
        self.matches = _FITS[card] if colour is None else _FITS_SUIT[colour]

    # Moves

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase is DREW:  # H-05: only the drawn card may be played then
            return [*self._fitting(self.drawn_card(seat)), PASS]
        hand = self.possible(seat) if self.hidden else self.hands[seat]
        if phase is ANSWERING:  # H-09
            return [*(lay(ace) for ace in _ACES if hand[ace]), TAKE]
        moves = self._fitting(hand)
        if phase is PLAYING or not self._can_cover(seat):
            moves.append(DRAW)  # H-05, G-02
        return moves

    def _fitting(self, hand: Sequence[int]) -> list[Move]:
        moves = [way for card in self.matches if hand[card] for way in _WAYS[card]]  # H-04
        return moves + _WAYS[JOKER] if hand[JOKER] else moves  # H-01

    def _can_cover(self, seat: int) -> bool:
        """H-08: whether the table knows of a card in that hand that has to cover the 10."""
        hand = self.hands[seat]
        return hand[JOKER] > 0 or any(hand[card] for card in self.matches)

    def lays(self, seat: int, move: Move) -> None:
        card = self.lay(seat, move)
        rank = rank_of(card)
        after = self.following[seat]
        self.phase = PLAYING
        self.colour, self.matches = _SUIT_OF[card], _FITS[card]
        if not self.sizes[seat] and rank is not TEN:  # H-08: a bare 10 must be covered
            self.goes_out(seat)
        if card == JOKER or rank is EIGHT:
            self._asks_for(move)
        elif rank is SEVEN:  # H-06
            self.skip(after)
            after = self.following[after]
        elif rank is TEN:  # H-08
            self.phase = AGAIN
            self.tell(What.AGAIN, seat)
            after = seat
        elif rank is ACE and self.sizes[seat]:  # H-09
            self.ace_cards += 2
            self.phase = ANSWERING
        elif rank is ACE:  # H-09: as the last card it ends the deal, and nobody answers it
            self.ace_cards = 0
        self.turn = after
        self.events.append(self.turn_events[after])

    def _asks_for(self, move: Move) -> None:
        """H-07: an 8 asks for a suit; H-01: so does a joker, which is an 8 of that suit then."""
        suit = move.colour
        assert suit is not None
        if move.card == JOKER:
            self.top = card_of(EIGHT, suit)
        self.colour, self.matches = suit, _FITS_SUIT[suit]

    def acts(self, seat: int, move: Move) -> None:  # noqa: ARG002 - to take is all that is left
        """H-09: who does not answer the aces takes the cards and loses the turn."""
        self.has_acted()
        self.owe(self.ace_cards, seat, "H-09")
        self.ace_cards = 0
        self.skip(seat)
        self.next_turn(self.following[seat])

    def draws_instead(self, seat: int) -> None:
        covering = self.phase is AGAIN
        super().draws_instead(seat)  # H-05
        if covering:
            self.demands[-1] = Demand(self.draws, seat, seat, 1, "H-08")

    # H-11, H-12

    def high_score_wins(self) -> bool:
        """H-12: in a single deal only its winner scores, however points are kept otherwise."""
        return bool(self.options["scoring"] == "winner" or self.options["match"] == "single")

    def round_over(self) -> None:
        if not hands_are_counted(self):
            return
        winner, target = self.round_winner, self.options["target"]
        if self.high_score_wins():
            self.add_points(winner, points_of_others(self.points, winner))
            if self.options["match"] == "single" or self.scores[winner] >= target:
                self.end_match((winner,))
            return
        for seat, points in enumerate(self.points):
            self.add_points(seat, points)
        if max(self.scores) >= target:
            self.end_match(lowest(self.scores))

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:  # noqa: ARG002, PLR0911 - one a reason
        act, card = move.act, move.card
        if self.phase is ANSWERING:
            return "H-09", ANSWER_ACE
        if self.phase is AGAIN and act in {Act.DRAW, Act.PASS}:
            return "H-08", COVER_TEN
        if act is Act.TAKE:
            return "H-09", NO_ACE
        if act is Act.PASS:
            return "H-05", reasons.DRAW_FIRST
        if act is not Act.LAY or card is None:
            return "G-06", reasons.NO_SUCH_MOVE
        if card == JOKER:
            return "H-01", reasons.NAME_SUIT
        if card in _EIGHTS:
            return "H-07", reasons.NAME_SUIT
        return ("H-04", reasons.NO_MATCH) if move == lay(card) else ("G-06", reasons.NO_SUCH_MOVE)
