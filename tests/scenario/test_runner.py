"""The runner sees what is so and says what is not; the rig's promises would notice a launcher that breaks them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from dispenser.drivers.gpio.motor import Motor
from dispenser.journal import Record
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.scenario.launcher.runner import Play, failures, line
from dispenser.scenario.launcher.timeline import Timeline
from dispenser.service.event_bus import EventBus
from dispenser.simulator import Toy
from tests.scenario.computer import Process, ProcessLoop
from tests.scenario.rig import parse, play

PRESS = """
title = "One press"
[setup]
planned = [3]
[[step]]
name = "press"
at = 1.0
do = "press"
"""
LID = PRESS + '[[step]]\nname = "lid"\nwhen = "launcher.card.left"\ndo = "lid up"\n'
WAITS = '[[step]]\nname = "x"\nwhen = "launcher.lid.opened"\ndo = "mark"\n'
ENDED = '[[expect]]\nnotice = "launcher.burst.ended"\n'


def played(text: str) -> Play:
    (only,) = play(parse(text))
    return only


def broken(text: str) -> set[str]:
    """The promises that did not hold."""
    return {finding.what for finding in played(text).findings if finding.name == "promise" and not finding.passed}


# --- expectations ---


@pytest.mark.parametrize(
    ("expectation", "seen"),
    [
        ('[[expect]]\nnotice = "launcher.burst.ended"\nwith = { delivered = 4 }', "but delivered was 3"),
        ('[[expect]]\nnotice = "launcher.card.left"\nexactly = 4', "3 of them, at 2."),
        ('[[expect]]\nnotice = "launcher.lid.opened"', "no such notice at all"),
        ('[[expect]]\nwithin = [0, 1]\nnotice = "launcher.burst.ended"', "none in that time, but at 2."),
        ('[[expect]]\nanswer = "too many"', 'no such answer; the answers were: "launcher.press.accepted" at 1.000 s'),
        ('[[expect]]\nat = 5\nstate = "feeding"', "state ready at 5.000 s"),
        ('[[expect]]\nthroughout = [0, 5]\nmotor = "off"', "motor forward from 2.100 to 2.2"),
        ('[[expect]]\nsince = "press"\nwithin = 1\nmotor = "forward"', "motor off from 1.000 to 2.000 s"),
        ('[[never]]\nmotor = "forward"', "motor forward from 2.100 to 2.2"),
        ('[[never]]\nmotor = "forward"\nlonger_than = 0.1', "motor forward from 2.100 to 2.2"),
        ('[[never]]\nnotice = "launcher.burst.started"', "1 of them, at 2.100 s"),
        ('[[never]]\nwithin = [3, 3]\nstate = "ready"', "state ready at 3.000 s"),
    ],
)
def test_what_was_seen_instead_is_told(expectation: str, seen: str) -> None:
    took = played(PRESS + expectation)
    (wrong,) = [finding for finding in took.findings if not finding.passed]
    assert seen in wrong.seen
    told = "\n".join(failures([took]))
    assert f"expected: {wrong.what}" in told
    assert f"seen:     {wrong.seen}" in told
    assert "- launcher.press.accepted" in told or wrong.at_s > 2


def test_a_never_may_last_as_long_as_it_says() -> None:
    assert played(PRESS + '[[never]]\nmotor = "forward"\nlonger_than = 0.5').passed


@pytest.mark.parametrize(
    ("steps", "seen"),
    [
        ('[[step]]\nat = 3\ndo = "clear the jam"', "the jammed card lies under the lid: open the lid first"),
        (WAITS, "did not come 1 ×"),
        (WAITS + '[[expect]]\nsince = "x"\nat = 1\nlid = "open"', 'the step "x" never happened'),
        (
            '[[step]]\nwhen = "launcher.burst.ended"\ndo = "mark"\n[[step]]\nat = 1.5\ndo = "mark"',
            "its time, 1.5 s, was over when the step before was done",
        ),
    ],
)
def test_a_step_that_cannot_be_done_in_its_time_is_a_failure(steps: str, seen: str) -> None:
    took = played(f"{PRESS}{steps}\n{ENDED}")
    assert any(seen in finding.seen for finding in took.findings if not finding.passed)


def test_the_same_file_gives_the_same_play_to_the_microsecond() -> None:
    first, second = played(LID + ENDED), played(LID + ENDED)
    assert [line(moment) for moment in first.timeline.moments] == [line(moment) for moment in second.timeline.moments]
    other = played(LID.replace("[setup]", 'seed = "another"\n[setup]') + ENDED)
    assert [moment.at_s for moment in other.timeline.moments] != [moment.at_s for moment in first.timeline.moments]


# --- promises: a launcher that breaks one is found out ---


def test_a_motor_that_does_not_stop_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for stop in ("off", "brake"):
        monkeypatch.setattr(Motor, stop, lambda _: None)
    assert {"the motor never runs with the lid up", "the motor never runs longer than its limit"} <= broken(LID + ENDED)


BY_BUTTON = PRESS.replace('do = "press"', 'do = "press button"')
NOT_ACCEPTED = '[[expect]]\nat = 1\nlid = "shut"'


@pytest.mark.parametrize(
    ("text", "output", "times", "promise"),
    [
        (PRESS + ENDED, m.PressAccepted, 2, "every press is answered exactly once"),
        (PRESS + NOT_ACCEPTED, m.PressAccepted, 0, "every press is answered exactly once"),
        (BY_BUTTON + NOT_ACCEPTED, m.PressAccepted, 0, "every press is answered exactly once"),
        (PRESS + ENDED, m.BurstEnded, 0, "every accepted press ends exactly once"),
    ],
)
def test_an_answer_given_twice_or_never_is_found_out(
    monkeypatch: pytest.MonkeyPatch, text: str, output: type[m.Output], times: int, promise: str
) -> None:
    def repeat(self: LauncherMachine, event: m.Event, now: float) -> list[m.Output]:
        return [out for out in step(self, event, now) for _ in range(times if isinstance(out, output) else 1)]

    step = LauncherMachine.step
    monkeypatch.setattr(LauncherMachine, "step", repeat)
    assert promise in broken(text)


def test_a_notice_that_is_not_told_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(self: EventBus, entries: Sequence[Record]) -> None:
        publish(self, [entry for entry in entries if entry.type != m.BurstStarted.type])

    publish = EventBus.publish
    monkeypatch.setattr(EventBus, "publish", forgetful)
    assert "the journal has no gap and says what everybody was told" in broken(PRESS + ENDED)


def test_a_card_that_vanishes_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Toy.load
    monkeypatch.setattr(Toy, "load", lambda self, cards: load(self, cards - (cards == 10)))
    unlucky = PRESS.replace("[setup]", "[setup]\ncards = 50") + '[[step]]\nat = 8\ndo = "put cards in"\ncards = 10\n'
    assert broken(unlucky + ENDED) == {"no card is lost: those put in are in the stack, on their way or out"}


def test_a_mistake_of_the_service_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(self: LauncherMachine, event: m.Event, now: float) -> list[m.Output]:
        if isinstance(event, m.EnterCount):
            raise KeyError("oops")
        return step(self, event, now)

    step = LauncherMachine.step
    monkeypatch.setattr(LauncherMachine, "step", stumble)
    text = PRESS + '[[step]]\nat = 8\ndo = "enter count"\npress = 1\ncards = 2\n' + ENDED
    assert broken(text) == {"nothing goes wrong unexpectedly"}


# --- the rig, and what was seen ---


def test_nothing_of_a_killed_process_runs_any_more() -> None:
    ran: list[str] = []
    loop = ProcessLoop()

    async def work() -> None:
        await asyncio.sleep(1)
        ran.append("work")
        await asyncio.sleep(2)
        ran.append("work after the kill")

    async def act() -> None:
        process = Process(loop)
        task = process.enter(lambda: loop.create_task(work()))
        process.call_at(1.5, lambda: ran.append("timer"))
        process.call_at(2.5, lambda: ran.append("timer after the kill"))
        loop.world.call_at(2.5, lambda: process.call_soon_threadsafe(lambda: ran.append("call after the kill")))
        loop.call_later(3.5, lambda: ran.append("other"))
        await asyncio.sleep(2.2)
        process.alive = False
        await asyncio.sleep(10)
        process.alive = True
        task.cancel()
        await asyncio.wait([task])

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(act())
    assert ran == ["work", "timer", "other"]


def test_a_window_is_cut_where_something_changes_and_what_lasted_no_time_is_forgotten() -> None:
    timeline = Timeline()
    timeline.observe(0.0, {"motor": "off", "lid": "shut"})
    timeline.observe(1.0, {"motor": "backward"})
    timeline.observe(1.0, {"motor": "forward"})
    timeline.observe(2.0, {"lid": "open"})
    spans = [
        (span.from_s, span.to_s, span.values["motor"], span.values["lid"])
        for span in timeline.spans(["motor", "lid"], 0.5, 3.0)
    ]
    assert spans == [(0.5, 1.0, "off", "shut"), (1.0, 2.0, "forward", "shut"), (2.0, 3.0, "forward", "open")]
    (moment,) = timeline.spans(["motor"], 1.0, 1.0)
    assert (moment.values, moment.length_s) == ({"motor": "forward"}, 0.0)
