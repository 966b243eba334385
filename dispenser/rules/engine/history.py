"""The list of actions of a match: record, execute, undo, redo, correct.

Carrying out an action is a function of the state and the action alone. So undo goes back to the last checkpoint and
carries out again what stays, and a match is replayed from its list: there is no second set of code that takes moves
back, and nothing that it could forget.
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

CHECKPOINT_EVERY: Final = 256  # actions between two checkpoints: undo carries out at most that many again

NOTHING_TO_UNDO: Final = Text("nothing to undo: this is the start of the match")
NOTHING_TO_REDO: Final = Text("nothing to redo: no action was taken back, or another was done since")


class Deed(StrEnum):
    """What is done to a match; the value is how a recorded match says it."""

    BEGIN = "begin"  # The table deals; the value is what was given of the deal
    PLAY = "play"  # A seat makes a `Move`
    FULFIL = "fulfil"  # The launcher lets cards out: how many, which, or `BY_CHANCE`
    ANSWER = "answer"  # The table answers a question about a seat
    PENALISE = "penalise"  # The table declares an offence of a seat
    HAND_SIZE = "hand size"
    HAND = "hand"
    TURN = "turn"
    RELOAD = "reload"
    COUNT_ROUND = "count round"
    """A round that was not followed to its end is over; the value is what each hand counts, the seat who won it."""


class Deal(TypedDict, total=False):
    """What is said of a deal; whatever is not comes from the stream of chance.

    Cards of the deck that nobody has are in the pile. Of a hidden hand those that nobody has seen are the card set's
    ``kinds``. The order of the pile is given only without a seed and with open cards; there a talon that becomes the
    draw pile again keeps its order, the newest card first, unless ``fulfil`` says which cards came.

    In a round that was begun elsewhere, ``turn``, ``hands`` and ``first`` are as they are now: that card has done what
    it does, everybody has played before, and nothing is owed.
    """

    dealer: int  # the seat that deals
    draws: Sequence[int]  # the cards drawn for the deal, in the order of the seats; who ties draws again after them
    hands: Sequence[Sequence[int]]  # the cards of each seat
    pile: Sequence[int]  # the draw pile or its beginning, the next card first; before the deal when no hands are given
    first: int  # the card turned up; it is set aside before the deal
    talon: Sequence[int]  # what lies beneath it, the card next to it first
    scores: Sequence[int]  # of a match that was begun elsewhere; only for its first round here
    gone: Sequence[int]  # seats that are out of it, who was out first before the others; they have no hand
    turn: int  # whose turn it is in a round that was begun elsewhere
    direction: int  # of play there, +1 when not given
    colour: int  # in force there, where the card on top has none or another was named
    stands_for: int  # the card that a joker on top stands for there (C-12)


class Action(NamedTuple):
    """One thing that was done."""

    deed: Deed
    seat: int | None  # who did it, or to whom it was done; `None` for the table
    value: Any = None


action_of = cache(Action)  # the same one for the same words: a match has few different ones and many of each


class History:
    """The past of a match and, after undo, its future.

    :ivar log: all actions since the start of the match.
    :ivar undone: actions taken back, the next to redo last.
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
        """Write down an action that was found right and is about to be carried out."""
        log, state = self.log, self._state
        if len(log) >= self._checkpoint_due:
            self._checkpoints.append((len(log), state.save(), state.events))
            self._checkpoint_due = len(log) + CHECKPOINT_EVERY
        log.append(action)
        if self.undone:
            self.undone = []
        state.events = []

    def do(self, action: Action) -> None:
        """Write an action down and carry it out; if it turns out to be against the rules, nothing has changed."""
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
        """Take back the last action.

        :returns: what was taken back.
        :raises NothingToUndoError: at the start of the match.
        """
        if not self.log:
            raise NothingToUndoError(NOTHING_TO_UNDO)
        future = [*self.undone, self.log[-1]]
        self.go_to(len(self.log) - 1)
        self.undone = future
        return future[-1]

    def redo(self) -> Action:
        """Do again what was taken back last.

        :returns: what was done again.
        :raises NothingToUndoError: when nothing was taken back, or something else was done since.
        """
        if not self.undone:
            raise NothingToUndoError(NOTHING_TO_REDO)
        *future, action = self.undone
        self.do(action)
        self.undone = future
        return action

    def put_back(self, number: int, past: Sequence[Action], future: list[Action]) -> None:
        """Play again what was replaced from action ``number`` on."""
        self.go_to(number)
        for kept in past[number:]:
            self.do(kept)
        self.undone = future

    def go_to(self, number: int) -> None:
        """Go back to the moment before action ``number``, and forget what came then."""
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
