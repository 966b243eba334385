"""Odds that bring what a scenario has planned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from dispenser.launcher.settings import MachineSettings
from dispenser.luck.odds import Outcome
from dispenser.scenario.launcher.notices import Seconds, Whole

_JUST_BELOW_1 = 1 - 2**-53


class Planned(Struct, frozen=True):
    """What one press brings.

    :param cards: 0 is a dud.
    :param suspense: length of the drum roll, seconds; else the middle of what the settings allow.
    """

    cards: Whole
    suspense: Seconds | UnsetType = UNSET


class PlannedOdds:
    """One outcome after the other; the last one again and again.

    :param next_draw: number of the next draw, from 1; a launcher that is started again goes on in the same plan.
    """

    def __init__(self, planned: Sequence[Planned], next_draw: Callable[[], int], settings: MachineSettings) -> None:
        self._planned = planned
        self._next_draw = next_draw
        self._low_s = settings.suspense_min_s
        self._range_s = settings.suspense_max_s - settings.suspense_min_s

    def reset(self) -> None:
        """Nothing changes: the plan does not know how long the launcher has been on."""

    def draw(self) -> Outcome:
        draw = self._next_draw()
        planned = self._planned[min(draw, len(self._planned)) - 1]
        return Outcome(draw, planned.cards, self._suspense(planned))

    def _suspense(self, planned: Planned) -> float:
        if planned.suspense is UNSET or not self._range_s:
            return 0.5
        return min(_JUST_BELOW_1, (planned.suspense - self._low_s) / self._range_s)

    def describe(self) -> dict[str, Any]:
        return {"planned": [planned.cards for planned in self._planned]}
