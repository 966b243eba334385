"""How a scenario begins, and odds that bring what it has planned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

from dispenser.config import ErrorList, WrongValueError, error_at
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.i18n import Text
from dispenser.launcher.settings import MachineSettings
from dispenser.odds.odds import Outcome
from dispenser.scenario.launcher.expectations import NOT_BOTH, Seconds, Whole
from dispenser.service.settings import Settings, check
from dispenser.simulator import ToyParameters

LineName = Literal["button", "lid", "exit"]
_WHOLE: Final = Text("write a whole number from 0 to {most}")


class Planned(Struct, frozen=True):
    """What one press brings.

    :ivar cards: 0 is a dud.
    :ivar suspense: length of the drum roll, seconds; else the middle of what the settings allow.
    """

    cards: Whole
    suspense: Seconds | UnsetType = UNSET


class Setup(Struct, frozen=True):
    """``[setup]``: the settings are those of the configuration file.

    :ivar planned: what the presses bring, one after the other, the last one again and again; empty: the odds decide.
    :ivar raw_lines: input lines that the file's edges move, and not the toy; ``lid``, ``button``, ``exit`` begin them.
    """

    toy: ToyParameters
    cards: Whole | UnsetType = UNSET
    lid: Literal["open", "shut"] = "shut"
    button: Literal["down", "up"] = "up"
    exit: Literal["blocked", "free"] = "free"
    planned: list[Whole | Planned] = []
    odds: dict[str, Any] | UnsetType = UNSET
    raw_lines: list[LineName] = []
    launcher: MachineSettings = MachineSettings()
    pins: GpioWiring = GpioWiring()
    timing: GpioTiming = GpioTiming()

    def __post_init__(self) -> None:
        most = self.toy.stack_capacity_cards
        if self.cards is not UNSET and self.cards > most:
            raise WrongValueError(_WHOLE.filled(most=most), "cards")
        if self.planned and self.odds is not UNSET:
            raise WrongValueError(NOT_BOTH.filled(first="planned", second="odds"), "planned")

    @property
    def cards_at_first(self) -> int:
        """In the stack; a full stack when nothing is said."""
        return self.toy.stack_capacity_cards if self.cards is UNSET else self.cards

    @property
    def settings(self) -> Settings:
        settings = Settings(launcher=self.launcher, pins=self.pins, timing=self.timing)
        return settings if self.odds is UNSET else replace(settings, odds=self.odds)

    @property
    def plan(self) -> list[Planned]:
        """What the presses bring, each in full."""
        return [each if isinstance(each, Planned) else Planned(each) for each in self.planned]

    @property
    def begun(self) -> dict[str, bool]:
        """How the input lines begin: button down, lid open, exit blocked."""
        return {"button": self.button == "down", "lid": self.lid == "open", "exit": self.exit == "blocked"}

    def check(self) -> None:
        """:raises TableError: what does not go together, naming each key, wrong value and remedy."""
        errors = ErrorList()
        with errors.collect():
            check(self.settings, ("setup",))
        launcher = self.launcher
        low_s, high_s = launcher.suspense_min_s, launcher.suspense_max_s
        for number, each in enumerate(self.plan, 1):
            place = ("setup", "planned", number)
            if each.cards > launcher.max_burst_cards:
                errors.append(error_at((*place, "cards"), _WHOLE.filled(most=launcher.max_burst_cards), each.cards))
            elif each.suspense is not UNSET and not low_s <= each.suspense <= high_s:
                seconds = Text("write a number of seconds from {low} to {high}")
                remedy = seconds.filled(low=f"{low_s:g}", high=f"{high_s:g}")
                errors.append(error_at((*place, "suspense"), remedy, each.suspense))
        errors.raise_if_any()


class PlannedOdds:
    """One outcome after the other; the last one again and again.

    :param numbers: of the draws, from 1; a launcher that is started again goes on in the same plan.
    """

    def __init__(self, plan: list[Planned], numbers: Iterator[int], settings: MachineSettings) -> None:
        self._plan = plan
        self._numbers = numbers
        self._settings = settings

    def reset(self) -> None:
        """Nothing changes: the plan does not know how long the launcher has been on."""

    def draw(self) -> Outcome:
        number = next(self._numbers)
        planned, low_s = self._plan[min(number, len(self._plan)) - 1], self._settings.suspense_min_s
        range_s = self._settings.suspense_max_s - low_s
        if planned.suspense is UNSET or not range_s:
            return Outcome(number, planned.cards, 0.5)
        return Outcome(number, planned.cards, min(1 - 2**-53, (planned.suspense - low_s) / range_s))

    def describe(self) -> dict[str, Any]:
        return {"planned": [planned.cards for planned in self._plan]}
