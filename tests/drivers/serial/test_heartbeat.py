"""Heartbeats: all the time while the motor runs, when asked otherwise, and silence is found."""

from __future__ import annotations

import pytest

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.heartbeat import BEAT_S, MAX_UNANSWERED, Heartbeat
from tests.conftest import FakeScheduler


class Rig:
    def __init__(self) -> None:
        self.scheduler = FakeScheduler()
        self.beats = self.silences = 0
        self.answers = True
        self.heartbeat = Heartbeat(self.scheduler, self._beat, self._silent)

    def _beat(self) -> None:
        self.beats += 1
        if self.answers:
            self.scheduler.call_at(self.scheduler.time() + 0.01, self.heartbeat.answered)

    def _silent(self) -> None:
        self.silences += 1


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_a_silent_board_is_found_before_it_takes_us_for_silent() -> None:
    assert (MAX_UNANSWERED + 1) * BEAT_S * 1000 < wire.HOST_SILENT_MS


def test_while_the_motor_runs_it_beats_all_the_time(rig: Rig) -> None:
    rig.heartbeat.set_running(running=True)
    rig.scheduler.run_for(1.05)
    assert rig.beats == 10
    rig.heartbeat.set_running(running=False)
    rig.scheduler.run_for(1)
    assert (rig.beats, rig.silences, rig.scheduler.pending) == (10, 0, 0)


def test_asked_once_it_beats_once(rig: Rig) -> None:
    rig.heartbeat.beat()
    rig.scheduler.run_for(1)
    assert (rig.beats, rig.silences, rig.scheduler.pending) == (1, 0, 0)


@pytest.mark.parametrize("running", [True, False])
def test_beats_that_nobody_answers_are_repeated_and_then_silence_is_told_once(rig: Rig, running: bool) -> None:
    rig.answers = False
    rig.heartbeat.set_running(running=running)
    if not running:
        rig.heartbeat.beat()
    rig.scheduler.run_for(3)
    assert (rig.beats, rig.silences, rig.scheduler.pending) == (MAX_UNANSWERED, 1, 0)
    assert not rig.heartbeat.running


def test_one_answer_makes_good_for_those_that_were_lost(rig: Rig) -> None:
    rig.answers = False
    rig.heartbeat.beat()
    rig.scheduler.run_for(BEAT_S * (MAX_UNANSWERED - 0.5))
    rig.heartbeat.answered()
    rig.scheduler.run_for(3)
    assert (rig.beats, rig.silences) == (MAX_UNANSWERED, 0)
