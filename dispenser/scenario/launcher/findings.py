"""What came of one expectation or promise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that had to be so.

    :param name: where it stands, such as ``[[expect]] 2``; ``promise`` for what holds in every scenario.
    :param what: what had to be so, in words.
    :param seen: what was seen instead; empty when all is well.
    :param at_s: where to look on the timeline.
    """

    name: str
    what: str
    seen: str = ""
    at_s: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.seen
