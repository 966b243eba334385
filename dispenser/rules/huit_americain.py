"""Huit américain, with an exact draw pile. ``book/huit_americain.py`` states the rules; their IDs stand where each
lives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.rules import events, reasons
from dispenser.rules.book.entry import Text
from dispenser.rules.cards import ACE, EIGHT, JACK, JOKER, PLAYING_CARDS, SEVEN, SYMBOLS, TEN
from dispenser.rules.game import Game
from dispenser.rules.moves import DRAW, KIND_SHIFT, PASS, PLAY, TAKE, Move, play
from dispenser.rules.packs import packs_of_cards, require_enough
from dispenser.rules.scoring import points_to_winner
from dispenser.rules.state import AGAIN, ANSWERING, DREW, PLAYING, Demand

_SUITS: Final = range(4)
_SUIT: Final = PLAYING_CARDS.colour
_SYMBOL: Final = PLAYING_CARDS.symbol
_ACES: Final = tuple(suit * SYMBOLS + ACE for suit in _SUITS)
_EIGHTS: Final = frozenset(suit * SYMBOLS + EIGHT for suit in _SUITS)

# H-02; H-01: a joker is an 8
_SPECIAL: Final = (*(symbol in {ACE, SEVEN, EIGHT, TEN} for symbol in _SYMBOL[:JOKER]), True)

# H-04, for each card on top; a joker that had to be the first of the talon has no suit, and everything goes on it
_FITS: Final = (*(tuple(sorted({*kinds, *_EIGHTS})) for kinds in PLAYING_CARDS.matches[:JOKER]), tuple(range(JOKER)))
_FITS_SUIT: Final = tuple(tuple(sorted({*kinds, *_EIGHTS})) for kinds in PLAYING_CARDS.of_colour)

# Each card and how it can be laid. H-07: an 8 names any suit, its own and the one in force too
_WAYS: Final = tuple(
    [play(card, suit) for suit in _SUITS] if card in _EIGHTS or card == JOKER else [card] for card in range(JOKER + 1)
)

# H-11
_SYMBOL_POINTS: Final[dict[int, int]] = {EIGHT: 50, SEVEN: 25, TEN: 25, ACE: 25}
POINT_VALUES: Final = (*(_SYMBOL_POINTS.get(symbol, 5 + 5 * (symbol >= JACK)) for symbol in _SYMBOL[:JOKER]), 50)

ANSWER_ACE: Final = Text(
    "the ace first: lay an ace or take the cards", "d’abord l’as\u00a0: pose un as ou prends les cartes"
)
NO_ACE: Final = Text("there is no ace to answer", "il n’y a pas d’as auquel répondre")
COVER_TEN: Final = Text(
    "the 10 must be covered: play a card that fits; only who has none draws",
    "il faut couvrir le 10\u00a0: joue une carte qui convient\u00a0; on ne pioche que si l’on n’en a pas",
)
NAME_SUIT: Final = Text("say which suit you ask for", "dis quelle couleur tu demandes")
_OUT_OF_PLACE: Final = {TAKE: ("H-09", NO_ACE), PASS: ("H-05", reasons.DRAW_FIRST)}


class HuitAmericain(Game):
    """Huit américain."""

    game_id = "huit-americain"
    cards = PLAYING_CARDS
    hand_size = 8  # H-02
    point_values = POINT_VALUES
    under_pile = True  # H-02
    deal_passes = True
    turn_rule = "H-03"
    draw_rule = "H-05"
    first_card_rule = "H-02"
    points_rule = "H-11"
    forgotten = ("H-10", 2)
    own_scalars = ("ace_cards",)
    __slots__ = (*own_scalars, "_deck")

    def prepare(self) -> None:
        self.ace_cards = 0
        """What the aces laid one after the other have come to (H-09)."""
        packs, jokers = self.options["packs"], self.options["jokers"]
        require_enough("H-01", packs, self.seats, self.hand_size, jokers=jokers)
        self._deck = packs_of_cards(packs, jokers=jokers)  # H-01

    def deck(self) -> Sequence[int]:
        return self._deck

    # The first card

    def may_start(self, card: int) -> bool:
        # H-02; where all that is left of the cards is special, the last one starts and does nothing
        return not _SPECIAL[card] or not self.pile

    def first_card(self, card: int) -> None:
        self.matches = _FITS[card]
        self.next_turn(self.left[self.dealer])  # H-03

    # Moves

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase == DREW:
            moves = self._drawn_ways(seat)
        else:
            hand = self.hands[seat] if not self.hidden else self.possible(seat)
            if phase == ANSWERING:  # H-09
                moves = [ace for ace in _ACES if hand[ace]]
                moves.append(TAKE)
            else:
                moves = [way for card in self.matches if hand[card] for way in _WAYS[card]]  # H-04
                if hand[JOKER]:
                    moves += _WAYS[JOKER]  # H-01
                if phase == PLAYING or not self._can_cover(seat):
                    moves.append(DRAW)  # H-05, G-02
        return moves

    def _can_cover(self, seat: int) -> bool:
        """H-08: whether the table knows of a card in that hand that has to cover the 10."""
        hand = self.hands[seat]
        return hand[JOKER] > 0 or any(hand[card] for card in self.matches)

    def _drawn_ways(self, seat: int) -> list[Move]:
        """H-05: only the drawn card may be played then."""
        card, hand = self.drawn, self.hands[seat]
        if card != self.unknown:
            return [*_WAYS[card], PASS] if hand[card] else [PASS]
        here = self.unseen() if hand[card] else hand
        return [*(way for kind in (*self.matches, JOKER) if here[kind] > 0 for way in _WAYS[kind]), PASS]

    def carry_out(self, seat: int, move: Move) -> None:
        kind = move >> KIND_SHIFT << KIND_SHIFT
        if kind == PLAY:
            self.exposed = 0
            self._lay(seat, move)
        elif kind == DRAW:
            self._draw(seat)
        elif kind == PASS:
            self._pass(seat)
        elif kind == TAKE:  # H-09
            self.exposed = 0
            self.calling = -1
            self.owe(self.ace_cards, seat, "H-09")
            self.ace_cards = 0
            self.skip(seat)
            self.next_turn(self.following[seat])
        else:
            self.speak_up(seat, move)

    def _lay(self, seat: int, move: Move) -> None:
        card = move & 255
        self.events.append((events.PLAYED, seat, move))
        out_before = self.going_out
        self.lay(seat, card)
        after = self.following[seat]
        self.phase = PLAYING
        self.colour = _SUIT[card]
        self.matches = _FITS[card]
        if _SPECIAL[card]:
            if out_before >= 0:
                self.going_out = out_before  # H-12: who went out first has won, even if the answer was a last card too
            after = self._act(seat, card, (move >> 8) - 1, after)
        self.turn = after
        self.events.append(self.turn_events[after])
        if self.going_out >= 0:
            self.settle()

    def _act(self, seat: int, card: int, suit: int, after: int) -> int:
        """What a special card does; returns whose turn it is then."""
        symbol = _SYMBOL[card]
        if symbol == SEVEN:  # H-06
            self.skip(after)
            return self.following[after]
        if symbol == TEN:  # H-08
            self.phase = AGAIN
            if self.going_out == seat:
                self.going_out = -1  # a bare 10 does not end the deal
            self.events.append((events.AGAIN, seat, -1))
            return seat
        if symbol == ACE:  # H-09
            return self._ace(after)
        if card == JOKER:
            self.top = suit * SYMBOLS + EIGHT  # H-01
        self.colour = suit  # H-07
        self.matches = _FITS_SUIT[suit]
        return after

    def _ace(self, after: int) -> int:
        """H-09, as U-19: a last card that is an ace is still answered, or drawn for, before the hands are counted.

        Who has gone out draws no more: aces that come round to that seat end there.
        """
        if after == self.going_out:
            self.ace_cards = 0
        else:
            self.ace_cards += 2
            self.phase = ANSWERING
        return after

    def _draw(self, seat: int) -> None:
        self.exposed = 0
        self.calling = -1
        if self.phase == AGAIN:  # H-08: the 10 could not be covered
            self.demands.append(Demand(self.draw_kind, seat, seat, 1, "H-08"))
        else:  # H-05
            self.demands.append(self.draw_one[seat])
        self.phase = DREW

    def has_drawn(self) -> None:
        card = self.drawn
        if card < JOKER and card not in self.matches:
            self._pass(self.turn)

    def _pass(self, seat: int) -> None:
        self.calling = -1  # the word was for a card of this turn
        self.events.append((events.PASSED, seat, -1))
        self.next_turn(self.following[seat])

    # H-11, H-12

    def score(self) -> None:
        winner = self.round_winner
        self.add_points(winner, points_to_winner(self.points, winner)[winner])
        if self.options["match"] == "single" or self.scores[winner] >= self.options["target"]:
            self.end_match((winner,))

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:  # noqa: ARG002
        kind, card = move >> KIND_SHIFT << KIND_SHIFT, move & 255
        if self.phase == ANSWERING:
            return "H-09", ANSWER_ACE
        if self.phase == AGAIN and kind in {DRAW, PASS}:
            return "H-08", COVER_TEN
        if kind in _OUT_OF_PLACE:
            return _OUT_OF_PLACE[kind]
        if kind == PLAY and (card in _EIGHTS or card == JOKER):
            return "H-01" if card == JOKER else "H-07", NAME_SUIT
        if kind == PLAY and move == card:
            return "H-04", reasons.NO_MATCH
        return "G-06", reasons.NO_SUCH_MOVE
