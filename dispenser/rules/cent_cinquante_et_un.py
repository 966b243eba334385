"""151, with an exact draw pile. ``book/cent_cinquante_et_un.py`` states the rules; their IDs stand where each lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.rules import events, reasons
from dispenser.rules.book.entry import Text
from dispenser.rules.cards import ACE, EIGHT, JACK, JOKER, PLAYING_CARDS, QUEEN, SIX, SYMBOLS, TEN, TWO
from dispenser.rules.game import Game
from dispenser.rules.moves import (
    DRAW,
    KIND_SHIFT,
    NAME,
    PASS,
    PLAY,
    STAND,
    Move,
    first_choice,
    play,
    second_choice,
)
from dispenser.rules.packs import packs_of_cards, require_enough
from dispenser.rules.scoring import highest
from dispenser.rules.state import AGAIN, DREW, NAMING, PLAYING

_SUITS: Final = range(4)
_SUIT: Final = PLAYING_CARDS.colour
_SYMBOL: Final = PLAYING_CARDS.symbol
_ACES: Final = tuple(suit * SYMBOLS + ACE for suit in _SUITS)
_EIGHTS: Final = tuple(suit * SYMBOLS + EIGHT for suit in _SUITS)
_FROZEN: Final = tuple(sorted(_ACES + _EIGHTS))
"""C-11: what goes on an ace."""
_ACTS: Final = tuple(symbol in {ACE, TWO, SIX, EIGHT, TEN, QUEEN} for symbol in _SYMBOL[:JOKER])

# Each card and how it can be laid (C-08: an 8 names a suit), and the same for a joker that stands for it (C-12)
_WAYS: Final = tuple([play(card, suit) for suit in _SUITS] if card in _EIGHTS else [card] for card in range(JOKER))
_JOKER_WAYS: Final = tuple(
    [play(JOKER, card, suit) for suit in _SUITS] if card in _EIGHTS else [play(JOKER, card)] for card in range(JOKER)
)
_NAMES: Final = [NAME | suit for suit in _SUITS]
_STANDS: Final = [STAND | way for ways in _WAYS for way in ways]

OUT_POINTS: Final = -10
"""What going out counts (C-15)."""

# C-15, but for the joker
_SYMBOL_POINTS: Final[dict[int, int]] = {ACE: 11, EIGHT: 32}
POINT_VALUES: Final = tuple(
    _SYMBOL_POINTS.get(symbol, 10 if symbol >= JACK else symbol + 1) for symbol in _SYMBOL[:JOKER]
)

NAME_SUIT: Final = Text("say which suit you ask for", "dis quelle couleur tu demandes")
SAY_WHICH: Final = Text(
    "say which card the joker stands for, one that fits; with an 8, the suit too",
    "dis quelle carte le joker remplace, une carte qui convient\u00a0; avec un 8, la couleur aussi",
)
PILE_FROZEN: Final = Text(
    "the ace freezes the pile: only an ace, an 8 or a joker as one of them goes on it",
    "l’as gèle le talon\u00a0: on n’y pose qu’un as, un 8 ou un joker mis pour l’un des deux",
)
FIRST_TURN: Final = Text(
    "nobody goes out in the first turn that they play", "on ne finit pas au premier tour que l’on joue"
)
PLAY_OR_PASS: Final = Text(
    "after a queen, play a card that fits or pass; nothing is drawn",
    "après une dame, joue une carte qui convient ou passe\u00a0; on ne pioche pas",
)
NO_JOKER_UP: Final = Text("no joker was turned up", "aucun joker n’a été retourné")
_OUT_OF_PLACE: Final = {
    PASS: ("C-13", reasons.DRAW_FIRST),
    DRAW: ("C-10", PLAY_OR_PASS),
    STAND: ("C-12", NO_JOKER_UP),
}


class CentCinquanteEtUn(Game):
    """151."""

    game_id = "151"
    cards = PLAYING_CARDS
    hand_size = 5  # C-03
    best_deals = -1  # C-02
    deal_passes = True  # C-02
    turn_rule = "C-05"
    draw_rule = "C-13"
    first_card_rule = "C-04"
    points_rule = "C-15"
    forgotten = ("C-14", 1)
    own_scalars = ("fresh",)
    __slots__ = (*own_scalars, "_deck", "_fits", "_fits_suit", "_values")

    def prepare(self) -> None:
        self.fresh = 0
        """Bit set: seats that have not finished a turn in this deal (C-10). One lost to a 2 is none; drawing is one."""
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
                self.deal_to(seat, 1)

    def first_card(self, card: int) -> None:
        self.fresh = (1 << self.seats) - 1
        if card == JOKER or _SYMBOL[card] == EIGHT:
            self.turn, self.phase = self.dealer, NAMING  # C-04, C-08, C-12
        else:
            self._act(self.dealer, card)  # C-04

    # Moves

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase == NAMING:
            return _STANDS[:] if self.top == JOKER else _NAMES[:]
        if self.sizes[seat] == 1 and self.fresh >> seat & 1:  # C-10
            moves = []
        elif phase == DREW:
            moves = self._drawn_ways(seat)
        else:
            hand = self.hands[seat] if not self.hidden else self.possible(seat)
            matches = self.matches
            moves = [way for card in matches if hand[card] for way in _WAYS[card]]  # C-05
            if hand[JOKER]:
                moves += [way for card in matches for way in _JOKER_WAYS[card]]  # C-12
        moves.append(DRAW if phase == PLAYING else PASS)  # C-10, C-13
        return moves

    def _drawn_ways(self, seat: int) -> list[Move]:
        """C-13: only the drawn card may be played then."""
        card, hand = self.drawn, self.hands[seat]
        matches = self.matches
        if card != self.unknown:
            here = [0] * self.unknown
            here[card] = hand[card]  # none when the table has corrected the hand since
        else:
            here = self.unseen() if hand[card] else hand
        moves = [way for card in matches if here[card] > 0 for way in _WAYS[card]]
        if here[JOKER] > 0:
            moves += [way for card in matches for way in _JOKER_WAYS[card]]
        return moves

    def carry_out(self, seat: int, move: Move) -> None:
        kind = move >> KIND_SHIFT << KIND_SHIFT
        if kind == PLAY:
            self.exposed = 0
            self._lay(seat, move)
        elif kind == DRAW:  # C-13
            self.exposed = 0
            self.phase = DREW
            self.demands.append(self.draw_one[seat])
        elif kind == PASS:
            self._pass(seat)
        elif kind == NAME:  # C-04, C-08
            self.events.append((events.NAMED, seat, move & 255))
            self._act(seat, self.top, move & 255)
        elif kind == STAND:  # C-04, C-12
            self._stand(seat, move)
        else:
            self.speak_up(seat, move)

    def _lay(self, seat: int, move: Move) -> None:
        self.events.append((events.PLAYED, seat, move))
        card = move & 255
        under = self.top
        self.lay(seat, card)
        if self.going_out >= 0:  # the deal is over at once, whatever the last card would do
            self.phase = PLAYING
            self.settle()
            return
        if card < JOKER:
            suit = (move >> 8) - 1
        else:
            card, suit = first_choice(move), second_choice(move)
            self.top = card
        if _SYMBOL[card] == EIGHT and _SYMBOL[under] == ACE:  # C-11
            self.events.append((events.FROZEN, seat, 0))
        self._act(seat, card, suit)
        if self.fresh and self.phase != AGAIN:
            self.fresh &= ~(1 << seat)

    def _act(self, seat: int, card: int, suit: int = -1) -> None:
        """What ``card`` does on top of the talon, laid by ``seat`` or turned up by the dealer, and who plays then."""
        after = self.following[seat]
        self.phase = PLAYING
        self.colour = _SUIT[card]
        self.matches = self._fits[card]
        if _ACTS[card]:
            symbol = _SYMBOL[card]
            if symbol == EIGHT:  # C-08
                self.colour = suit
                self.matches = self._fits_suit[suit]
            elif symbol == TWO:  # C-06
                self.owe(2, after, "C-06")
                self.skip(after)
                after = self.following[after]
            elif symbol == SIX:  # C-07
                after = (seat + self.direction * (self.seats // 2)) % self.seats
            elif symbol == TEN:  # C-09
                self.reverse()
                after = self.following[seat]
            elif symbol == QUEEN:  # C-10
                self.phase = AGAIN
                self.events.append((events.AGAIN, seat, -1))
                after = seat
            else:  # C-11
                self.events.append((events.FROZEN, seat, 1))
        self.turn = after
        self.events.append(self.turn_events[after])

    def _stand(self, seat: int, move: Move) -> None:
        self.top = move & 255
        self.events.append((events.STOOD, seat, move))
        self._act(seat, self.top, first_choice(move))

    def has_drawn(self) -> None:
        card = self.drawn
        if card < JOKER and card not in self.matches:
            self._pass(self.turn)

    def _pass(self, seat: int) -> None:
        self.fresh &= ~(1 << seat)
        if self.calling == seat:
            self.calling = -1
        self.events.append((events.PASSED, seat, -1))
        self.next_turn(self.following[seat])

    # C-15, C-16

    def high_score_wins(self) -> bool:
        return False

    def score(self) -> None:
        for seat, points in enumerate(self.points):
            self.add_points(seat, OUT_POINTS if seat == self.round_winner else points)
        if max(self.scores) >= self.options["limit"]:
            self.end_match((), losers=highest(self.scores))

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:
        kind, card = move >> KIND_SHIFT << KIND_SHIFT, move & 255
        if self.phase == NAMING:
            return ("C-12", SAY_WHICH) if self.top == JOKER else ("C-08", NAME_SUIT)
        if kind in _OUT_OF_PLACE:
            return _OUT_OF_PLACE[kind]
        if kind != PLAY:
            return "G-06", reasons.NO_SUCH_MOVE
        if self.sizes[seat] == 1 and self.fresh >> seat & 1:
            return "C-10", FIRST_TURN
        return self._why_not_there(card)

    def _why_not_there(self, card: int) -> tuple[str, Text]:
        if card in self.matches:  # an 8: any other would do as it is
            return "C-08", NAME_SUIT
        if self.top in _ACES:
            return "C-11", PILE_FROZEN
        return ("C-12", SAY_WHICH) if card == JOKER else ("C-05", reasons.NO_MATCH)


def _what_fits(*, eight_anywhere: bool) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """What goes on each card, and on an 8 that names each suit (C-05, C-08, C-11)."""

    def with_eights(kinds: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted({*kinds, *_EIGHTS}))

    fits = [
        _FROZEN if card in _ACES else with_eights(kinds) if eight_anywhere else kinds
        for card, kinds in enumerate(PLAYING_CARDS.matches[:JOKER])
    ]
    return fits, [with_eights(kinds) for kinds in PLAYING_CARDS.of_colour]
