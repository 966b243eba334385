"""What can be wrong with a game, and the rule that says so."""

from __future__ import annotations

from collections.abc import Sequence

from dispenser.rules.book.entry import Text
from dispenser.rules.moves import Move


class RulesError(Exception):
    """Something that the rules engine cannot do. The text says what, where, and what to do."""


class OptionError(RulesError, ValueError):
    """A game, a number of seats or an option that there is not.

    :ivar remedy: name of an option and the value that would do, where there is one.
    """

    def __init__(self, text: str, remedy: tuple[str, int] | None = None) -> None:
        super().__init__(text)
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

    def __init__(self, rule: str, reason: Text, *, seat: int = -1, legal: Sequence[Move] = ()) -> None:
        super().__init__(f"{reason.en} ({rule})")
        self.rule = rule
        self.reason = reason
        self.seat = seat
        self.legal = tuple(legal)
