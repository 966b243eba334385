"""What holds in every scenario without being written in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from dispenser.journal import Entry
from dispenser.launcher import messages as m
from dispenser.scenario.launcher.judge import Finding
from dispenser.scenario.launcher.stage import Push, Stage
from dispenser.scenario.launcher.timeline import INSTANT_S, Span

LATE_S = 0.001
"""A timer of the loop may be so late."""


def check_promises(stage: Stage) -> list[Finding]:
    """Look at a stage that has been closed."""
    return [
        _promise("the motor never runs with the lid up", _motor_with_lid_up(stage)),
        _promise("the motor never runs longer than its limit", _motor_too_long(stage)),
        _promise("every press is answered exactly once", _presses(stage)),
        _promise("every accepted press ends exactly once", _ends(stage)),
        _promise("the journal has no gap and says what everybody was told", _journal(stage)),
        _promise("no card is lost: those put in are in the stack, on their way or out", iter(stage.missing_cards)),
        _promise("nothing goes wrong unexpectedly", iter(stage.watch.mishaps)),
    ]


def _promise(what: str, wrongs: Iterator[tuple[str, float]]) -> Finding:
    seen, at_s = next(wrongs, ("", 0.0))
    return Finding("promise", what, seen, at_s)


def _runs(stage: Stage, *names: str) -> Iterator[Span]:
    for span in stage.timeline.spans(["motor", *names], 0.0, stage.timeline.end_s):
        if span.values["motor"] != "off" and span.length_s > INSTANT_S:
            yield span


def _motor_with_lid_up(stage: Stage) -> Iterator[tuple[str, float]]:
    for span in _runs(stage, "lid", "lid_contact"):
        if "open" in (span.values["lid"], span.values["lid_contact"]):
            yield f"the motor ran {span.values['motor']} {_from_to(span)}, the lid was up", span.from_s


def _motor_too_long(stage: Stage) -> Iterator[tuple[str, float]]:
    settings = stage.computer.machine_settings
    starts = stage.timeline.of("notice", m.BurstStarted.type)
    for span in _runs(stage):
        limit_s = settings.retract_s
        if span.values["motor"] == "forward":
            planned = [start.data["planned"] for start in starts if start.at_s <= span.from_s + INSTANT_S]
            limit_s = settings.feed(planned[-1]).timeout_s if planned else 0.0
        if span.length_s > limit_s + LATE_S:
            ran = f"the motor ran {span.values['motor']} {_from_to(span)}"
            yield f"{ran}, that is {span.length_s:.3f} s of at most {limit_s:g} s", span.from_s


def _from_to(span: Span) -> str:
    return f"from {span.from_s:.3f} to {span.to_s:.3f} s"


# --- presses ---

_ANSWERS = (m.PressAccepted.type, m.PressRefused.type)


def _presses(stage: Stage) -> Iterator[tuple[str, float]]:
    answers = [entry for entry in stage.computer.written if entry.type in _ANSWERS]
    numbers = [entry.data["press"] for entry in answers]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the answered presses have the numbers {numbers}", 0.0
    counted = stage.timeline.tracks["presses"].at(stage.timeline.end_s)
    if counted is not None and counted > len(numbers):
        yield f"{counted} presses were counted, {len(numbers)} answered", stage.timeline.end_s
    yield from _asked(stage, answers)
    yield from _pushed(stage, sum(entry.source == "launcher" and _by_button(entry) for entry in answers))


def _by_button(entry: Entry) -> bool:
    return bool(entry.data["source"] == "button")


def _asked(stage: Stage, answers: list[Entry]) -> Iterator[tuple[str, float]]:
    """Each request has an answer of its own; the same request again has the same one."""
    written = {entry.seq for entry in answers}
    of_request: dict[int, str | None] = {}
    for number, ask in enumerate(stage.computer.asks):
        if not ask.press or (isinstance(ask.outcome, str) and ask.outcome):
            continue  # an error in words is an answer, too: that press does not count
        if not isinstance(ask.outcome, Entry):
            if ask.outcome is not None or stage.computer.kills == 0:
                yield "a request for a press was never answered", 0.0
            continue
        seq, id_ = ask.outcome.seq, ask.request or f"request {number}"
        if seq not in written:
            yield f"the answer {seq} to a press is not in the journal", 0.0
        if of_request.setdefault(seq, id_) != id_:
            yield f"the answer {seq} was given to two presses", 0.0
    if len(set(of_request.values())) != len(of_request):
        yield "one request was answered by two presses", 0.0


def _pushed(stage: Stage, answered: int) -> Iterator[tuple[str, float]]:
    """Between the pushes that must have been heard and all there were."""
    if "button" in stage.raw_lines:
        return
    timing, worst_s = stage.setup.settings.timing, stage.setup.toy.bounce_worst_ms / 1000
    long_s = timing.button_settle_s + worst_s + LATE_S
    previous = [Push(0, -long_s, sure=True), *stage.pushes]
    sure = sum(
        push.sure and push.up_s - push.down_s >= long_s and push.down_s - before.up_s >= long_s
        for before, push in pairwise(previous)
    )
    if not sure <= answered <= len(stage.pushes):
        last_s = stage.pushes[-1].down_s if stage.pushes else 0.0
        yield f"{len(stage.pushes)} pushes of the button ({sure} of them sure) had {answered} answers", last_s


def _ends(stage: Stage) -> Iterator[tuple[str, float]]:
    ends = [entry for entry in stage.computer.written if entry.type in {m.BurstEnded.type, m.BurstLost.type}]
    accepted = [entry.data["press"] for entry in stage.computer.written if entry.type == m.PressAccepted.type]
    ended = [entry.data["press"] for entry in ends]
    if accepted != ended:
        wrong = sorted(set(accepted) ^ set(ended)) or sorted({press for press in ended if ended.count(press) > 1})
        yield f"accepted {accepted}, ended {ended}: look at press {wrong}", 0.0


# --- journal and cards ---


def _journal(stage: Stage) -> Iterator[tuple[str, float]]:
    written = stage.computer.written
    if stage.computer.misfit is not None:
        yield f"entry {stage.computer.misfit} does not fit the chain", 0.0
    if [entry.seq for entry in written] != list(range(1, len(written) + 1)):
        yield "the numbers of the entries are not 1, 2, 3 …", 0.0
    if stage.watch.told != written:
        odd = next(
            (number for number, pair in enumerate(zip(stage.watch.told, written, strict=False)) if pair[0] != pair[1]),
            None,
        )
        where = (
            f"entry {odd + 1} differs" if odd is not None else f"{len(stage.watch.told)} told, {len(written)} written"
        )
        yield f"what was told is not what is written: {where}", 0.0
