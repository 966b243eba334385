"""Propose settings from measured values, each with its reason. Pure functions."""

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
from dispenser.maintenance.wizard import Answer, Doing, Step, asked, good, left_out

SETTINGS = "settings"  # Name of the step that asks
MOST_BUTTON_SETTLE_S = 0.06
"""Upper limit: longer settling takes a push for bounce (assumed: pushes last 80 ms, the worst contacts bounce 20)."""
_CELLS = 2.2
"""On flat cells durations are this many times as long as on fresh ones (simulated launcher, 2.7 V against 4.8)."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A new value for a setting, with the measured reason."""

    table: str
    key: str
    now: float
    proposed: float
    why: Text


def propose(measured: Measured, timing: GpioTiming, launcher: MachineSettings, *, can_brake: bool) -> list[Proposal]:
    """Return settings for this launcher, without those whose value would not change."""
    tables = {"timing": timing, "launcher": launcher}
    proposals = [
        *(("timing", *each) for each in (*_of_contacts(measured), *_of_motor(measured, timing, can_brake))),
        *(("launcher", *each) for each in _of_cards(measured)),
    ]
    now = [Proposal(table, key, getattr(tables[table], key), value, why) for table, key, value, why in proposals]
    return [each for each in now if each.proposed != each.now]


_Figures = Iterator[tuple[str, float, Text]]  # Key, value and reason


def _of_contacts(measured: Measured) -> _Figures:
    why = Text("three times the longest bounce, {ms:.1f} ms, and {least:.0f} ms at least: a contact gets worse")
    for key, values, least_s, most_s in (
        ("button_settle_s", measured.button_bounce, 0.02, MOST_BUTTON_SETTLE_S),
        ("lid_settle_s", measured.lid_bounce, 0.03, 1.0),
    ):
        if values:
            yield key, _up(max(values) * 3, 5, least_s, most_s), why.filled(ms=max(values), least=least_s * 1e3)


def _of_motor(measured: Measured, timing: GpioTiming, can_brake: bool) -> _Figures:
    if measured.gap:
        shortest, flicker = min(measured.gap), max(measured.flicker, default=0.0)
        why = Text("longer than a flicker ({flicker:.1f} ms), and half of the shortest gap ({gap:.1f} ms) at most")
        settle_s = min(_up(flicker * 1.5, 0.5, 0.003, 0.005), math.floor(shortest * 5) / 1e4)
        yield "exit_settle_s", settle_s, why.filled(flicker=flicker, gap=shortest)
    if (late := max(measured.late, default=None)) is not None:
        why = Text("three times as long as a card was seen to leave after the motor ({ms:.0f} ms), and some")
        yield "coast_s", _up(late * 3 + 30, 10, 0.06, 2.0), why.filled(ms=late)
    if can_brake and timing.brake_s > 0 and (braked := measured.braked_ms()) is not None:
        why = Text("the brake lets the roller turn on by {ms:.1f} ms at full speed; without, it is {coast:.1f} ms")
        coast = measured.coast_ms() or math.nan
        yield "brake_s", _up(braked * 4 + 20, 5, 0.03, 0.5), why.filled(ms=braked, coast=coast)


def _of_cards(measured: Measured) -> _Figures:
    if not (measured.period and measured.first_after):
        return
    period, first = statistics.median(measured.period), statistics.median(measured.first_blocked)
    after, longest = statistics.median(measured.first_after), max(*measured.first_blocked, *measured.blocked)
    why = Text("three and a half times as long as a card takes, {ms:.0f} ms: flat batteries, and a margin")
    yield "feed_card_s", _up(period * 3.5, 5, 0.05, 1.0), why.filled(ms=period)
    why = Text("two cards that overlap, on flat batteries: five times the longest card, {ms:.0f} ms")
    yield "stall_s", _up(longest * 5, 10, 0.1, 5.0), why.filled(ms=longest)
    least, second_out = after * _CELLS, after + first + period
    why = Text("between the first card on flat batteries ({first:.0f} ms) and two cards unseen ({second:.0f} ms)")
    blind_s = _up((least + max(least, second_out)) / 2, 5, 0.05, 5.0)
    yield "blind_s", blind_s, why.filled(first=least, second=second_out)
    why = Text("the first card of a run blocks the exit for so long: one that takes longer may be two")
    yield "first_card_ms", round(first, 1), why


def _up(ms: float, step_ms: float, least_s: float, most_s: float) -> float:
    """Round up to a multiple of ``step_ms``, limit, and convert to seconds."""
    return min(most_s, max(least_s, round(math.ceil(ms / step_ms) * step_ms / 1e3, 4)))


@dataclass
class Asking:
    """The last step of a calibration: asks whether to write the proposed settings. It does not write them itself.

    :param file: the settings file to change; ``None``: none, as the launcher measured is not that of the settings.
    :ivar proposals: set when the step begins.
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
            return left_out(Text("they are right as they are"))
        if self.file is None:
            yield from asked(Text("These settings would suit this launcher."), Answer.GO)
            return left_out(Text("nothing is written of a simulated launcher"))
        write = Text("Write these settings into {file}?").filled(file=self.file)
        answer = yield from asked(write, Answer.YES, Answer.NO)
        return good(Text("yes")) if answer is Answer.YES else left_out(Text("they stay as they were"))

    def changes(self) -> dict[str, dict[str, float]]:
        """Return the proposed values by table and key."""
        changes: dict[str, dict[str, float]] = {}
        for each in self.proposals:
            changes.setdefault(each.table, {})[each.key] = each.proposed
        return changes
