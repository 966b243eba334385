"""Cards on the move: dealt, drawn, laid, turned up, shuffled again. None is lost and none appears (G-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from dispenser.rules import events, reasons
from dispenser.rules.errors import IllegalMove
from dispenser.rules.history import History


class Dealing(History):
    """The ways in which cards change places."""

    __slots__ = ()

    best_deals: ClassVar[int] = 1
    """In the draw for the deal, 1 when the highest card deals and -1 when the lowest does."""

    def in_pile(self) -> int:
        """Cards left in the draw pile."""
        return len(self.pile) + len(self.under)

    def available(self) -> int:
        """Cards that can still be drawn: the draw pile, and the talon but its top card (G-01)."""
        return self.in_pile() + max(0, len(self.talon) - self.stays())

    def deal_to(self, seat: int, wanted: int) -> int:
        """Give up to ``wanted`` cards of the draw pile to a hand; returns how many there were (G-01).

        With a stream of chance the pile is never shuffled: a random one of its cards is drawn each time (G-05).
        """
        hand = self.hands[seat]
        chance = None if self.hidden else self.chance
        got = 0
        while got < wanted and (self.pile or self.refill()):
            pile = self.pile
            more = min(wanted - got, len(pile))
            if chance is not None:
                self.drawn = chance.deal(pile, more, hand)
            else:
                for card in pile[: -more - 1 : -1]:
                    hand[card] += 1
                self.drawn = pile[-more]
                del pile[-more:]
            got += more
        if got:
            self.sizes[seat] += got
            self.has_more(seat)
        return got

    def deal_these(self, seat: int, cards: Sequence[int]) -> None:
        """Give known cards of the draw pile to a hand; the caller has made sure that they can be there."""
        for card in cards:
            if not self.pile:
                self.refill()
            self.pile.remove(self.unknown if self.hidden else card)
            self.hands[seat][card] += 1
            self.drawn = card
        if cards:
            self.sizes[seat] += len(cards)
            self.has_more(seat)

    def has_more(self, seat: int) -> None:
        """A hand has grown: what was said about its last card no longer holds, and who was going out is not."""
        if (self.announced | self.exposed) >> seat & 1:
            self.announced &= ~(1 << seat)
            self.exposed &= ~(1 << seat)
        if self.calling == seat:
            self.calling = -1
        if self.going_out == seat:
            self.going_out = -1

    def lay(self, seat: int, card: int) -> None:
        """A card goes from a hand to the top of the talon."""
        hand = self.hands[seat]
        hand[card if hand[card] else self.unknown] -= 1
        self.talon.append(card)
        self.top = card
        size = self.sizes[seat] - 1
        self.sizes[seat] = size
        if size < 2:
            self.has_few(seat)

    def has_few(self, seat: int) -> None:
        """A hand has shrunk to one card, which must have been announced (G-03), or to none."""
        if self.sizes[seat]:
            if self.calling == seat:
                self.announced |= 1 << seat
            else:
                self.exposed |= 1 << seat
        else:
            self.going_out = seat
        self.calling = -1

    def stays(self) -> int:
        """Cards on top of the talon that a reshuffle leaves there."""
        return 1

    def refill(self) -> bool:
        """G-01: what lies under the pile comes first; then the talon, but its top card, is the draw pile again.

        A hidden card of it is forgotten. Returns whether there is anything to draw now.
        """
        if self.under:
            self.pile, self.under = self.under, []
            return True
        if len(self.talon) <= self.stays():
            return False
        self.lift_talon(events.RESHUFFLED)
        return True

    def lift_talon(self, event: int) -> None:
        """The talon but what stays of it goes into the draw pile; tell it as ``event``."""
        back = self.talon[: -self.stays()]
        del self.talon[: len(back)]
        self.pile[:0] = [self.unknown] * len(back) if self.hidden else back
        self.events.append((event, -1, len(back)))

    def draw_for_deal(self, given: Sequence[int] = ()) -> int:
        """Every seat draws a card, the best deals; ties draw again (E-03, U-02, C-02).

        :param given: the cards drawn, in the order of the seats, those who draw again after them; else from the stream.
        :raises IllegalMove: too few or too many cards are given.
        """
        value = self.cards.value
        waiting = list(given)
        drawing = [seat for seat in range(self.seats) if not self.gone >> seat & 1]
        while len(drawing) > 1:
            deck = list(self.deck())
            best: list[int] = []
            best_value = -1000
            for seat in drawing:
                if given and not waiting:
                    raise IllegalMove("G-05", reasons.MORE_DRAWS)
                card = waiting.pop(0) if given else self.any_of(deck)
                self.events.append((events.DEALER_DREW, seat, card))
                worth = value[card] * self.best_deals
                if worth > best_value:
                    best, best_value = [seat], worth
                elif worth == best_value:
                    best.append(seat)
            drawing = best
        if waiting:
            raise IllegalMove("G-05", reasons.FEWER_DRAWS)
        return drawing[0]

    def any_of(self, pack: list[int]) -> int:
        """Draw from a pack as the stream of chance has it (G-05)."""
        if self.chance is None:
            raise IllegalMove("G-05", reasons.NO_CHANCE)
        return self.chance.take(pack)
