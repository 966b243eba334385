"""151, with an exact draw pile. ``book.py`` states the rules; their IDs stand where each lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.language import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.dealing import deal_to
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import DRAW, PASS, Act, Move, lay, name, stand
from dispenser.rules.engine.packs import packs_of_cards, require_enough
from dispenser.rules.engine.phases import AGAIN, DREW, NAMING, PLAYING
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
    rank_of,
)
from dispenser.rules.engine.rounds import hands_are_counted
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.scoring import highest
from dispenser.rules.games.cent_cinquante_et_un.words import WORDS

_SUITS: Final = range(4)
_SUIT_OF: Final = PLAYING_CARDS.colour
_ACES: Final = all_of(ACE)
_EIGHTS: Final = all_of(EIGHT)
_ON_AN_ACE: Final = all_of(ACE, EIGHT)  # C-11

# Each card and how it can be laid (C-08: an 8 names a suit), and the same for a joker that stands for it (C-12)
_WAYS: Final = tuple(
    [lay(card, colour=suit) for suit in _SUITS] if card in _EIGHTS else [lay(card)] for card in range(JOKER)
)
_JOKER_WAYS: Final = tuple(
    [lay(JOKER, stands_for=card, colour=way.colour) for way in ways] for card, ways in enumerate(_WAYS)
)
_NAMES: Final = [name(suit) for suit in _SUITS]
_STANDS: Final = [stand(card, colour=way.colour) for card, ways in enumerate(_WAYS) for way in ways]

OUT_POINTS: Final = -10
"""What going out counts (C-15)."""

# C-15, but for the joker
_POINTS: Final = {ACE: 11, EIGHT: 32, JACK: 10, QUEEN: 10, KING: 10}
POINT_VALUES: Final = tuple(_POINTS.get(rank_of(card), rank_of(card) + 1) for card in range(JOKER))

SAY_WHICH: Final = Text("say which card the joker stands for, one that fits; with an 8, the suit too")
PILE_FROZEN: Final = Text("the ace freezes the pile: only an ace, an 8 or a joker as one of them goes on it")
FIRST_TURN: Final = Text("nobody goes out in the first turn that they play")
PLAY_OR_PASS: Final = Text("after a queen, play a card that fits or pass; nothing is drawn")
SUIT_IN_FORCE: Final = Text("the joker on top has no suit of its own: give the suit that is in force")
NO_JOKER_UP: Final = Text("no joker was turned up")
_OUT_OF_PLACE: Final = {
    Act.PASS: ("C-13", reasons.DRAW_FIRST),
    Act.DRAW: ("C-10", PLAY_OR_PASS),
    Act.STAND: ("C-12", NO_JOKER_UP),
}


class CentCinquanteEtUn(Rules):
    """151.

    :ivar fresh: seats that have not finished a turn in this deal (C-10). One lost to a 2 is none; drawing is one.
    """

    game_id = "151"
    words = WORDS
    cards = PLAYING_CARDS
    hand_size = 5  # C-03
    highest_deals = False  # C-02
    deal_passes = True  # C-02
    turn_rule = "C-05"
    draw_rule = "C-13"
    first_card_rule = "C-04"
    end_rule = "C-15"
    points_rule = "C-15"
    forgotten = ("C-14", 1)
    own_sets = ("fresh",)
    __slots__ = (*own_sets, "_deck", "_fits", "_fits_suit", "_values")

    def prepare(self) -> None:
        self.fresh: set[int] = set()
        packs = self.options["packs"] or (1 if self.seats <= 6 else 2)
        require_enough("C-01", packs, self.seats, self.hand_size, jokers=True)
        self._deck = packs_of_cards(packs, jokers=True)  # C-01
        self._values = (*POINT_VALUES, self.options["joker-points"])
        self._fits, self._fits_suit = _what_fits(eight_anywhere=self.options["eight-anywhere"])

    def deck(self) -> Sequence[int]:
        return self._deck

    def values(self) -> Sequence[int]:
        return self._values

    # The deal and the first card

    def deal(self) -> None:
        """C-03: one card at a time, beginning on the dealer's left."""
        for _ in range(self.hand_size):
            seat = self.dealer
            for _ in range(self.seats):
                seat = self.left[seat]
                deal_to(self, seat, 1)

    def first_card(self, card: int) -> None:
        """C-04: as if the dealer had played it."""
        self.fresh = set(range(self.seats))
        if card == JOKER or rank_of(card) is EIGHT:
            self.turn, self.phase = self.dealer, NAMING  # C-08, C-12
        else:
            self._takes_effect(self.dealer, card)

    def check_top(self, card: int) -> None:
        if card == JOKER:
            raise IllegalMove("C-12", SUIT_IN_FORCE)

    def shows(self, card: int, colour: int | None = None) -> None:
        super().shows(card, colour)
        self.matches = self._fits[card] if colour is None else self._fits_suit[colour]

    # Moves

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase is NAMING:
            return _STANDS[:] if self.top == JOKER else _NAMES[:]
        moves = self._cards_that_fit(seat)
        moves.append(DRAW if phase is PLAYING else PASS)  # C-10, C-13
        return moves

    def _cards_that_fit(self, seat: int) -> list[Move]:
        if self._would_go_out_too_soon(seat):
            return []
        hand: Sequence[int] = self.hands[seat]
        if self.phase is DREW:  # C-13: only the drawn card may be played then
            hand = self.drawn_card(seat)
        elif self.hidden:
            hand = self.possible(seat)
        moves = [way for card in self.matches if hand[card] for way in _WAYS[card]]  # C-05
        if hand[JOKER]:
            moves += [way for card in self.matches for way in _JOKER_WAYS[card]]  # C-12
        return moves

    def _would_go_out_too_soon(self, seat: int) -> bool:
        """C-10: nobody may go out in the very first turn they play."""
        return self.sizes[seat] == 1 and seat in self.fresh

    def lays(self, seat: int, move: Move) -> None:
        under = self.top
        card = self.lay(seat, move)
        if not self.sizes[seat]:  # the deal is over at once, whatever the last card would do
            self.phase = PLAYING
            self.goes_out(seat)
            return
        if move.stands_for is not None:  # C-12
            card = self.top = move.stands_for
        if rank_of(card) is EIGHT and rank_of(under) is ACE:  # C-11
            self.tell(What.THAWED, seat)
        self._takes_effect(seat, card, move.colour)
        if self.phase is not AGAIN:
            self.fresh.discard(seat)

    def _takes_effect(self, seat: int, card: int, suit: int | None = None) -> None:
        """What ``card`` does on top of the talon, laid by ``seat`` or turned up by the dealer, and who plays then."""
        rank = rank_of(card)
        after = self.following[seat]
        self.phase = PLAYING
        self.colour, self.matches = _SUIT_OF[card], self._fits[card]
        if rank is TWO:  # C-06
            self.owe(2, after, "C-06")
            self.skip(after)
            after = self.following[after]
        elif rank is SIX:  # C-07
            after = (seat + self.direction * (self.seats // 2)) % self.seats
        elif rank is EIGHT and suit is not None:  # C-08
            self.colour, self.matches = suit, self._fits_suit[suit]
        elif rank is TEN:  # C-09
            self.reverse()
            after = self.following[seat]
        elif rank is QUEEN:  # C-10
            self.phase = AGAIN
            self.tell(What.AGAIN, seat)
            after = seat
        elif rank is ACE:  # C-11
            self.tell(What.FROZE, seat)
        self.turn = after
        self.events.append(self.turn_events[after])

    def acts(self, seat: int, move: Move) -> None:
        """C-04: the dealer says what the card turned up stands for (C-12), or asks for (C-08)."""
        if move.stands_for is not None:
            self.top = move.stands_for
            self.tell(What.STOOD, seat, move=move)
        else:
            self.tell(What.NAMED, seat, colour=move.colour)
        self._takes_effect(seat, self.top, move.colour)

    def passes(self, seat: int) -> None:
        self.fresh.discard(seat)
        super().passes(seat)

    # C-15, C-16

    def high_score_wins(self) -> bool:
        return False

    def round_over(self) -> None:
        if not hands_are_counted(self):
            return
        for seat, points in enumerate(self.points):
            self.add_points(seat, OUT_POINTS if seat == self.round_winner else points)
        if max(self.scores) >= self.options["limit"]:
            self.end_match((), losers=highest(self.scores))

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:  # noqa: PLR0911 - one a reason
        act, card = move.act, move.card
        if self.phase is NAMING:
            return ("C-12", SAY_WHICH) if self.top == JOKER else ("C-08", reasons.NAME_SUIT)
        if act in _OUT_OF_PLACE:
            return _OUT_OF_PLACE[act]
        if act is not Act.LAY or card is None:
            return "G-06", reasons.NO_SUCH_MOVE
        if self._would_go_out_too_soon(seat):
            return "C-10", FIRST_TURN
        if card in self.matches:  # an 8: any other would do as it is
            return "C-08", reasons.NAME_SUIT
        if self.top in _ACES:
            return "C-11", PILE_FROZEN
        return ("C-12", SAY_WHICH) if card == JOKER else ("C-05", reasons.NO_MATCH)


def _what_fits(*, eight_anywhere: bool) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """What goes on each card, and on an 8 that names each suit (C-05, C-08, C-11)."""

    def with_eights(kinds: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted({*kinds, *_EIGHTS}))

    fits = [
        _ON_AN_ACE if card in _ACES else with_eights(kinds) if eight_anywhere else kinds
        for card, kinds in enumerate(PLAYING_CARDS.matches[:JOKER])
    ]
    return fits, [with_eights(kinds) for kinds in PLAYING_CARDS.of_colour]
