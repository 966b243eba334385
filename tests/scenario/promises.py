"""What holds in every scenario without being written in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Final

from dispenser.journal import Record
from dispenser.launcher import messages as m
from dispenser.scenario.launcher.timeline import INSTANT_S, Span

if TYPE_CHECKING:
    from tests.scenario.rig import Rig

LATE_S = 0.001
"""A timer of the loop may be so late."""
_Wrongs = Iterator[tuple[str, float]]
"""Each thing that is wrong, and when."""


@dataclass(slots=True)
class Push:
    """One push of the button by a finger; ``sure`` when nothing was in the way of its being heard."""

    down_s: float
    up_s: float
    sure: bool


@dataclass(slots=True)
class Request:
    """One request of a person or a program.

    :ivar press: it asks for a press.
    :ivar request: the id that came with it.
    :ivar outcome: its record, or the error as text; ``None`` as long as there is no answer.
    """

    press: bool
    request: str | None
    outcome: Record | str | None = None


# --- the motor ---


def _runs(rig: Rig, *names: str) -> Iterator[Span]:
    for span in rig.timeline.spans(["motor", *names], 0.0, rig.timeline.end_s):
        if span.values["motor"] != "off" and span.length_s > INSTANT_S:
            yield span


def _motor_with_lid_up(rig: Rig) -> _Wrongs:
    for span in _runs(rig, "lid", "lid_contact"):
        if "open" in (span.values["lid"], span.values["lid_contact"]):
            yield f"the motor ran {span.values['motor']} {span}, the lid was up", span.from_s


def _motor_too_long(rig: Rig) -> _Wrongs:
    settings = rig.machine_settings
    starts = rig.timeline.of("notice", m.BurstStarted.type)
    for span in _runs(rig):
        limit_s = settings.retract_s
        if span.values["motor"] == "forward":
            planned = [start.data["planned"] for start in starts if start.at_s <= span.from_s + INSTANT_S]
            most = settings.max_burst_cards if rig.kills else 0  # what a killed service did not tell
            limit_s = settings.feed(max([most, *planned[-1:]])).timeout_s if planned or most else 0.0
        if span.length_s > limit_s + LATE_S:
            ran = f"the motor ran {span.values['motor']} {span}"
            yield f"{ran}, that is {span.length_s:.3f} s of at most {limit_s:g} s", span.from_s


# --- presses ---


def _presses(rig: Rig) -> _Wrongs:
    answers = [each for each in rig.written if each.type in {m.PressAccepted.type, m.PressRefused.type}]
    numbers = [record.data["press"] for record in answers]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the answered presses have the numbers {numbers}", 0.0
    counted = rig.timeline.value("presses", rig.timeline.end_s)
    if counted is not None and counted > len(numbers):
        yield f"{counted} presses were counted, {len(numbers)} answered", rig.timeline.end_s
    yield from _asked(rig, {record.seq for record in answers})
    if "button" not in rig.take.raw_lines:
        by_button = [record for record in answers if (record.source, record.data["source"]) == ("launcher", "button")]
        yield from _pushed(rig, len(by_button))


def _asked(rig: Rig, written: set[int]) -> _Wrongs:
    """Each request has an answer of its own; the same request again has the same one."""
    answered: set[tuple[str, int]] = set()
    for number, asked in enumerate(rig.requests):
        if asked.press and isinstance(asked.outcome, Record):
            answered.add((asked.request or f"request {number}", asked.outcome.seq))
        elif asked.press and not asked.outcome and not rig.kills:  # an error in words is an answer, too
            yield "a request for a press was never answered", 0.0
    requests, answers = {request for request, _ in answered}, {seq for _, seq in answered}
    if not len(requests) == len(answers) == len(answered):
        yield f"requests and answers do not go together: {sorted(answered)}", 0.0
    if not answers <= written:
        yield f"the answers {sorted(answers - written)} to presses are not in the journal", 0.0


def _pushed(rig: Rig, answered: int) -> _Wrongs:
    """Between the pushes that must have been heard and all there were."""
    timing, worst_s = rig.setup.timing, rig.setup.simulator.bounce_worst_ms / 1000
    long_s = timing.button_settle_s + worst_s + LATE_S
    sure = sum(
        push.sure and push.up_s - push.down_s >= long_s and push.down_s - before.up_s >= long_s
        for before, push in pairwise([Push(0, -long_s, sure=True), *rig.pushes])
    )
    if not sure <= answered <= len(rig.pushes):
        last_s = rig.pushes[-1].down_s if rig.pushes else 0.0
        yield f"{len(rig.pushes)} pushes of the button ({sure} of them sure) had {answered} answers", last_s


def _ends(rig: Rig) -> _Wrongs:
    written = rig.written
    accepted = [record.data["press"] for record in written if record.type == m.PressAccepted.type]
    ended = [record.data["press"] for record in written if record.type in {m.BurstEnded.type, m.BurstLost.type}]
    if accepted != ended:
        yield f"accepted were the presses {accepted}, ended {ended}", 0.0


# --- journal and cards ---


def _journal(rig: Rig) -> _Wrongs:
    written = rig.written
    if rig.misfit is not None:
        yield f"record {rig.misfit} does not fit the chain", 0.0
    for number, (told, record) in enumerate(zip_longest(rig.heard, written), 1):
        if told != record or record is None or record.seq != number:
            yield f"what was told is not what is written: record {number}", 0.0


PROMISES: Final[dict[str, Callable[[Rig], _Wrongs]]] = {
    "the motor never runs with the lid up": _motor_with_lid_up,
    "the motor never runs longer than its limit": _motor_too_long,
    "every press is answered exactly once": _presses,
    "every accepted press ends exactly once": _ends,
    "the journal has no gap and says what everybody was told": _journal,
    "no card is lost: those put in are in the stack, on their way or out": lambda rig: iter(rig.missing_cards),
    "nothing goes wrong unexpectedly": lambda rig: iter(rig.error_log.errors),
}
