"""Uno vache, with an exact draw pile. ``book.py`` states the rules; their IDs stand where each lives.

A match is one round. A player without cards is out and ranked at once; the others play on. Hand and moves work as in
every game (``engine/rules.py``): cards that fit may be laid; a player who lays none draws one (V-05, G-02).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dispenser.rules.engine import reasons
from dispenser.rules.engine.cards import SYMBOLS
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import (
    ANNOUNCE,
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
)
from dispenser.rules.engine.phases import ANSWERING, CHOOSING_DIRECTION, NAMING, PLAYING
from dispenser.rules.engine.rounds import turn_up
from dispenser.rules.engine.rules import Reason, Rules
from dispenser.rules.engine.state import NO_CARD, NO_COLOUR, NOBODY
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
from dispenser.rules.games.uno_vache import refusals
from dispenser.rules.games.uno_vache.words import BLACK_LAST, CANCELLED, FOUR, OU_PAS, TWO, WORDS

PLUSES: Final = (*UNO.all_of(PLUS_TWO), WILD_FOUR)
BLACK: Final = (WILD, WILD_FOUR)


class UnoVache(Rules):
    """Uno vache.

    :ivar total: cards to draw for the chain of "+"; 0 without a chain (V-09).
    :ivar first_plus: the seat that began the chain (V-14).
    :ivar last_plus: the seat that laid its last "+" (V-15).
    :ivar fresh: the card just laid, until the next player has acted: an identical one may jump in on it (V-11).
    :ivar unsaid: seats that got cards without saying "OU PAS" and can still be caught (V-23).
    :ivar finished: seats that are out, in the order of going out (V-24).
    """

    game_id = "uno-vache"
    words = WORDS
    cards = UNO
    hand_size = 7  # V-02
    plays_drawn = False  # V-05
    name_colour = BLACK  # V-06, V-09
    acts_out_of_turn = True  # V-11, V-15
    turn_rule = "V-02"
    draw_rule = "V-05"
    first_card_rule = "V-03"
    end_rule = "V-18"
    out_rule = "V-18"
    forgotten = ("V-22", 1)
    offences = {"conduct": ("V-17", 1)}
    brings = (TWO, FOUR, CANCELLED, BLACK_LAST, OU_PAS)
    comes_first = {
        CHOOSING_DIRECTION: ("V-02", refusals.CHOOSE_DIRECTION),
        NAMING: ("V-03", reasons.NAME_FIRST),
    }
    out_of_place = {Act.CANCEL: ("V-14", refusals.NO_CHAIN), Act.TAKE: ("V-09", refusals.NO_CHAIN)}
    fit_rules = {REVERSE: "V-07", SKIP: "V-08"}
    own = ("total", "first_plus", "last_plus", "fresh", "finished", "unsaid")
    __slots__ = (*own, "_at_the_end")

    def prepare(self) -> None:
        self.total = 0
        self.first_plus = self.last_plus = NOBODY
        self.fresh = NO_CARD
        self.unsaid: set[int] = set()
        self.finished: tuple[int, ...] = ()
        self._at_the_end = 1 if self.seats < 4 else 2 if self.seats < 6 else 3  # V-18: seats that still have cards
        # V-16: a white card names any two hands
        self.ways[0][WHITE] = [lay(WHITE, seat=one, other=other) for other in range(self.seats) for one in range(other)]

    # V-01 to V-03: the cards, the direction, the first card

    def deck(self) -> Sequence[int]:
        return (*UNO_DECK, *(WHITE,) * self.options["white"])  # V-01

    def dealt(self) -> bool:
        self.turn, self.phase = self.dealer, CHOOSING_DIRECTION  # V-02
        return False

    def _chooses_direction(self, direction: int) -> None:
        """V-02: set the direction that the dealer chooses, then turn up a card."""
        self.direction = direction
        self.reseat()
        self.emit(What.DIRECTION_CHOSEN, self.dealer, direction=direction)
        turn_up(self)

    def may_start(self, card: int) -> bool:
        return card != WILD_FOUR  # V-03, as U-08

    def first_card(self, card: int) -> None:
        first_card_acts(self, card, TWO.number, "V-03")

    def names(self, seat: int, colour: int) -> None:
        super().names(seat, colour)  # V-03, as U-07
        self.next_turn(self.following[seat])

    # V-04, V-05: a turn

    def asked(self, seat: int) -> list[Move]:
        if self.phase is CHOOSING_DIRECTION:  # V-02
            return [TO_THE_LEFT, TO_THE_RIGHT]
        return self._answers(seat) if self.phase is ANSWERING else super().asked(seat)  # V-09; V-03

    def moves_of(self, seat: int) -> list[Move]:
        moves = super().moves_of(seat)
        return moves + self._ou_pas(seat) if self.announced or self.unsaid else moves  # V-23

    def lays(self, seat: int, move: Move) -> None:
        """Lay a card in turn, or jump in (V-11), after which play goes on from ``seat``."""
        card = self._put(seat, move)
        symbol = symbol_of(card)
        # Exchange hands, and find who is out
        if symbol == ZERO:
            self._hands_go_round(seat)  # V-13, V-21
        elif card == WHITE:
            self._hands_are_swapped(seat, move)  # V-16
        elif not self.sizes[seat]:
            self._last_card(seat, card)  # V-18, V-19
        # Effects on the next players, also of a last card (V-20)
        after = self.following[seat]
        if symbol == PLUS_TWO:
            self._chain_grows(seat, TWO.number)  # V-09
        elif card == WILD_FOUR:
            self._chain_grows(seat, FOUR.number)  # V-10
        elif symbol == REVERSE:
            after = self.reverses(seat)  # V-07, as U-12
        elif symbol == SKIP:
            after = self.misses(after)  # V-08
        self._go_on(after)

    def acts(self, seat: int, move: Move) -> None:
        if move.act is Act.JUMP_IN:  # V-11
            self.lays(seat, move)
        elif move.act is Act.CANCEL:  # V-14, V-15
            self._cancel(seat, move)
        elif move.act is Act.CATCH_RETRACT and move.seat is not None:  # V-23
            self.unsaid.discard(move.seat)
            self.is_caught(move.seat, seat, move, "V-23", OU_PAS.number)
        elif move.act is Act.RETRACT:  # V-23
            self.announced.discard(seat)
            self.unsaid.discard(seat)
            self.emit(What.RETRACTED, seat)
        elif move.direction is not None:  # V-02
            self._chooses_direction(move.direction)

    def _put(self, seat: int, move: Move) -> int:
        """Put the card on the talon; the next one must match it, or the named colour (V-06, V-10)."""
        self.unsaid.clear()
        colour = self.colour
        card = self.fresh = self.lay(seat, move)
        if card == WHITE and colour != NO_COLOUR:  # V-16: the colour before it stays in force; V-03: if there was one
            self.shows(card, colour)
        return card

    def _go_on(self, after: int) -> None:
        """Give the turn to ``after``, unless the game has stopped (V-18)."""
        if self.going_out != NOBODY and self.total:  # V-20: no answer any more, the next player draws
            self.owe(self.total, after, "V-20")
            self.total = 0
        self.next_turn(after, ANSWERING if self.total else PLAYING)

    # V-09, V-10: a chain of "+"

    def _chain_grows(self, seat: int, by: int) -> None:
        """Add to the chain: the next player adds a "+", cancels, or draws the total."""
        if not self.total:
            self.first_plus = seat
        self.total += by
        self.last_plus = seat

    def _answers(self, seat: int) -> list[Move]:
        hand, ways = self.possible(seat), self.ways[seat]
        adding = (WILD_FOUR,) if self.top == WILD_FOUR else PLUSES  # V-10; V-09: a +2 of any colour
        return [TAKE, *(way for card in adding if hand[card] for way in ways[card]), *self._cancels(seat)]

    def to_take(self) -> int:
        return self.total

    def takes(self, seat: int) -> None:
        """V-09: draw the total of the chain, and lose the turn."""
        self.has_acted()
        self.next_turn(self.owes_and_misses(self.to_take(), seat, "V-09"))
        self.total = 0

    # V-11, V-12: out of turn

    def other_moves(self, seat: int) -> list[Move]:
        if seat in self.gone:
            return []
        moves: list[Move] = []
        if not self.demands:
            moves = self._jump_ins(seat) + self._cancels(seat)  # V-11, V-12, V-15
            if moves and self.sizes[seat] == 2 and seat not in self.calling:
                moves.append(ANNOUNCE)  # V-22: before the lay
        return moves

    def _jump_ins(self, seat: int) -> list[Move]:
        """V-11: return the jump-ins of a seat that holds the card just laid, also if it laid it itself (V-12)."""
        holds_it = self.fresh != NO_CARD and self.possible(seat)[self.fresh]
        return [jump_in(way) for way in self.ways[seat][self.fresh]] if holds_it else []

    # V-14, V-15: cancelling a chain

    def _cancels(self, seat: int) -> list[Move]:
        """V-14, and V-15 out of turn. For a hidden hand, the table is trusted that it holds no "+"."""
        if self.phase is not ANSWERING:
            return []
        card = self._card_that_cancels()
        may = self.options["cancel-anyway"] or not any(self.hands[seat][plus] for plus in PLUSES)
        return [cancel(card)] if may and self.possible(seat)[card] else []

    def _card_that_cancels(self) -> int:
        """V-14: return the card of the chain's colour and total; over 9, digits are added until one is left."""
        value = self.total
        while value > 9:
            value = value // 10 + value % 10
        return self.colour * SYMBOLS + value

    def _cancel(self, seat: int, move: Move) -> None:
        """V-14: the seat that began the chain draws the total, unless out (V-18), and does not go out by this card.

        Out of turn, play goes on after the seat that laid the last "+" (V-15); in turn, after the canceller.
        """
        last = seat if seat == self.turn else self.last_plus
        self._put(seat, move)
        first, total, self.total = self.first_plus, self.total, 0
        if not self.sizes[seat] and seat != first:
            self._is_out(seat)
        draws = first not in self.gone
        self.emit(What.CANCELLED, seat, other=first if draws else None)
        if draws:
            self.owe(total, first, "V-14", penalty=True)  # not a move of that seat
        self._go_on(self.following[last])

    # V-13, V-16, V-21: hands that change owners

    def _hands_go_round(self, layer: int) -> None:
        """V-13, V-21: pass every hand to the next player, also the one that the 0 has just emptied."""
        self.emit(What.PASSED_ON)
        self._change_hands(layer, {self.following[giver]: giver for giver in self.still_in()})

    def _hands_are_swapped(self, layer: int, move: Move) -> None:
        """V-16: swap any two hands, also one's own and those of players who are out."""
        one, other = move.seat, move.other
        assert one is not None
        assert other is not None
        self.emit(What.SWAPPED, one, other=other)
        self._change_hands(layer, {one: other, other: one})

    def _change_hands(self, layer: int, givers: Mapping[int, int]) -> None:
        """Give each taker the hand of its giver; ``layer`` has just laid a card, so it had one more before."""
        before = {taker: self.sizes[taker] + (taker == layer) for taker in givers}
        given = {taker: (self.hands[giver], self.sizes[giver]) for taker, giver in givers.items()}
        for taker, (hand, size) in given.items():
            self.hands[taker], self.sizes[taker] = hand, size
            self._must_speak(taker, before[taker])
            if size and taker in self.gone:
                self._is_back(taker)
        for seat in (layer, *givers):  # V-16: who laid a last card goes out before who got an empty hand
            if not self.sizes[seat] and seat not in self.gone:
                self._is_out(seat)

    # V-13, V-19, V-22, V-23: announcements, and who can be caught

    def has_received(self, seat: int, before: int, *, all_of_it: bool) -> None:
        if self.sizes[seat] > 1 or all_of_it:  # V-19: no "UNO" after the first of several cards
            self._must_speak(seat, before)

    def _must_speak(self, seat: int, before: int) -> None:
        """Update what must be announced, after the hand of ``seat`` has changed from ``before`` cards.

        ============  =======  ================================================================================
        cards before  now      what must be said
        ============  =======  ================================================================================
        1             1        nothing (V-13)
        2 or more     1        "UNO", unless it was said with the card (V-22, V-13)
        0             1        "UNO", whatever was said before (V-19)
        any           0, more  "OU PAS", if "UNO" was said (V-23); a forgotten "UNO" can no longer be caught
        ============  =======  ================================================================================
        """
        if self.sizes[seat] == 1:
            if not before:
                self.announced.discard(seat)
            if before != 1 and seat not in self.announced:
                self.exposed.add(seat)
            return
        if seat in self.announced:
            self.unsaid.add(seat)
        self.has_more(seat)

    def _ou_pas(self, seat: int) -> list[Move]:
        """V-23: return the moves to say "OU PAS", or to catch seats that did not; it may be said until one is caught.

        It is said just before cards are taken: in one's own turn, or while they are owed. Exchanges of hands (V-13,
        V-16) take effect at once, so there it is said after.
        """
        if seat in self.gone:
            return []
        may_draw = seat == self.turn if not self.demands else any(owed.receiver == seat for owed in self.demands)
        moves = [RETRACT] if seat in self.unsaid or (seat in self.announced and may_draw) else []
        return moves + [catch_retract(forgetful) for forgetful in sorted(self.unsaid - {seat})]

    def has_acted(self) -> None:
        """A draw or a take is an act: it ends jumping in (V-11), and catching for "OU PAS" (V-23)."""
        super().has_acted()
        self.unsaid.clear()
        self.fresh = NO_CARD

    # V-16, V-18, V-19, V-24: going out and coming back

    def _last_card(self, seat: int, card: int) -> None:
        if card in BLACK:  # V-19: draws one, and must say "UNO" again
            self.announced.discard(seat)
            self.owe(BLACK_LAST.number, seat, "V-19")
        else:
            self._is_out(seat)

    def _is_out(self, seat: int) -> None:
        """V-18, V-24: remove the seat from the game, and rank it."""
        self.finished += (seat,)
        self.gone.add(seat)
        self.announced.discard(seat)
        self.unsaid.discard(seat)
        self.reseat()
        self.emit(What.WENT_OUT, seat, len(self.finished))
        if self.playing <= self._at_the_end:
            self.goes_out(self.finished[0])  # the first to go out wins, once what is owed has been drawn (V-20)

    def _is_back(self, seat: int) -> None:
        """V-16: bring a seat back that has cards again; seats that went out later move up a place."""
        self.finished = tuple(other for other in self.finished if other != seat)
        self.gone.discard(seat)
        self.reseat()
        self.emit(What.OUT_AGAIN, seat)

    def were_out(self, seats: tuple[int, ...]) -> None:
        if self.playing <= self._at_the_end:
            super().were_out(seats)
        self.finished = seats

    def order_of_leaving(self) -> tuple[int, ...]:
        return self.finished

    def won_by(self, seat: int) -> None:
        """V-24: rank ``seat`` first, even if another was seen to go out before; the rest is unknown."""
        if seat in self.gone:
            self.round_winner = seat  # who is out can still be named the winner
        else:
            super().won_by(seat)
        self.finished = (seat, *(other for other in self.finished if other != seat))

    def round_over(self) -> None:
        self.unsaid.clear()
        self.end_match(self.finished[:1])

    def ranking(self) -> tuple[int, ...]:
        """V-24: return seats in the order of going out, then those with cards, fewest cards first, ties by seat."""
        left = [seat for seat in range(self.seats) if seat not in self.finished]
        return (*self.finished, *sorted(left, key=lambda seat: self.sizes[seat]))

    # G-06

    def check_top(self, card: int) -> None:
        if card != WHITE:  # V-03: a white first card leaves no colour in force
            super().check_top(card)

    def why_not(self, seat: int, move: Move) -> Reason:
        reason = refusals.why_not(self, seat, move, self.fresh, self._card_that_cancels())
        return reason or super().why_not(seat, move)
