"""What an audit tells: its verdict, what it counted, and each thing that does not fit."""

from __future__ import annotations

import enum
from dataclasses import asdict, dataclass, field
from typing import Any

from dispenser.i18n import Text


class Verdict(enum.Enum):
    """What came of the audit."""

    PROVEN = "proven"
    MISFIT = "misfit"
    NOT_REVEALED = "not_revealed"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not fit.

    :param seq: the entry.
    :param says: what stands there, not ``expected``; ``None`` when no single value can be named.
    """

    seq: int
    type: str
    text: Text
    says: Any = None
    expected: Any = None

    @property
    def in_words(self) -> Text:
        """The place and what is wrong there."""
        return Text("seq {seq}, {type}: {text}").filled(seq=self.seq, type=self.type, text=self.text)


@dataclass(slots=True)
class Round:
    """Everything under one commitment.

    :param seq: the entry that committed.
    :param odds: name of the odds.
    :param draws: presses left to the odds.
    :param checked: how many of them were compared with the seed and had a plan to compare.
    :param revealed_seq: the entry that showed the seed; ``None`` while it is secret.
    """

    seq: int
    commitment: str
    odds: str
    draws: int = 0
    checked: int = 0
    revealed_seq: int | None = None


@dataclass(slots=True)
class AuditReport:
    """What the audit found.

    :param presses: accepted presses.
    :param exact: those that asked for an exact number of cards.
    :param unfinished: those that a kill of the service cut off, and one that is still under way.
    :param matches: at the table, that are over: their shuffles were revealed.
    :param pending_matches: those whose shuffles are still secret.
    :param damage: what the journal itself tells of damage that was found in it, or in the one before it.
    """

    entries: int = 0
    presses: int = 0
    exact: int = 0
    unfinished: int = 0
    matches: int = 0
    pending_matches: int = 0
    rounds: list[Round] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    damage: list[Text] = field(default_factory=list)

    @property
    def checked(self) -> int:
        """Presses that were compared with a revealed seed."""
        return sum(each.checked for each in self.rounds)

    @property
    def pending(self) -> int:
        """Presses whose seed is still secret."""
        return sum(each.draws for each in self.rounds if each.revealed_seq is None)

    @property
    def verdict(self) -> Verdict:
        if self.problems:
            return Verdict.MISFIT
        return Verdict.PROVEN if self.checked or self.matches else Verdict.NOT_REVEALED

    def to_dict(self) -> dict[str, Any]:
        """For JSON, in English."""
        told = {"verdict": self.verdict.value, "checked": self.checked, "pending": self.pending, **asdict(self)}
        told["problems"] = [{**asdict(each), "text": each.text.en} for each in self.problems]
        told["damage"] = [each.en for each in self.damage]
        return told
