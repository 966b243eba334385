"""State that all parts of the simulator share: parameters, time, random stream, faults, listeners."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from dispenser.clocks.virtual import VirtualWorld
from dispenser.simulator.faults import FaultPanel
from dispenser.simulator.parameters import SimulatorParameters
from dispenser.simulator.view import Happening


class Purpose(enum.IntEnum):
    """Purposes of random draws. Changing a number changes the results of every seed."""

    CARD = 1
    JAM = 2
    BUTTON = 3
    LID = 4
    FLUTTER = 5


@dataclass(frozen=True, slots=True)
class Shared:
    """State of one simulated launcher.

    :param agenda: its time and its scheduled events; time never passes an event that has not been executed.
    :param seed: seed of all randomness: the same seed gives the same launcher.
    :param report: notifies listeners of an event.
    """

    parameters: SimulatorParameters
    agenda: VirtualWorld
    seed: int
    faults: FaultPanel
    report: Callable[[Happening, float | str | None], None]

    def chance(self, purpose: Purpose, number: int) -> Random:
        """Return a generator that depends on the seed, the purpose and a number, not on the time of the call."""
        return Random((((self.seed << 8) | purpose) << 64) | number)
