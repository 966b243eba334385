"""Errors of a game, with the ID of the rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dispenser.i18n import SpokenError, Text


class RulesError(SpokenError):
    """Base class of errors of the rules engine. The text says what, where, and what to do, in both languages."""


class OptionError(RulesError, ValueError):
    """Error: an invalid game, number of seats or option.

    :ivar wrong: the error without a remedy.
    :ivar option: name of the option with an invalid value, if any.
    :ivar remedy: name of an option and its least sufficient value, if there is one.
    """

    def __init__(self, wrong: Text, *, option: str | None = None, remedy: tuple[str, int] | None = None) -> None:
        if remedy is None:
            super().__init__(wrong)
        else:
            text = Text("{wrong}: set {name!r} to {value} or more")
            super().__init__(text.filled(wrong=wrong, name=remedy[0], value=remedy[1]))
        self.wrong = wrong
        self.option = option
        self.remedy = remedy


class RecordError(RulesError, ValueError):
    """Error: a recorded game cannot be loaded: damaged, from another version, or against the rules."""


class NothingToUndoError(RulesError, IndexError):
    """Error: undo at the start of the match, or redo with nothing undone."""


class IllegalMove(RulesError, ValueError):  # noqa: N818 - the field's word (python-chess)
    """Error: a rule forbids the move; nothing has changed (G-06).

    :ivar rule: ID of the rule that forbids it.
    :ivar reason: why, in both languages.
    :ivar legal: the seat's legal moves.
    """

    def __init__(self, rule: str, reason: Text, *, seat: int = -1, legal: Sequence[Any] = ()) -> None:
        super().__init__(Text("{reason} ({rule})").filled(reason=reason, rule=rule))
        self.args = (rule, reason)
        self.rule = rule
        self.reason = reason
        self.seat = seat
        self.legal = tuple(legal)
