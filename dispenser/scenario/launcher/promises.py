"""What holds in every scenario without being written in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, zip_longest
from typing import Final

from dispenser.journal import Record
from dispenser.launcher import messages as m
from dispenser.scenario.launcher.judge import Finding
from dispenser.scenario.launcher.stage import Push, Stage
from dispenser.scenario.launcher.timeline import INSTANT_S, Span

LATE_S = 0.001
"""A timer of the loop may be so late."""
_Wrongs = Iterator[tuple[str, float]]
"""Each thing that is wrong, and when."""


def check_promises(stage: Stage) -> list[Finding]:
    """Look at a stage that has been closed."""
    return [Finding("promise", what, *next(wrongs(stage), ("", 0.0))) for what, wrongs in _PROMISES.items()]


# --- the motor ---


def _runs(stage: Stage, *names: str) -> Iterator[Span]:
    for span in stage.timeline.spans(["motor", *names], 0.0, stage.timeline.end_s):
        if span.values["motor"] != "off" and span.length_s > INSTANT_S:
            yield span


def _motor_with_lid_up(stage: Stage) -> _Wrongs:
    for span in _runs(stage, "lid", "lid_contact"):
        if "open" in (span.values["lid"], span.values["lid_contact"]):
            yield f"the motor ran {span.values['motor']} {span}, the lid was up", span.from_s


def _motor_too_long(stage: Stage) -> _Wrongs:
    settings = stage.computer.machine_settings
    starts = stage.timeline.of("notice", m.BurstStarted.type)
    for span in _runs(stage):
        limit_s = settings.retract_s
        if span.values["motor"] == "forward":
            planned = [start.data["planned"] for start in starts if start.at_s <= span.from_s + INSTANT_S]
            most = settings.max_burst_cards if stage.computer.kills else 0  # what a killed service did not tell
            limit_s = settings.feed(max([most, *planned[-1:]])).timeout_s if planned or most else 0.0
        if span.length_s > limit_s + LATE_S:
            ran = f"the motor ran {span.values['motor']} {span}"
            yield f"{ran}, that is {span.length_s:.3f} s of at most {limit_s:g} s", span.from_s


# --- presses ---


def _presses(stage: Stage) -> _Wrongs:
    answers = [each for each in stage.computer.written if each.type in {m.PressAccepted.type, m.PressRefused.type}]
    numbers = [entry.data["press"] for entry in answers]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the answered presses have the numbers {numbers}", 0.0
    counted = stage.timeline.tracks["presses"].at(stage.timeline.end_s)
    if counted is not None and counted > len(numbers):
        yield f"{counted} presses were counted, {len(numbers)} answered", stage.timeline.end_s
    yield from _asked(stage, {entry.seq for entry in answers})
    if "button" not in stage.raw_lines:
        by_button = [entry for entry in answers if (entry.source, entry.data["source"]) == ("launcher", "button")]
        yield from _pushed(stage, len(by_button))


def _asked(stage: Stage, written: set[int]) -> _Wrongs:
    """Each request has an answer of its own; the same request again has the same one."""
    answered: set[tuple[str, int]] = set()
    for number, ask in enumerate(stage.computer.asks):
        if ask.press and isinstance(ask.outcome, Record):
            answered.add((ask.request or f"request {number}", ask.outcome.seq))
        elif ask.press and not ask.outcome and not stage.computer.kills:  # an error in words is an answer, too
            yield "a request for a press was never answered", 0.0
    requests, answers = {request for request, _ in answered}, {seq for _, seq in answered}
    if not len(requests) == len(answers) == len(answered):
        yield f"requests and answers do not go together: {sorted(answered)}", 0.0
    if not answers <= written:
        yield f"the answers {sorted(answers - written)} to presses are not in the journal", 0.0


def _pushed(stage: Stage, answered: int) -> _Wrongs:
    """Between the pushes that must have been heard and all there were."""
    timing, worst_s = stage.setup.timing, stage.setup.toy.bounce_worst_ms / 1000
    long_s = timing.button_settle_s + worst_s + LATE_S
    sure = sum(
        push.sure and push.up_s - push.down_s >= long_s and push.down_s - before.up_s >= long_s
        for before, push in pairwise([Push(0, -long_s, sure=True), *stage.pushes])
    )
    if not sure <= answered <= len(stage.pushes):
        last_s = stage.pushes[-1].down_s if stage.pushes else 0.0
        yield f"{len(stage.pushes)} pushes of the button ({sure} of them sure) had {answered} answers", last_s


def _ends(stage: Stage) -> _Wrongs:
    written = stage.computer.written
    accepted = [entry.data["press"] for entry in written if entry.type == m.PressAccepted.type]
    ended = [entry.data["press"] for entry in written if entry.type in {m.BurstEnded.type, m.BurstLost.type}]
    if accepted != ended:
        yield f"accepted were the presses {accepted}, ended {ended}", 0.0


# --- journal and cards ---


def _journal(stage: Stage) -> _Wrongs:
    written = stage.computer.written
    if stage.computer.misfit is not None:
        yield f"entry {stage.computer.misfit} does not fit the chain", 0.0
    for number, (told, entry) in enumerate(zip_longest(stage.watch.told, written), 1):
        if told != entry or entry is None or entry.seq != number:
            yield f"what was told is not what is written: entry {number}", 0.0


_PROMISES: Final[dict[str, Callable[[Stage], _Wrongs]]] = {
    "the motor never runs with the lid up": _motor_with_lid_up,
    "the motor never runs longer than its limit": _motor_too_long,
    "every press is answered exactly once": _presses,
    "every accepted press ends exactly once": _ends,
    "the journal has no gap and says what everybody was told": _journal,
    "no card is lost: those put in are in the stack, on their way or out": lambda stage: iter(stage.missing_cards),
    "nothing goes wrong unexpectedly": lambda stage: iter(stage.watch.mishaps),
}
