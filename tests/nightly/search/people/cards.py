"""The real cards on, in and around the launcher."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random


@dataclass
class Hands:
    """The real cards.

    :ivar stack: in the launcher, the next one last.
    :ivar talon: on the table, the top one last.
    """

    dice: Random
    stack: list[int]
    of: dict[int, list[int]] = field(default_factory=dict)
    talon: list[int] = field(default_factory=list)

    def come_out(self, person: int, cards: int) -> int:
        """The launcher lets them out to somebody; returns how many there were."""
        came = 0
        while came < cards and self.stack:
            self.of[person].append(self.stack.pop())
            came += 1
        return came

    def go_back(self, person: int, cards: int) -> None:
        """Cards that nobody owed lie below the others again: those that came last."""
        for _ in range(cards):
            self.stack.insert(0, self.of[person].pop())

    def lift(self, stays: int) -> None:
        """The talon but its top goes into the launcher, shuffled."""
        lifted = self.talon[:-stays]
        self.dice.shuffle(lifted)
        self.stack[:0] = lifted
        del self.talon[:-stays]

    def everything(self) -> Counter[int]:
        return Counter([*self.stack, *self.talon, *(card for hand in self.of.values() for card in hand)])
