"""The list of actions: written down before they are carried out, taken back, done again, set right.

Carrying out an action is a function of the state and the action alone. So undo goes back to the last checkpoint and
carries out again what stays, and a match is replayed from its list: there is no second set of code that takes moves
back, and nothing that it could forget.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final

from dispenser.rules.chance import Chance
from dispenser.rules.errors import (
    NOTHING_TO_REDO,
    NOTHING_TO_UNDO,
    NothingToUndoError,
    RecordError,
    RulesError,
    after_change,
    no_action,
)
from dispenser.rules.events import Event
from dispenser.rules.state import State

Action = tuple[str, int, Any]
"""What was done (``begin``, ``play``, ``fulfil``, ``penalise``, ``answer``, ``reload``, ``correct``), by or to which
seat (-1: the table), and how."""

CHECKPOINT_EVERY: Final = 64
"""Actions between two checkpoints: undo carries out at most that many again."""


class History(State):
    """A state with its past and, after undo, its future.

    :ivar log: all actions since the start of the match; do not change it.
    :ivar undone: actions taken back, the next to redo last.
    :ivar events: what the last action brought about.
    """

    __slots__ = ("_checkpoints", "events", "legal", "legal_for", "log", "undone")

    def __init__(self, seats: int, options: Mapping[str, Any], *, hidden: bool, chance: Chance | None) -> None:
        super().__init__(seats, options, hidden=hidden, chance=chance)
        self.events: list[Event] = []
        self.log: list[Action] = []
        self.undone: list[Action] = []
        self.legal: list[int] = []
        self.legal_for: int | None = None
        """The seat that ``legal`` was worked out for since the last action, if it was."""
        self._checkpoints = [(0, self.save(), self.events)]

    @abstractmethod
    def perform(self, action: Action) -> None:
        """Carry out an action that was found right."""

    @abstractmethod
    def attempt(self, action: Action) -> None:
        """Check an action, write it down, carry it out.

        :raises RulesError: nothing has changed.
        """

    def write(self, action: Action) -> None:
        """Write down an action that is about to be carried out."""
        log = self.log
        if not len(log) % CHECKPOINT_EVERY and log:
            self.checkpoint()
        log.append(action)
        if self.undone:
            self.undone = []
        self.legal_for = None
        self.events = []

    def checkpoint(self) -> None:
        """Keep the state as it is before the next action."""
        if self._checkpoints[-1][0] < len(self.log):
            self._checkpoints.append((len(self.log), self.save(), self.events))

    def undo(self) -> Action:
        """Take back the last action.

        :returns: what was taken back.
        :raises NothingToUndoError: at the start of the match.
        """
        if not self.log:
            raise NothingToUndoError(NOTHING_TO_UNDO)
        future = [*self.undone, self.log[-1]]
        self._go_to(len(self.log) - 1)
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
        self.write(action)
        self.perform(action)
        self.undone = future
        return action

    def amend(self, number: int, action: Action) -> None:
        """Set right a wrong seat, a wrong card, a wrong count: replace an action of the past and replay what followed.

        :param number: of the action, from 0, as in ``log``.
        :raises RecordError: when there is no such action, or what followed is against the rules after that change; the
            text says which action. Nothing has changed.
        """
        if not 0 <= number < len(self.log):
            raise RecordError(no_action(number, len(self.log)))
        past, future = list(self.log), self.undone
        rest = [action, *self.log[number + 1 :]]
        self._go_to(number)
        for place, step in enumerate(rest, start=number):
            try:
                self.attempt(step)
            except Exception as error:
                self._put_back(number, past, future)
                if not isinstance(error, RulesError):
                    raise
                raise RecordError(after_change(place, error)) from error

    def _put_back(self, number: int, past: list[Action], future: list[Action]) -> None:
        """Play again what an amendment replaced."""
        self._go_to(number)
        for kept in past[number:]:
            self.write(kept)
            self.perform(kept)
        self.undone = future

    def _go_to(self, number: int) -> None:
        while self._checkpoints[-1][0] > number:
            self._checkpoints.pop()
        start, saved, self.events = self._checkpoints[-1]
        again = self.log[start:number]
        self.restore(saved)
        del self.log[start:]
        self.legal_for = None
        for action in again:
            self.log.append(action)
            self.events = []
            self.perform(action)
