"""The list of actions of a match: record, execute, undo, redo, correct.

The effect of an action depends on the state and the action alone. So undo restores the last checkpoint and executes
the remaining actions again, and a match is replayed from its list: no separate code reverses moves, so none can be
incomplete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, Final, NamedTuple, TypedDict

from dispenser.i18n import Text
from dispenser.rules.engine.errors import NothingToUndoError
from dispenser.rules.engine.events import Event
from dispenser.rules.engine.state import State

CHECKPOINT_EVERY: Final = 256  # actions between two checkpoints: undo executes at most that many again

NOTHING_TO_UNDO: Final = Text("nothing to undo: this is the start of the match")
NOTHING_TO_REDO: Final = Text("nothing to redo: no action was taken back, or another was done since")


class Deed(StrEnum):
    """Type of an action; the value is its name in a recorded match."""

    BEGIN = "begin"  # The table deals; the value holds the given parts of the deal
    PLAY = "play"  # A seat makes a `Move`
    FULFIL = "fulfil"  # The launcher lets cards out: how many, which, or `BY_CHANCE`
    ANSWER = "answer"  # The table answers a question about a seat
    PENALISE = "penalise"  # The table declares an offence of a seat
    HAND_SIZE = "hand size"
    HAND = "hand"
    TURN = "turn"
    RELOAD = "reload"
    COUNT_ROUND = "count round"
    """A round that was not followed to its end is over; the value holds the points by hand, the seat is the winner."""


class Deal(TypedDict, total=False):
    """The given parts of a deal; the rest is drawn at random.

    Cards of the deck that nobody has are in the pile. Unseen cards of a hidden hand have the number ``kinds`` of the
    card set. The order of the pile is given only without a seed and with open cards; there a talon that becomes the
    draw pile again keeps its order, the newest card first, unless ``fulfil`` says which cards came.

    In a round that began elsewhere, ``turn``, ``hands`` and ``first`` are the current ones: that card's effect is over,
    everybody has played before, and nothing is owed.
    """

    dealer: int  # the seat that deals
    draws: Sequence[int]  # the cards drawn for the deal, in order of seats, then those of the ties
    hands: Sequence[Sequence[int]]  # the cards of each seat
    pile: Sequence[int]  # the draw pile or its beginning, the next card first; before the deal when no hands are given
    first: int  # the cards beneath it, the one next to it first
    talon: Sequence[int]  # of a match that began elsewhere; only for its first round here
    scores: Sequence[int]  # of a match that was begun elsewhere; only for its first round here
    gone: Sequence[int]  # seats that have left it, in the order of leaving; they have no hand
    turn: int  # the seat in turn in a round that began elsewhere
    direction: int  # of play there, +1 when not given
    colour: int  # in force there, where the card on top has none or another was named
    stands_for: int  # the card that a joker on top stands for there (C-12)


class Action(NamedTuple):
    """One action."""

    deed: Deed
    seat: int | None  # who did it, or whom it affects; `None` for the table
    value: Any = None


action_of = cache(Action)  # cached constructor, because a match has few different actions, many times each


class History:
    """The actions of a match, and the undone ones.

    :ivar log: all actions since the start of the match.
    :ivar undone: undone actions, the next to redo last.
    """

    __slots__ = ("_checkpoint_due", "_checkpoints", "_perform", "_state", "log", "undone")

    def __init__(self, state: State, perform: Callable[[Action], None]) -> None:
        self.log: list[Action] = []
        self.undone: list[Action] = []
        self._state = state
        self._perform = perform
        self._checkpoint_due = CHECKPOINT_EVERY
        self._checkpoints: list[tuple[int, tuple[Any, ...], list[Event]]] = [(0, state.save(), state.events)]

    def write(self, action: Action) -> None:
        """Append a valid action to the log, before it is executed."""
        log, state = self.log, self._state
        if len(log) >= self._checkpoint_due:
            self._checkpoints.append((len(log), state.save(), state.events))
            self._checkpoint_due = len(log) + CHECKPOINT_EVERY
        log.append(action)
        if self.undone:
            self.undone = []
        state.events = []

    def do(self, action: Action) -> None:
        """Append an action and execute it; restore the state if it is against the rules."""
        before, told, undone = self._state.save(), self._state.events, self.undone
        self.write(action)
        try:
            self._perform(action)
        except Exception:
            self._state.restore(before)
            self._state.events = told
            self.undone = undone
            self.log.pop()
            raise

    def undo(self) -> Action:
        """Undo the last action and return it.

        :raises NothingToUndoError: at the start of the match.
        """
        if not self.log:
            raise NothingToUndoError(NOTHING_TO_UNDO)
        future = [*self.undone, self.log[-1]]
        self.go_to(len(self.log) - 1)
        self.undone = future
        return future[-1]

    def redo(self) -> Action:
        """Redo the action that was undone last, and return it.

        :raises NothingToUndoError: nothing was undone, or another action followed.
        """
        if not self.undone:
            raise NothingToUndoError(NOTHING_TO_REDO)
        *future, action = self.undone
        self.do(action)
        self.undone = future
        return action

    def put_back(self, number: int, past: Sequence[Action], future: list[Action]) -> None:
        """Restore the replaced actions from number ``number`` on."""
        self.go_to(number)
        for kept in past[number:]:
            self.do(kept)
        self.undone = future

    def go_to(self, number: int) -> None:
        """Restore the state before action ``number``, and drop the later actions."""
        while self._checkpoints[-1][0] > number:
            self._checkpoints.pop()
        start, saved, events = self._checkpoints[-1]
        self._checkpoint_due = start + CHECKPOINT_EVERY
        again = self.log[start:number]
        self._state.restore(saved)
        self._state.events = events
        del self.log[start:]
        for action in again:
            self.log.append(action)
            self._state.events = []
            self._perform(action)
