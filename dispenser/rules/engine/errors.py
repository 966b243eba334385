"""Errors of a game, with the ID of the rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dispenser.i18n import SpokenError, Text


class RulesError(SpokenError):
    """Something that the rules engine cannot do. The text says what, where, and what to do, in both languages."""


class OptionError(RulesError, ValueError):
    """A game, a number of seats or an option that there is not.

    :ivar wrong: what is wrong, without what to do about it.
    :ivar option: name of the option whose value cannot be, if it is one.
    :ivar remedy: name of an option and the least value that would do, where there is one.
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
    """A written game that cannot be read back: damaged, from another version, or against the rules."""


class NothingToUndoError(RulesError, IndexError):
    """Undo at the start of the match, or redo with nothing undone."""


class IllegalMove(RulesError, ValueError):  # noqa: N818 - the field's word (python-chess)
    """A move that a rule forbids; nothing has changed (G-06).

    :ivar rule: ID of the rule that forbids it.
    :ivar reason: why, in both languages.
    :ivar legal: what that seat may do instead.
    """

    def __init__(self, rule: str, reason: Text, *, seat: int = -1, legal: Sequence[Any] = ()) -> None:
        super().__init__(Text("{reason} ({rule})").filled(reason=reason, rule=rule))
        self.args = (rule, reason)
        self.rule = rule
        self.reason = reason
        self.seat = seat
        self.legal = tuple(legal)
