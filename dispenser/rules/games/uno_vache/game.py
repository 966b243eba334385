"""Uno vache, with an exact draw pile. ``book.py`` states the rules; their IDs stand where each lives.

A match is one round. Who has no card left is out and ranked at once; the others play on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dispenser.language import Text
from dispenser.rules.engine.cards import SYMBOLS
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import (
    ANNOUNCE,
    DRAW,
    RETRACT,
    TAKE,
    TO_THE_LEFT,
    TO_THE_RIGHT,
    Act,
    Move,
    cancel,
    catch_retract,
    jump_in,
    lay,
    name,
)
from dispenser.rules.engine.phases import ANSWERING, CHOOSING_DIRECTION, NAMING, PLAYING
from dispenser.rules.engine.rounds import turn_up
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.state import NO_CARD, NOBODY
from dispenser.rules.engine.uno_cards import (
    PLUS_TWO,
    REVERSE,
    SKIP,
    UNO,
    UNO_DECK,
    WHITE,
    WILD,
    WILD_FOUR,
    ZERO,
    symbol_of,
)
from dispenser.rules.games.uno.game import first_card_acts
from dispenser.rules.games.uno_vache.refusals import refusal
from dispenser.rules.games.uno_vache.words import WORDS

_COLOURS: Final = range(4)
_ANY_COLOUR: Final = tuple(range(WILD))
_LAY: Final = tuple(map(lay, range(WILD)))
_WILDS: Final = [lay(WILD, colour=colour) for colour in _COLOURS]
_WILD_FOURS: Final = [lay(WILD_FOUR, colour=colour) for colour in _COLOURS]
_NAMES: Final = [name(colour) for colour in _COLOURS]
_PLUS_TWOS: Final = tuple(colour * SYMBOLS + PLUS_TWO for colour in _COLOURS)
_PLUSES: Final = (*_PLUS_TWOS, WILD_FOUR)
_BLACK: Final = (WILD, WILD_FOUR)


class UnoVache(Rules):
    """Uno vache.

    :ivar total: what the "+" cards laid one after the other have come to; 0 when nobody has to answer any (V-09).
    :ivar first_plus: who began that chain (V-14).
    :ivar last_plus: who laid its last "+" (V-15).
    :ivar fresh: the card just laid, until the next player has acted: an identical one may jump in on it (V-11).
    :ivar unsaid: seats that got cards without saying "OU PAS" and can still be caught (V-23).
    :ivar finished: seats that are out, the first first (V-24).
    """

    game_id = "uno-vache"
    words = WORDS
    cards = UNO
    hand_size = 7  # V-02
    acts_out_of_turn = True  # V-11, V-15
    turn_rule = "V-02"
    draw_rule = "V-05"
    first_card_rule = "V-03"
    end_rule = "V-18"
    forgotten = ("V-22", 1)
    offences = {"conduct": ("V-17", 1)}  # noqa: RUF012 - read only, like every class variable here
    own_values = ("total", "first_plus", "last_plus", "fresh", "finished")
    own_sets = ("unsaid",)
    __slots__ = (*own_values, *own_sets, "_at_the_end", "_deck", "_swaps")

    def prepare(self) -> None:
        self.total = 0
        self.first_plus = self.last_plus = NOBODY
        self.fresh = NO_CARD
        self.unsaid: set[int] = set()
        self.finished: tuple[int, ...] = ()
        self._deck = (*UNO_DECK, *(WHITE,) * self.options["white"])  # V-01
        self._at_the_end = 1 if self.seats < 4 else 2 if self.seats < 6 else 3  # V-18: who still have cards
        self._swaps = [lay(WHITE, seat=one, other=other) for other in range(self.seats) for one in range(other)]  # V-16

    def deck(self) -> Sequence[int]:
        return self._deck

    # The direction and the first card

    def dealt(self) -> bool:
        self.turn, self.phase = self.dealer, CHOOSING_DIRECTION  # V-02
        return False

    def may_start(self, card: int) -> bool:
        return card != WILD_FOUR  # V-03, as U-08

    def first_card(self, card: int) -> None:
        self.shows(card)
        first_card_acts(self, card, "V-03")

    def shows(self, card: int, colour: int | None = None) -> None:
        if card != WHITE:
            super().shows(card, colour)
            return
        before = self.colour if colour is None else colour
        super().shows(card, before if before >= 0 else None)  # V-16: the colour before it stays in force
        if before < 0:  # V-03: first of all, and so any card goes on it
            self.matches = _ANY_COLOUR

    # Moves in turn

    def turn_moves(self, seat: int) -> list[Move]:
        phase = self.phase
        if phase is CHOOSING_DIRECTION:  # V-02
            return [TO_THE_LEFT, TO_THE_RIGHT]
        if phase is NAMING:  # V-03
            return _NAMES[:]
        hand = self.possible(seat) if self.hidden else self.hands[seat]
        moves = self._fitting(hand) if phase is PLAYING else self._answers(seat, hand)
        return moves + self._afterthoughts(seat) if self.unsaid else moves

    def _fitting(self, hand: Sequence[int]) -> list[Move]:
        moves = [_LAY[card] for card in self.matches if hand[card]]  # V-04, V-07, V-08
        if hand[WILD]:
            moves += _WILDS  # V-06
        if hand[WILD_FOUR]:
            moves += _WILD_FOURS
        if hand[WHITE]:
            moves += self._swaps  # V-16; like a Wild it goes on anything but a "+"
        moves.append(DRAW)  # V-05, G-02
        return moves

    def _answers(self, seat: int, hand: Sequence[int]) -> list[Move]:
        moves = [TAKE]
        if self.top != WILD_FOUR:  # V-10
            moves += [_LAY[card] for card in _PLUS_TWOS if hand[card]]  # V-09: a +2 of any colour
        if hand[WILD_FOUR]:
            moves += _WILD_FOURS
        return moves + self._cancels(seat, hand)

    def _cancels(self, seat: int, hand: Sequence[int]) -> list[Move]:
        """V-14. In a hidden hand the table vouches for it that there is no "+"."""
        card = self.card_that_cancels()
        may = hand[card] and (self.options["cancel-anyway"] or not self.is_known_to_hold_a_plus(seat))
        return [cancel(card)] if may else []

    def card_that_cancels(self) -> int:
        """V-14: the chain's colour, and its total; over 9 the sum of its digits, until that is one digit."""
        value = self.total
        while value > 9:
            value = value // 10 + value % 10
        return self.colour * SYMBOLS + value

    def is_known_to_hold_a_plus(self, seat: int) -> bool:
        """Whether the table knows of a "+" in that hand (V-14)."""
        return any(self.hands[seat][card] > 0 for card in _PLUSES)

    # Moves out of turn

    def other_moves(self, seat: int) -> list[Move]:
        if seat in self.gone:
            return []
        moves: list[Move] = []
        if self.fresh >= 0 and not self.demands:
            hand = self.possible(seat) if self.hidden else self.hands[seat]
            if hand[self.fresh]:
                moves += map(jump_in, self._ways_to_lay(self.fresh))  # V-11, also on oneself (V-12)
            if self.phase is ANSWERING:
                moves += self._cancels(seat, hand)  # V-15
            if moves and self.sizes[seat] == 2 and seat not in self.calling:
                moves.append(ANNOUNCE)  # V-22: before the last but one is laid
        if self.unsaid or self.announced:
            moves += self._afterthoughts(seat)
        return moves

    def _ways_to_lay(self, card: int) -> list[Move]:
        return [_LAY[card]] if card < WILD else {WILD: _WILDS, WILD_FOUR: _WILD_FOURS, WHITE: self._swaps}[card]

    def _afterthoughts(self, seat: int) -> list[Move]:
        """V-23: say "OU PAS", or catch who did not. As with "UNO" (G-03), who thinks of it before being caught is safe.

        Cards that are owed come later, so "OU PAS" is said before; hands that are swapped (V-13, V-16) come at once.
        """
        coming = seat in self.announced and any(demand.receiver == seat for demand in self.demands)
        moves = [RETRACT] if coming or seat in self.unsaid else []
        return moves + [catch_retract(forgetful) for forgetful in sorted(self.unsaid - {seat})]

    # What each does

    def lays(self, seat: int, move: Move) -> None:
        """In turn, or jumping in (V-11); then play goes on from ``seat``."""
        card = self._put(seat, move)
        symbol = symbol_of(card)
        # Whose hands change, and who is out
        if symbol is ZERO:
            self._hands_go_round(seat)  # V-13, V-21
        elif card == WHITE:
            self._hands_are_swapped(seat, move)  # V-16
        elif not self.sizes[seat]:
            self._last_card(seat, card)  # V-18, V-19
        # What it does to the players after, also as the last card (V-20)
        if symbol is PLUS_TWO:
            self._chain_grows(seat, 2)  # V-09
        elif card == WILD_FOUR:
            self._chain_grows(seat, 4)  # V-10
        elif symbol is REVERSE:
            self.reverse()  # V-07
        after = self.following[seat]
        between_two = symbol is REVERSE and self.playing == 2 and seat not in self.gone  # as U-12
        if symbol is SKIP or between_two:
            self.skip(after)  # V-08
            after = self.following[after]
        self._go_on(after)

    def _put(self, seat: int, move: Move) -> int:
        """The card goes on the talon; who comes next must match it, or the colour that is named (V-06, V-10)."""
        self.unsaid.clear()
        card = self.fresh = self.lay(seat, move)
        self.shows(card, move.colour)
        self.phase = PLAYING
        return card

    def _chain_grows(self, seat: int, by: int) -> None:
        """V-09, V-10: the next player adds a "+", cancels, or draws the total."""
        if not self.total:
            self.first_plus = seat
        self.total += by
        self.last_plus = seat
        self.phase = ANSWERING

    def _go_on(self, after: int) -> None:
        """``after`` is next, unless the game stops (V-18)."""
        self.turn = after
        if self.playing > self._at_the_end:
            self.events.append(self.turn_events[after])
            return
        self.phase = PLAYING
        if self.total:  # V-20: nobody answers the chain any more, the next player draws
            self.owe(self.total, after, "V-20")
            self.total = 0
        self.goes_out(self.finished[0])  # the first is the winner, once what is owed has been drawn

    def draws_instead(self, seat: int) -> None:
        """V-05: the card drawn is not played."""
        self.has_acted()
        self.demands.append(self.draw_one[seat])
        self.next_turn(self.following[seat])

    def acts(self, seat: int, move: Move) -> None:
        match move.act:
            case Act.JUMP_IN:
                self.lays(seat, move)
            case Act.CANCEL:
                self._cancel(seat, move)
            case Act.TAKE:
                self._takes(seat)
            case Act.RETRACT:  # V-23
                self.announced.discard(seat)
                self.unsaid.discard(seat)
                self.tell(What.RETRACTED, seat)
            case Act.CATCH_RETRACT:
                assert move.seat is not None
                self.unsaid.discard(move.seat)
                self.is_caught(move.seat, seat, move, "V-23", 1)
            case _:
                self._dealer_chooses(seat, move)

    def _takes(self, seat: int) -> None:
        """V-09: who adds nothing draws the total and is skipped."""
        self.has_acted()
        self.owe(self.total, seat, "V-09")
        self.total = 0
        self.skip(seat)
        self.next_turn(self.following[seat])

    def _dealer_chooses(self, dealer: int, move: Move) -> None:
        """V-02: the direction; V-03: the colour, as U-07."""
        if move.colour is not None:
            self.shows(WILD, move.colour)
            self.tell(What.NAMED, dealer, colour=move.colour)
            self.next_turn(self.following[dealer])
        elif move.direction is not None:
            self.direction = move.direction
            self.reseat()
            self.tell(What.DIRECTION_CHOSEN, dealer, direction=move.direction)
            turn_up(self)

    def _cancel(self, seat: int, move: Move) -> None:
        """V-14: who began the chain draws the total, unless out (V-18), and does not go out on that very card.

        Out of turn, play goes on after the last player who laid a "+" (V-15); in turn it was the card of that turn.
        """
        last = seat if seat == self.turn else self.last_plus
        self._put(seat, move)
        first, total, self.total = self.first_plus, self.total, 0
        if not self.sizes[seat] and seat != first:
            self._is_out(seat)
        draws = first not in self.gone
        self.tell(What.CANCELLED, seat, other=first if draws else None)
        if draws:
            self.owe(total, first, "V-14", penalty=True)  # it is not their move
        self._go_on(self.following[last])

    # Hands that change owners

    def _hands_go_round(self, layer: int) -> None:
        """V-13, V-21: everybody's hand goes to the next player, also the one that the 0 has just emptied."""
        self.tell(What.PASSED_ON)
        self._change_hands(layer, {self.following[giver]: giver for giver in self.still_in()})

    def _hands_are_swapped(self, layer: int, move: Move) -> None:
        """V-16: any two hands, the own one and those of players who are out included."""
        one, other = move.seat, move.other
        assert one is not None
        assert other is not None
        self.tell(What.SWAPPED, one, other=other)
        self._change_hands(layer, {one: other, other: one})

    def _change_hands(self, layer: int, givers: Mapping[int, int]) -> None:
        """Each taker gets the whole hand of its giver; ``layer`` has just laid a card, and had one more before."""
        had_one = {taker for taker in givers if self.sizes[taker] + (taker == layer) == 1}
        given = {taker: (self.hands[giver], self.sizes[giver]) for taker, giver in givers.items()}
        for taker, (hand, size) in given.items():
            self.hands[taker], self.sizes[taker] = hand, size
            self._must_speak(taker, spared=taker in had_one)  # V-13: who had one card and again has one
            if size and taker in self.gone:
                self._is_back(taker)
        for seat in (layer, *givers):  # V-16: an own last card comes before a hand without cards
            if not self.sizes[seat] and seat not in self.gone:
                self._is_out(seat)

    # Announcing

    def _must_speak(self, seat: int, *, spared: bool) -> None:
        """V-13: what is to be said after hands have changed owners."""
        if self.sizes[seat] == 1:
            if seat not in self.announced and not spared:
                self.exposed.add(seat)  # V-22
            return
        if seat in self.announced:
            self.unsaid.add(seat)  # V-23
        self.announced.discard(seat)
        self.exposed.discard(seat)

    def has_acted(self) -> None:
        """Too late also to catch who did not say "OU PAS" (V-23) and to jump in (V-11)."""
        super().has_acted()
        self.unsaid.clear()
        self.fresh = NO_CARD

    def has_more(self, seat: int) -> None:
        paid = bool(self.demands) and self.demands[0].receiver == seat
        if paid and seat in self.announced:
            self.unsaid.add(seat)  # V-23
        super().has_more(seat)
        if paid and self.sizes[seat] == 1 and (self.demands[0].number == 1 or not self.available()):
            self.exposed.add(seat)  # V-19: "UNO" is due, no other card comes

    # Going out and coming back

    def _last_card(self, seat: int, card: int) -> None:
        if card in _BLACK:  # V-19
            self.announced.discard(seat)
            self.owe(1, seat, "V-19")
        else:
            self._is_out(seat)

    def _is_out(self, seat: int) -> None:
        """V-18: out of the game; V-24: and ranked."""
        self.finished += (seat,)
        self.gone.add(seat)
        self.announced.discard(seat)
        self.unsaid.discard(seat)
        self.reseat()
        self.tell(What.WENT_OUT, seat, len(self.finished))

    def _is_back(self, seat: int) -> None:
        """V-16: who was out has cards again, and who went out later moves up a place."""
        self.finished = tuple(other for other in self.finished if other != seat)
        self.gone.discard(seat)
        self.reseat()
        self.tell(What.OUT_AGAIN, seat)

    # V-24

    def round_over(self) -> None:
        self.unsaid.clear()
        self.end_match(self.finished[:1])

    def ranking(self) -> tuple[int, ...]:
        """Who went out, the first first; then who still has cards, fewest cards first, ties by seat."""
        left = [seat for seat in range(self.seats) if seat not in self.finished]
        return (*self.finished, *sorted(left, key=lambda seat: self.sizes[seat]))

    # G-06

    def why_not(self, seat: int, move: Move) -> tuple[str, Text]:
        return refusal(self, seat, move)
