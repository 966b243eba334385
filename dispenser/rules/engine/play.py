"""Building blocks for the rules of a game: lay, owe, next turn, score.

Each method (lay, go out, owe, skip, reverse, announce, score) changes the state and appends events.
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
"""Cached constructor of ``Demand``, because a match has few different demands, many times each."""


@cache
def _owed(*parts: Any) -> tuple[Demand, Event]:
    """Return a demand, and the event that it is owed."""
    demand = demand_of(*parts)
    return demand, Event(What.OWES, demand.payer, demand.number, demand=demand)


@cache
def _laid(seat: int, move: Move) -> Event:
    return Event(What.LAID, seat, move=move)


class Play(State):
    """State of a match with the operations of its rules."""

    __slots__ = ()

    draws: ClassVar[Owed] = Owed.CARDS  # the unit of a draw

    # Cards

    def lay(self, seat: int, move: Move) -> int:
        """Move the card of ``move`` from the hand to the top of the talon; return it."""
        card = move.card
        assert card is not None
        self.events.append(_laid(seat, move))
        hand = self.hands[seat]
        hand[card if hand[card] else self.unknown] -= 1
        self.talon.append(card)
        self.shows(card, move.colour)
        self.sizes[seat] -= 1
        if self.exposed:
            self.exposed.clear()  # an earlier forgotten announcement was not caught in time (G-03)
        if self.sizes[seat] == 1:
            self.has_one(seat)
        if self.calling:
            self.calling.clear()
        return card

    def shows(self, card: int, colour: int | None = None) -> None:
        """Set the top card, with the colour or suit named with it, and the kinds that fit on it."""
        self.top = card
        if colour is None:
            self.colour, self.matches = self.cards.colour[card], self.fits[card]
        else:
            self.colour, self.matches = colour, self.fits_colour[colour]

    def goes_out(self, seat: int) -> None:
        """``seat`` has laid its last card and won: the round ends when nothing is owed or asked any more.

        Cards that come out later do not revert that (E-23), and no more turns are announced.
        """
        self.going_out = seat

    def owe(self, count: int, payer: int, rule: str, *, receiver: int = NOBODY, penalty: bool = False) -> None:
        """Add a demand: ``payer`` owes the launcher ``count`` presses or cards, in the unit of this game."""
        demand, told = _owed(self.draws, payer, payer if receiver < 0 else receiver, count, rule, penalty)
        self.demands.append(demand)
        self.events.append(told)

    # Whose turn it is

    def next_turn(self, seat: int, phase: Phase = PLAYING) -> None:
        """Give the turn to ``seat``, with the phase that it must do."""
        self.turn = seat
        self.phase = phase
        if self.going_out < 0:
            self.events.append(self.turn_events[seat])

    def play_again(self, seat: int) -> None:
        """Give ``seat`` another turn, after a card that demands it."""
        self.emit(What.AGAIN, seat)
        self.next_turn(seat, AGAIN)

    def misses(self, seat: int) -> int:
        """Skip the turn of ``seat``; return who is next."""
        if self.going_out < 0:
            self.events.append(event(What.SKIPPED, seat))
        return self.following[seat]

    def owes_and_misses(self, count: int, seat: int, rule: str) -> int:
        """Add a demand and skip the turn of ``seat``; return who is next."""
        self.owe(count, seat, rule)
        return self.misses(seat)

    def reverse(self) -> None:
        """Reverse the direction of play."""
        self.direction = -self.direction
        self.following = self.left if self.direction > 0 else self.right
        self.emit(What.REVERSED, direction=self.direction)

    def reverses(self, seat: int) -> int:
        """Reverse the direction; with two players, the other one loses a turn. Return who is next."""
        self.reverse()
        after = self.following[seat]
        return self.misses(after) if self.playing == 2 and seat not in self.gone else after

    # The last card but one (G-03)

    def has_one(self, seat: int) -> None:
        """Record that a hand has one card left, which must have been announced."""
        (self.announced if seat in self.calling else self.exposed).add(seat)

    def has_more(self, seat: int) -> None:
        """Forget announcements of a hand that has grown."""
        self.announced.discard(seat)
        self.exposed.discard(seat)
        self.calling.discard(seat)

    def has_acted(self) -> None:
        """End catching and announcements before a lay, because the next player has acted."""
        self.exposed.clear()
        self.calling.clear()

    def announces(self, seat: int) -> None:
        """Record that ``seat`` announces that it has, or will have, one card."""
        if seat in self.exposed:
            self.exposed.discard(seat)
            self.announced.add(seat)
        else:
            self.calling.add(seat)
        self.emit(What.ANNOUNCED, seat)

    def is_caught(self, forgetful: int, by: int, move: Move, rule: str, count: int) -> None:
        """Charge ``forgetful`` for a missing announcement."""
        self.emit(What.CAUGHT, forgetful, move=move, other=by)
        self.owe(count, forgetful, rule, penalty=True)

    # The score

    def add_points(self, seat: int, points: int) -> None:
        """Add ``points`` to the score of ``seat``."""
        self.scores[seat] += points
        self.emit(What.SCORED, seat, points)

    def winner_scores(self, target: int) -> None:
        """Score the points of all other hands for the winner of the round; ``target`` points win the match."""
        winner = self.round_winner
        self.add_points(winner, sum(self.points) - self.points[winner])
        if self.scores[winner] >= target:
            self.end_match((winner,))

    def all_score_their_own(self, end: int) -> None:
        """Score everybody's own hand; when a score reaches ``end``, the lowest total wins."""
        for seat, points in enumerate(self.points):
            self.add_points(seat, points)
        if max(self.scores) >= end:
            lowest = min(self.scores)
            self.end_match([seat for seat, score in enumerate(self.scores) if score == lowest])

    def end_match(self, winners: Sequence[int], losers: Sequence[int] = ()) -> None:
        """End the match."""
        self.winners, self.losers = tuple(winners), tuple(losers)
        self.phase = MATCH_OVER
        for seat in winners or (None,):
            self.emit(What.MATCH_ENDED, seat)

    # Events

    def emit(self, what: What, seat: int | None = None, number: int | None = None, **details: Any) -> None:
        """Append an event; the details are those of an ``Event``."""
        self.events.append(event(what, seat, number, **details))
