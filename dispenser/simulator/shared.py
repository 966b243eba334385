"""State that all parts of the simulator share: parameters, time, random stream, faults, listeners."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from dispenser.clocks.virtual import VirtualWorld
from dispenser.simulator.faults import FaultPanel
from dispenser.simulator.parameters import ToyParameters
from dispenser.simulator.view import Happening


class Purpose(enum.IntEnum):
    """What a draw is for. Changing a number changes every toy with the same seed."""

    CARD = 1
    JAM = 2
    BUTTON = 3
    LID = 4
    FLUTTER = 5


@dataclass(frozen=True, slots=True)
class Shared:
    """Of one toy.

    :param agenda: the toy's own time, and what will happen; time never passes a thing that has not happened yet.
    :param seed: all chance comes from it: same seed, same toy.
    :param tell: tells listeners what has happened.
    """

    parameters: ToyParameters
    agenda: VirtualWorld
    seed: int
    faults: FaultPanel
    tell: Callable[[Happening, float | str | None], None]

    def chance(self, purpose: Purpose, number: int) -> Random:
        """A draw depends on the seed and on what it is for, not on when it is made."""
        return Random((((self.seed << 8) | purpose) << 64) | number)
