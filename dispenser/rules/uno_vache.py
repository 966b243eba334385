"""Uno vache, with an exact draw pile. ``book/uno_vache.py`` states the rules; their IDs stand where each lives.

A match is one round. Who has no card left is out and ranked at once; the others play on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.rules import events
from dispenser.rules.book.entry import Text
from dispenser.rules.cards import PLUS_TWO, REVERSE, SKIP, SYMBOLS, UNO, UNO_DECK, WHITE, WILD, WILD_FOUR
from dispenser.rules.game import Game
from dispenser.rules.moves import (
    CANCEL,
    CATCH_RETRACT,
    DIRECTION,
    DRAW,
    JUMP_IN,
    KIND_SHIFT,
    NAME,
    RETRACT,
    TAKE,
    Move,
    play,
)
from dispenser.rules.state import ANSWERING, CHOOSING_DIRECTION, NAMING, PLAYING
from dispenser.rules.uno_vache_refusals import refusal

_WILDS: Final = [play(WILD, colour) for colour in range(4)]
_WILD_FOURS: Final = [play(WILD_FOUR, colour) for colour in range(4)]
_NAMES: Final = [NAME | colour for colour in range(4)]
_DIRECTIONS: Final = [DIRECTION | 0, DIRECTION | 1]
_PLUS_TWOS: Final = tuple(colour * SYMBOLS + PLUS_TWO for colour in range(4))
_COLOUR: Final = UNO.colour
_SYMBOL: Final = UNO.symbol
_MATCHES: Final = UNO.matches
_OF_COLOUR: Final = UNO.of_colour
_ANY_COLOUR: Final = tuple(range(WILD))


class UnoVache(Game):
    """Uno vache."""

    game_id = "uno-vache"
    acts_out_of_turn = True  # V-11, V-15
    cards = UNO
    hand_size = 7  # V-02
    point_values = ()  # V-24
    turn_rule = "V-02"
    draw_rule = "V-05"
    first_card_rule = "V-03"
    points_rule = "V-24"
    forgotten = ("V-22", 1)
    offences = {"conduct": ("V-17", 1)}  # noqa: RUF012 - read only, like every class variable here
    own_scalars = ("total", "first_plus", "last_plus", "fresh", "unsaid", "finished")
    __slots__ = (*own_scalars, "_deck", "_fewest", "_swaps")

    def prepare(self) -> None:
        self.total = 0
        """Cards that the chain of "+" has come to; 0 when there is none (V-09)."""
        self.first_plus = self.last_plus = -1
        """Who began that chain, and who laid its last "+"."""
        self.fresh = -1
        """The card just laid, until the next player has acted; an identical one may jump in on it (V-11)."""
        self.unsaid = 0
        """Bit set: seats that did not say "OU PAS" before they got cards and can still be caught (V-23)."""
        self.finished: tuple[int, ...] = ()
        """Seats that are out, the first first (V-24)."""
        self._deck = (*UNO_DECK, *(WHITE,) * self.options["white"])  # V-01
        self._fewest = 1 if self.seats < 4 else 2 if self.seats < 6 else 3  # V-18
        self._swaps = [play(WHITE, one, other) for other in range(self.seats) for one in range(other)]  # V-16

    def deck(self) -> Sequence[int]:
        return self._deck

    # The first card

    def dealt(self) -> None:
        self.turn, self.phase = self.dealer, CHOOSING_DIRECTION  # V-02

    def may_start(self, card: int) -> bool:
        return card != WILD_FOUR  # V-03, as U-08

    def first_card(self, card: int) -> None:
        """V-03: as U-04 to U-07, where "left" is the next seat in the direction that the dealer has chosen."""
        first = self.following[self.dealer]
        if card == WILD:
            self.turn, self.phase = self.dealer, NAMING
            return
        if card == WHITE:  # it has no colour, so any card goes on it
            self.matches = _ANY_COLOUR
        symbol = _SYMBOL[card]
        if symbol == PLUS_TWO:
            self.owe(2, first, "V-03")
            self.skip(first)
            first = self.following[first]
        elif symbol == SKIP:
            self.skip(first)
            first = self.following[first]
        elif symbol == REVERSE:
            self.reverse()
            first = self.following[self.dealer]
        self.next_turn(first)

    # Moves

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase == PLAYING:
            hand = self.hands[seat] if not self.hidden else self.possible(seat)
            moves = [card for card in self.matches if hand[card]]  # V-04, V-07, V-08
            if hand[WILD]:
                moves += _WILDS  # V-06
            if hand[WILD_FOUR]:
                moves += _WILD_FOURS
            if hand[WHITE]:
                moves += self._swaps  # V-16; like a Wild it goes on anything but a "+"
            moves.append(DRAW)  # V-05, G-02
        elif phase == ANSWERING:
            moves = self._answers(seat)
        else:
            return _DIRECTIONS[:] if phase == CHOOSING_DIRECTION else _NAMES[:]
        return moves + self._afterthoughts(seat) if self.unsaid else moves

    def _answers(self, seat: int) -> list[Move]:
        hand = self.hands[seat] if not self.hidden else self.possible(seat)
        moves = [TAKE]
        if self.top != WILD_FOUR:  # V-10
            moves += [card for card in _PLUS_TWOS if hand[card]]  # V-09: a +2 of any colour
        if hand[WILD_FOUR]:
            moves += _WILD_FOURS
        if hand[self._cancel_card()]:
            moves.append(CANCEL | self._cancel_card())
        return moves

    def _cancel_card(self) -> int:
        """V-14: the chain's colour, and the total; over 9 the sum of its digits, until that is one digit."""
        return self.colour * SYMBOLS + 1 + (self.total - 1) % 9

    def other_moves(self, seat: int) -> list[Move]:
        """V-11: jump in, also on oneself (V-12); V-15: cancel out of turn; V-23: say "OU PAS", or catch who did not."""
        if self.gone >> seat & 1:
            return []
        moves: list[Move] = []
        if self.fresh >= 0 and not self.demands:
            hand = self.hands[seat] if not self.hidden else self.possible(seat)
            if hand[self.fresh]:
                moves += self._jumps()
            if self.phase == ANSWERING and hand[self._cancel_card()]:
                moves.append(CANCEL | self._cancel_card())
        if self.unsaid or self.announced:
            moves += self._afterthoughts(seat)
        return moves

    def _jumps(self) -> list[Move]:
        card = self.fresh
        if card < WILD:
            return [JUMP_IN | card]
        return [JUMP_IN | move for move in (_WILDS if card == WILD else _WILD_FOURS if card < WHITE else self._swaps)]

    def _afterthoughts(self, seat: int) -> list[Move]:
        """V-23. As with "UNO" (G-03), who thinks of it before being caught is safe.

        Cards that are owed come later, so "OU PAS" is said before; hands that are swapped (V-13, V-16) come at once.
        """
        coming = self.announced >> seat & 1 and any(demand.receiver == seat for demand in self.demands)
        moves = [RETRACT] if coming or self.unsaid >> seat & 1 else []
        return moves + [CATCH_RETRACT | one for one in range(self.seats) if self.unsaid >> one & 1 and one != seat]

    def carry_out(self, seat: int, move: Move) -> None:
        if move < CANCEL:  # PLAY, JUMP_IN: play goes on from who laid the card (V-11)
            self._lay(seat, move)
            return
        kind = move >> KIND_SHIFT << KIND_SHIFT
        if kind == DRAW:  # V-05: the card drawn is not played
            self._has_acted()
            self.demands.append(self.draw_one[seat])
            self.next_turn(self.following[seat])
        elif kind == CANCEL:
            self._cancel(seat, move)
        elif kind == TAKE:
            self._has_acted()
            self.owe(self.total, seat, "V-09")
            self.total = 0
            self.skip(seat)
            self.next_turn(self.following[seat])
        elif kind == DIRECTION:  # V-02
            if move & 255:
                self.reverse()
            self.turn_up()
        elif kind == NAME:  # V-03, as U-07
            self.colour = move & 255
            self.matches = _OF_COLOUR[self.colour]
            self.events.append((events.NAMED, seat, self.colour))
            self.next_turn(self.following[self.dealer])
        elif kind == RETRACT:
            self.announced &= ~(1 << seat)
            self.unsaid &= ~(1 << seat)
            self.events.append((events.RETRACTED, seat, -1))
        elif kind == CATCH_RETRACT:
            forgetful = move & 255
            self.unsaid &= ~(1 << forgetful)
            self.events.append((events.CAUGHT, forgetful, seat))
            self.owe(1, forgetful, "V-23", penalty=True)
        else:
            self.speak_up(seat, move)

    def _has_acted(self) -> None:
        """The next player has acted: too late to catch anybody (G-03, V-23) or to jump in (V-11)."""
        self.exposed = self.unsaid = 0
        self.fresh = self.calling = -1

    def _put(self, seat: int, move: Move) -> None:
        """A card goes on the talon."""
        card = move & 255
        self.exposed = self.unsaid = 0
        self.events.append((events.PLAYED, seat, move))
        self.lay(seat, card)
        self.calling = -1  # somebody in turn may have said it already when another seat jumps in
        self.fresh = card
        self.phase = PLAYING
        if card < WILD:
            self.colour = _COLOUR[card]
            self.matches = _MATCHES[card]
        elif card < WHITE:  # V-06, V-10
            self.colour = (move >> 8 & 255) - 1
            self.matches = _OF_COLOUR[self.colour]
        elif self.colour >= 0:  # V-16: the colour before it stays in force
            self.matches = _OF_COLOUR[self.colour]

    def _lay(self, seat: int, move: Move) -> None:
        self._put(seat, move)
        card = move & 255
        symbol = _SYMBOL[card]
        if symbol == 0:
            self._hands_go_round(seat)  # also a last card is no way out (V-21)
        elif card == WHITE:
            self._swap(seat, (move >> 8 & 255) - 1, (move >> 16 & 255) - 1)
        elif not self.sizes[seat]:
            self._last_card(seat, card)
        if symbol < PLUS_TWO and card != WILD_FOUR:
            self._go_on(self.following[seat])
        else:
            self._act(seat, symbol)

    def _act(self, seat: int, symbol: int) -> None:
        """What a symbol does to the players after, also when it was a last card (V-20)."""
        after = self.following[seat]
        if symbol == SKIP:  # V-08
            self.skip(after)
            after = self.following[after]
        elif symbol == REVERSE:  # V-07
            self.reverse()
            if self.playing == 2 and not self.gone >> seat & 1:  # as U-12
                self.skip(after)
                after = seat
            else:
                after = self.following[seat]
        else:  # V-09, V-10
            if not self.total:
                self.first_plus = seat
            self.total += 2 if symbol == PLUS_TWO else 4
            self.last_plus = seat
            self.phase = ANSWERING
        self._go_on(after)

    def _go_on(self, after: int) -> None:
        """``after`` is next, unless the game stops."""
        self.turn = after
        if self.playing <= self._fewest:
            self._stop(after)
        else:
            self.events.append(self.turn_events[after])

    def _cancel(self, seat: int, move: Move) -> None:
        """V-14: who began the chain draws the total, unless out (V-18), and does not go out on that very card.

        Out of turn, play goes on after the last player who laid a "+" (V-15); in turn it was the card of that turn.
        """
        last = seat if seat == self.turn else self.last_plus
        self._put(seat, move)
        total, first, self.total = self.total, self.first_plus, 0
        if not self.sizes[seat] and seat != first:
            self._goes_out(seat)
        draws = -1 if self.gone >> first & 1 else first
        self.events.append((events.CANCELLED, seat, draws))
        if draws >= 0:
            self.owe(total, draws, "V-14", penalty=True)  # it is not their move
        self._go_on(self.following[last])

    # Hands that change owners

    def _hands_go_round(self, seat: int) -> None:
        """V-13, V-21: the hand just emptied goes round with the others."""
        self.events.append((events.PASSED_ON, -1, -1))
        givers = [giver for giver in range(self.seats) if not self.gone >> giver & 1]
        self._change_hands(seat, [(self.following[giver], giver) for giver in givers])

    def _swap(self, seat: int, one: int, other: int) -> None:
        """V-16."""
        self.events.append((events.SWAPPED, one, other))
        self._change_hands(seat, [(one, other), (other, one)])

    def _change_hands(self, layer: int, changes: Sequence[tuple[int, int]]) -> None:
        """Each first seat gets the hand of the second; ``layer`` has just laid a card.

        Announcements are due after that, save for a seat that has one card and had one before the card was laid (V-13).
        """
        given = [(taker, self.hands[giver], self.sizes[giver]) for taker, giver in changes]
        for seat, hand, size in given:
            bit = 1 << seat
            had = self.sizes[seat] + (seat == layer)
            self.hands[seat], self.sizes[seat] = hand, size
            if size != 1:
                if self.announced & bit:
                    self.unsaid |= bit  # V-23
                self.announced &= ~bit
                self.exposed &= ~bit
            elif had != 1 and not self.announced & bit:
                self.exposed |= bit  # V-22
            if size and self.gone & bit:  # V-16
                self.gone &= ~bit
                self.finished = tuple(other for other in self.finished if other != seat)
                self.events.append((events.OUT_AGAIN, seat, -1))
        for seat in (layer, *(taker for taker, _ in changes)):  # V-16: an own last card comes before an empty hand
            if not self.sizes[seat] and not self.gone >> seat & 1:
                self._goes_out(seat)

    # Announcing

    def has_few(self, seat: int) -> None:
        super().has_few(seat)
        self.going_out = -1  # an empty hand can still get cards; see _last_card

    def has_more(self, seat: int) -> None:
        paid = bool(self.demands) and self.demands[0].receiver == seat
        if paid and self.announced >> seat & 1:
            self.unsaid |= 1 << seat  # V-23
        super().has_more(seat)
        if paid and self.sizes[seat] == 1 and (self.demands[0].number == 1 or not self.available()):
            self.exposed |= 1 << seat  # V-19: "UNO" is due, no other card comes

    # Going out

    def _last_card(self, seat: int, card: int) -> None:
        if card in {WILD, WILD_FOUR}:  # V-19
            self.announced &= ~(1 << seat)
            self.owe(1, seat, "V-19")
        else:
            self._goes_out(seat)

    def _goes_out(self, seat: int) -> None:
        """V-18: out of the game; V-24: and ranked."""
        self.finished += (seat,)
        self.gone |= 1 << seat
        self.announced &= ~self.gone
        self.unsaid &= ~self.gone
        self.reseat()
        self.events.append((events.WENT_OUT, seat, len(self.finished)))

    def _stop(self, after: int) -> None:
        """V-18: few enough are left. A chain that is open is not answered any more: the next player draws (V-20)."""
        self.phase = PLAYING
        if self.total:
            self.owe(self.total, after, "V-20")
            self.total = 0
        self.going_out = self.finished[0]  # the first is the winner, once what is owed has been drawn
        self.settle()

    def count_hands(self) -> None:
        """V-24: nobody counts points."""
        self.points = [0] * self.seats
        self.score()

    def score(self) -> None:
        self.unsaid = 0
        self.end_match(self.finished[:1])

    def ranking(self) -> tuple[int, ...]:
        """V-24: who went out, the first first; then who still has cards, fewest cards first, ties by seat."""
        left = [seat for seat in range(self.seats) if seat not in self.finished]
        return (*self.finished, *sorted(left, key=lambda seat: self.sizes[seat]))

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:
        return refusal(move, phase=self.phase, in_turn=seat == self.turn, fresh=self.fresh)
