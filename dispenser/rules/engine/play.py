"""Building blocks for the rules of a game: lay, owe, next turn, score.

To lay, to go out, to owe, to skip, to reverse, to say it, to score: each changes the state and tells what has happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar, Final

from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.events import Event, What, event
from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.phases import AGAIN, MATCH_OVER, PLAYING, Phase
from dispenser.rules.engine.state import NOBODY, State

demand_of: Final = cache(Demand)
"""A demand as ``Demand`` makes it, the same one for the same words: a match has few different ones and many of each."""


@cache
def _owed(*parts: Any) -> tuple[Demand, Event]:
    """A demand of those parts, and that it is owed from now on."""
    demand = demand_of(*parts)
    return demand, Event(What.OWES, demand.payer, demand.number, demand=demand)


@cache
def _laid(seat: int, move: Move) -> Event:
    return Event(What.LAID, seat, move=move)


class Play(State):
    """A match, and what can be done in it."""

    __slots__ = ()

    draws: ClassVar[Owed] = Owed.CARDS  # what one owes the launcher who draws

    # Cards

    def lay(self, seat: int, move: Move) -> int:
        """The card of ``move`` goes from the hand to the top of the talon; returns it."""
        card = move.card
        assert card is not None
        self.events.append(_laid(seat, move))
        hand = self.hands[seat]
        hand[card if hand[card] else self.unknown] -= 1
        self.talon.append(card)
        self.shows(card, move.colour)
        self.sizes[seat] -= 1
        if self.exposed:
            self.exposed.clear()  # who forgot before has not been caught in time (G-03)
        if self.sizes[seat] == 1:
            self.has_one(seat)
        if self.calling:
            self.calling.clear()
        return card

    def shows(self, card: int, colour: int | None = None) -> None:
        """``card`` is on top, with the colour or suit that was named with it: see to what goes on it."""
        self.top = card
        if colour is None:
            self.colour, self.matches = self.cards.colour[card], self.fits[card]
        else:
            self.colour, self.matches = colour, self.fits_colour[colour]

    def goes_out(self, seat: int) -> None:
        """``seat`` has laid its last card and won: the round ends when nothing is owed or asked any more.

        Nothing that comes out afterwards takes that back (E-23), and nobody's turn is told any more.
        """
        self.going_out = seat

    def owe(self, count: int, payer: int, rule: str, *, receiver: int = NOBODY, penalty: bool = False) -> None:
        """From now on ``payer`` owes the launcher ``count`` presses or cards, whichever this game has."""
        demand, told = _owed(self.draws, payer, payer if receiver < 0 else receiver, count, rule, penalty)
        self.demands.append(demand)
        self.events.append(told)

    # Whose turn it is

    def next_turn(self, seat: int, phase: Phase = PLAYING) -> None:
        """``seat`` is to play, or to do what ``phase`` says."""
        self.turn = seat
        self.phase = phase
        if self.going_out < 0:
            self.events.append(self.turn_events[seat])

    def play_again(self, seat: int) -> None:
        """``seat`` has another turn, after a card that says so."""
        self.tell(What.AGAIN, seat)
        self.next_turn(seat, AGAIN)

    def misses(self, seat: int) -> int:
        """``seat`` loses its turn; returns who is next then."""
        if self.going_out < 0:
            self.events.append(event(What.SKIPPED, seat))
        return self.following[seat]

    def owes_and_misses(self, count: int, seat: int, rule: str) -> int:
        """``seat`` owes presses or cards and loses its turn; returns who is next then."""
        self.owe(count, seat, rule)
        return self.misses(seat)

    def reverse(self) -> None:
        """Play goes the other way."""
        self.direction = -self.direction
        self.following = self.left if self.direction > 0 else self.right
        self.tell(What.REVERSED, direction=self.direction)

    def reverses(self, seat: int) -> int:
        """``seat`` turns the direction; between two, the other one loses a turn. Returns who is next then."""
        self.reverse()
        after = self.following[seat]
        return self.misses(after) if self.playing == 2 and seat not in self.gone else after

    # The last card but one (G-03)

    def has_one(self, seat: int) -> None:
        """A hand has shrunk to one card, which must have been announced."""
        (self.announced if seat in self.calling else self.exposed).add(seat)

    def has_more(self, seat: int) -> None:
        """A hand has grown: what was said about its last card no longer holds."""
        self.announced.discard(seat)
        self.exposed.discard(seat)
        self.calling.discard(seat)

    def has_acted(self) -> None:
        """The next player has acted: too late to catch anybody, and what was called was for this turn."""
        self.exposed.clear()
        self.calling.clear()

    def announces(self, seat: int) -> None:
        """``seat`` says that it has one card, or will have."""
        if seat in self.exposed:
            self.exposed.discard(seat)
            self.announced.add(seat)
        else:
            self.calling.add(seat)
        self.tell(What.ANNOUNCED, seat)

    def is_caught(self, forgetful: int, by: int, move: Move, rule: str, count: int) -> None:
        """``forgetful`` pays for what it has not said."""
        self.tell(What.CAUGHT, forgetful, move=move, other=by)
        self.owe(count, forgetful, rule, penalty=True)

    # The score

    def add_points(self, seat: int, points: int) -> None:
        """Write ``points`` down for ``seat``."""
        self.scores[seat] += points
        self.tell(What.SCORED, seat, points)

    def winner_scores(self, target: int) -> None:
        """The winner of the round scores what all the others hold; with ``target`` the match is won."""
        winner = self.round_winner
        self.add_points(winner, sum(self.points) - self.points[winner])
        if self.scores[winner] >= target:
            self.end_match((winner,))

    def all_score_their_own(self, end: int) -> None:
        """All write down what is left in their own hands; when somebody has ``end`` then, the lowest total wins."""
        for seat, points in enumerate(self.points):
            self.add_points(seat, points)
        if max(self.scores) >= end:
            lowest = min(self.scores)
            self.end_match([seat for seat, score in enumerate(self.scores) if score == lowest])

    def end_match(self, winners: Sequence[int], losers: Sequence[int] = ()) -> None:
        """The match is decided."""
        self.winners, self.losers = tuple(winners), tuple(losers)
        self.phase = MATCH_OVER
        for seat in winners or (None,):
            self.tell(What.MATCH_ENDED, seat)

    # Anything else

    def tell(self, what: What, seat: int | None = None, number: int | None = None, **details: Any) -> None:
        """Something has happened; the details are those of an ``Event``."""
        self.events.append(event(what, seat, number, **details))
