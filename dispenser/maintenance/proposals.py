"""From what was measured to settings, each with the reason for it. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dispenser.drivers.gpio.wiring import GpioTiming
from dispenser.i18n import Text
from dispenser.launcher.settings import MachineSettings
from dispenser.maintenance.measured import Measured
from dispenser.maintenance.steps import Answer, Doing, Hand, Step, Wait, first_of, good, left_out

SETTINGS = "settings"
"""The name of the step that asks."""
MOST_BUTTON_SETTLE_S = 0.06
"""What settles for longer takes a push for bounce (assumed: an ordinary one lasts 80 ms, the worst contacts bounce for
20)."""
_CELLS = 2.2
"""On flat cells all takes about so many times as long as on fresh ones (simulated launcher, 2.7 V against 4.8)."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Another value for a setting.

    :param why: the figure that it follows from.
    """

    table: str
    key: str
    now: float
    proposed: float
    why: Text


def propose(measured: Measured, timing: GpioTiming, launcher: MachineSettings, *, can_brake: bool) -> list[Proposal]:
    """Settings for this launcher; those that are right as they are, are not among them."""
    proposals = [
        *_of_contacts(measured, timing),
        *_of_motor(measured, timing, can_brake),
        *_of_cards(measured, launcher),
    ]
    return [each for each in proposals if each.proposed != each.now]


def _of_contacts(measured: Measured, timing: GpioTiming) -> Iterator[Proposal]:
    why = Text("three times the longest bounce, {ms:.1f} ms, and {least:.0f} ms at least: a contact gets worse")
    for key, values, least_s, most_s in (
        ("button_settle_s", measured.button_bounce, 0.02, MOST_BUTTON_SETTLE_S),
        ("lid_settle_s", measured.lid_bounce, 0.03, 1.0),
    ):
        if values:
            settle_s = _up(max(values) * 3, 5, least_s, most_s)
            yield Proposal(
                "timing", key, getattr(timing, key), settle_s, why.filled(ms=max(values), least=least_s * 1e3)
            )


def _of_motor(measured: Measured, timing: GpioTiming, can_brake: bool) -> Iterator[Proposal]:
    if measured.gap:
        shortest = min(measured.gap)
        flicker = max(measured.flicker, default=0.0)
        why = Text("longer than a flicker ({flicker:.1f} ms), and half of the shortest gap ({gap:.1f} ms) at most")
        settle_s = min(_up(flicker * 1.5, 0.5, 0.003, 0.005), math.floor(shortest * 5) / 1e4)
        yield Proposal(
            "timing", "exit_settle_s", timing.exit_settle_s, settle_s, why.filled(flicker=flicker, gap=shortest)
        )
    if (late := measured.late_ms()) is not None:
        coast_s = _up(late * 3 + 30, 10, 0.06, 2.0)
        why = Text("three times as long as a card was seen to leave after the motor ({ms:.0f} ms), and some")
        yield Proposal("timing", "coast_s", timing.coast_s, coast_s, why.filled(ms=late))
    if can_brake and timing.brake_s > 0 and (braked := measured.braked_ms()) is not None:
        why = Text("the brake lets the roller turn on by {ms:.1f} ms at full speed; without, it is {coast:.1f} ms")
        brake_s = _up(braked * 4 + 20, 5, 0.03, 0.5)
        coast = measured.coast_ms() or math.nan
        yield Proposal("timing", "brake_s", timing.brake_s, brake_s, why.filled(ms=braked, coast=coast))


def _of_cards(measured: Measured, launcher: MachineSettings) -> Iterator[Proposal]:
    if not (measured.period and measured.first_after):
        return
    period, first = statistics.median(measured.period), statistics.median(measured.first_blocked)
    after, longest = statistics.median(measured.first_after), max(*measured.first_blocked, *measured.blocked)
    why = Text("three and a half times as long as a card takes, {ms:.0f} ms: flat cells, and a margin")
    yield Proposal(
        "launcher", "feed_card_s", launcher.feed_card_s, _up(period * 3.5, 5, 0.05, 1.0), why.filled(ms=period)
    )
    why = Text("two cards that overlap, on flat cells: five times the longest card, {ms:.0f} ms")
    yield Proposal("launcher", "stall_s", launcher.stall_s, _up(longest * 5, 10, 0.1, 5.0), why.filled(ms=longest))
    least, second_out = after * _CELLS, after + first + period
    why = Text("between the first card on flat cells ({first:.0f} ms) and two cards unseen ({second:.0f} ms)")
    blind_s = _up((least + max(least, second_out)) / 2, 5, 0.05, 5.0)
    blind_why = why.filled(first=least, second=second_out)
    yield Proposal("launcher", "blind_s", launcher.blind_s, blind_s, blind_why)
    why = Text("the first card of a run blocks the exit for so long: one that takes longer may be two")
    yield Proposal("launcher", "first_card_ms", launcher.first_card_ms, round(first, 1), why)


def _up(ms: float, step_ms: float, least_s: float, most_s: float) -> float:
    """Rounded up to a figure that people like to read, in seconds."""
    return min(most_s, max(least_s, round(math.ceil(ms / step_ms) * step_ms / 1e3, 4)))


@dataclass
class Asking:
    """The last step of a calibration: whether the settings that follow are to be written. It writes nothing itself.

    :param file: where they would go; ``None``: nowhere, what was measured is no launcher of this settings file.
    :ivar proposals: known once the step has begun.
    """

    measured: Measured
    timing: GpioTiming
    launcher: MachineSettings
    can_brake: bool
    file: Path | None
    proposals: list[Proposal] = field(default_factory=list)

    def step(self) -> Step:
        return Step(SETTINGS, Text("The settings"), self._ask)

    def _ask(self) -> Doing:
        self.proposals = propose(self.measured, self.timing, self.launcher, can_brake=self.can_brake)
        if not self.proposals:
            return left_out(SETTINGS, Text("they are right as they are"))
        if self.file is None:
            yield from first_of(Wait(Text("These would suit it."), Hand.LOOK, answers=(Answer.GO,)))
            return left_out(SETTINGS, Text("nothing is written of a simulated launcher"))
        asked = Text("Write these settings into {file}?").filled(file=self.file)
        answer = yield from first_of(Wait(asked, Hand.LOOK, answers=(Answer.YES, Answer.NO)))
        return (
            good(SETTINGS, Text("yes")) if answer is Answer.YES else left_out(SETTINGS, Text("they stay as they were"))
        )

    def changes(self) -> dict[str, dict[str, float]]:
        """By table and key."""
        changes: dict[str, dict[str, float]] = {}
        for each in self.proposals:
            changes.setdefault(each.table, {})[each.key] = each.proposed
        return changes
