"""The real cards of the stack, of the talon and of the hands, beside a table that knows only what it is told.

Where the phones hold the cards, or the table only counts, the launcher's stack never ends and no card has a face.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from dispenser.rules import Game
from dispenser.rules.engine.events import What
from dispenser.table import events as e
from dispenser.table.match import Match
from tests.nightly.search.pure_table import PureTable


class RealCards:
    """See the module.

    :ivar stack: in the launcher, the next one last.
    :ivar talon: on the table, the top one last.
    :ivar uncounted: people whose hands the table knows wrongly: the sensor erred, and nobody has put it right yet.
    """

    def __init__(self, sat: PureTable, dice: Random) -> None:
        self.sat, self.dice = sat, dice
        self.stack: list[int] = []
        self.talon: list[int] = []
        self.hands: dict[int, list[int]] = {}
        self.uncounted: set[int] = set()
        sat.stack = lambda: len(self.stack)

    def maybe(self, share: float) -> bool:
        return self.dice.random() < share

    @property
    def match(self) -> Match:
        return self.sat.match

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def referee(self) -> bool:
        """The table follows real cards: the only tracking mode in which it says something about them."""
        return self.match.tracking_mode is e.TrackingMode.REFEREE

    def hand(self, seat: int) -> list[int]:
        return self.hands[self.match.order[seat]]

    def anybody(self) -> int:
        return self.dice.choice(list(self.sat.present))

    def draw(self, hand: list[int], cards: int) -> None:
        hand += [self.stack.pop() for _ in range(cards)]

    def give_back(self, hand: list[int], cards: int) -> None:
        """Cards that nobody owed lie below the others again."""
        for _ in range(cards):
            self.stack.insert(0, hand.pop())

    def follow(self, seats: list[int]) -> None:
        """What people do with their real cards when the table tells what happened.

        :param seats: that played before it happened.
        """
        hands = [self.hand(seat) for seat in range(self.game.seats)]
        for event in self.game.events:
            seat = event.seat if event.seat is not None else 0
            if event.what is What.TAKEN_BACK:
                self.hand(seat).append(self.talon.pop())
            elif event.what is What.PUT_BACK:
                self.stack.insert(0, self.talon.pop())
            elif event.what is What.DISCARDED and event.card in self.hand(seat):
                self.hand(seat).remove(event.card)
                self.talon.insert(-1, event.card)
            elif event.what is What.SWAPPED and event.other is not None:
                one, other = self.match.order[seat], self.match.order[event.other]
                self.hands[one], self.hands[other] = self.hands[other], self.hands[one]
            elif event.what is What.PASSED_ON:
                step = self.game.state.direction
                for place, giver in enumerate(seats):
                    self.hands[self.match.order[seats[(place + step) % len(seats)]]] = hands[giver]
            if event.what in {What.SWAPPED, What.PASSED_ON} and self.uncounted:
                self.uncounted = set(self.match.order)

    def lift_talon(self, stays: int) -> None:
        lifted = self.talon[:-stays]
        self.dice.shuffle(lifted)
        self.stack[:0] = lifted
        del self.talon[:-stays]

    def compare(self) -> None:
        """The table knows how many cards each has, and which, wherever it says so."""
        state = self.game.state
        assert self.talon == list(state.talon), "the talon is another"
        everything = [*self.stack, *self.talon, *(card for hand in self.hands.values() for card in hand)]
        assert Counter(everything) == Counter(state.deck()), "a real card is gone"
        for seat in state.still_in():
            person, hand = self.match.order[seat], self.hand(seat)
            if person not in self.uncounted:
                held = f"{person} holds {len(hand)}, the table says {state.sizes[seat]}"
                assert len(hand) == state.sizes[seat], held
                assert not Counter(state.held(seat)) - Counter([*hand, *[state.unknown] * len(hand)]), held
