"""What ``dispenser doctor`` found."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from dispenser.language import Text


class Status(enum.StrEnum):
    """``NOTE``: not what it is while a launcher runs, and not wrong by itself."""

    GOOD = "good"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about one thing, and what to do about it."""

    check: str
    status: Status
    found: Text | str
    advice: Text | str = ""

    @property
    def text(self) -> str:
        """What was found, in English."""
        return str(self.found)

    @property
    def remedy(self) -> str:
        """What to do, in English."""
        return str(self.advice)
