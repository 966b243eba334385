"""What one seat may know of a game: for bots and phones.

>>> from dispenser.rules import new_game
>>> game = new_game("uno", seats=3, seed=7)
>>> _ = game.begin()
>>> seen = game.observe(1)
>>> len(seen.hand), seen.sizes, seen.pile_size
(7, (7, 7, 7), 86)
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from dispenser.rules.engine.demands import Demand, Question
from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.phases import DREW, Phase
from dispenser.rules.engine.rules import Rules
from dispenser.rules.engine.state import NO_CARD


def _of_state(name: str) -> Any:
    """Return a property that reads that attribute of the state."""
    return property(attrgetter(f"_state.{name}"))


def _tuple_of(name: str) -> Any:
    """Return a property that reads that attribute as a tuple, which callers cannot change."""
    value = attrgetter(f"_state.{name}")
    return property(lambda seen: tuple(value(seen)))


def _rising(name: str) -> Any:
    """Return a property that reads a set of seats, sorted."""
    value = attrgetter(f"_state.{name}")
    return property(lambda seen: tuple(sorted(value(seen))))


class Observation:
    """The public state of the table, and the hand of one seat; seats are numbered from 0.

    A view, not a copy: it always shows the current state.
    """

    __slots__ = ("_legal_moves", "_state", "seat")

    def __init__(self, state: Rules, seat: int, legal_moves: Callable[[int], list[Move]]) -> None:
        if not 0 <= seat < state.seats:
            raise ValueError(f"there is no seat {seat}: this game has seats 0 to {state.seats - 1}")
        self._state = state
        self._legal_moves = legal_moves
        self.seat: Final = seat
        """The observing seat."""

    game: str = _of_state("game_id")  # The game's name in commands and files
    hidden: bool = _of_state("hidden")  # Whether cards are real, and only hand sizes are known
    seats: int = _of_state("seats")  # Places at the table
    sizes: tuple[int, ...] = _tuple_of("sizes")  # Cards in each hand
    talon: tuple[int, ...] = _tuple_of("talon")  # From the first card to the one on top
    top: int = _of_state("top")  # The card on top as it counts (a joker is what it stands for), -1 if there is none
    colour: int = _of_state("colour")  # In force, -1 for none
    direction: int = _of_state("direction")  # +1 to the left (clockwise), -1 to the right
    turn: int = _of_state("turn")  # Whose turn it is; -1 between rounds
    phase: Phase = _of_state("phase")  # What the seat in turn must do
    demands: tuple[Demand, ...] = _tuple_of("demands")  # What is owed to the launcher, in order of payment
    demand: Demand | None = _of_state("demand")  # What is owed to the launcher now
    question: Question | None = _of_state("question")  # What the table is asked
    exposed: tuple[int, ...] = _rising("exposed")  # Seats that can be caught for a forgotten announcement
    announced: tuple[int, ...] = _rising("announced")  # Seats that have announced their last card
    calling: tuple[int, ...] = _rising("calling")  # Seats that have announced it before the lay
    gone: tuple[int, ...] = _rising("gone")  # Seats that no longer play
    going_out: int = _of_state("going_out")  # The seat whose last card is being carried out, else -1
    dealer: int = _of_state("dealer")  # Who dealt this round, -1 before the first
    round: int = _of_state("round")  # Its number from 1, 0 before the first
    scores: tuple[int, ...] = _tuple_of("scores")  # Of the match, by seat
    points: tuple[int, ...] = _tuple_of("points")
    """Points left in each hand at the end of the last round, -1 until counted."""
    winners: tuple[int, ...] = _of_state("winners")  # Of the match, once it is over
    losers: tuple[int, ...] = _of_state("losers")  # Of the match, in a game that has losers

    @property
    def pile_size(self) -> int:
        """Number of cards to draw before the talon is shuffled again."""
        return self._state.in_pile()

    @property
    def values(self) -> tuple[int, ...]:
        """Points of each kind in the hand at the end of a round; empty in a game without points."""
        return tuple(self._state.values())

    @property
    def public(self) -> dict[str, int]:
        """Other public values of the game, such as the total of a chain."""
        return self._state.public()

    @property
    def options(self) -> dict[str, Any]:
        """All options of the game, with the values that the table chose."""
        return dict(self._state.options)

    @property
    def hand(self) -> tuple[int, ...]:
        """Own cards, ascending, one item per copy."""
        return tuple([kind for kind, count in enumerate(self._state.hands[self.seat][:-1]) for _ in range(count)])

    @property
    def of_colours(self) -> list[int]:
        """Number of own cards of each colour."""
        return self._state.of_colours(self.seat)

    @property
    def unknown(self) -> int:
        """Number of own cards whose faces the engine does not know (hidden hands); they are not in ``hand``."""
        return self._state.hands[self.seat][self._state.unknown]

    @property
    def drawn(self) -> int:
        """The card just drawn, visible to the player who drew it and may play it now; otherwise -1."""
        state = self._state
        own = self.seat == state.turn and state.phase is DREW and not state.demands
        return state.drawn if own and state.drawn != state.unknown else NO_CARD

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of this seat now."""
        return tuple(self._legal_moves(self.seat))

    @property
    def before(self) -> int:
        """The seat that plays before this one."""
        state = self._state
        return (state.right if state.direction > 0 else state.left)[self.seat]

    @property
    def after(self) -> int:
        """The seat that plays after this one."""
        return self._state.following[self.seat]
