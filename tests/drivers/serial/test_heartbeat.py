"""Heartbeats: all the time while the motor runs, when asked otherwise, and silence is found."""

from __future__ import annotations

import pytest

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.heartbeat import BEAT_S, LOOP_PATIENCE_S, MAX_UNANSWERED, BackupHeartbeat, Heartbeat
from tests.conftest import FakeScheduler


class Rig:
    def __init__(self) -> None:
        self.scheduler = FakeScheduler()
        self.beats = self.silences = self.backup_beats = 0
        self.answers = True
        self.clock = FakeScheduler(7.0)
        backup = BackupHeartbeat(self.clock, self._backup_beat)
        self.heartbeat = Heartbeat(self.scheduler, backup, self._beat, self._silent)

    def _backup_beat(self) -> None:
        self.backup_beats += 1

    def run(self, seconds: float) -> None:
        """The loop is in time."""
        for _ in range(round(seconds / 0.01)):
            self.scheduler.run_for(0.01)
            self.clock.run_for(0.01)

    def _beat(self) -> None:
        self.beats += 1
        if self.answers:
            self.scheduler.call_at(self.scheduler.time() + 0.01, self.heartbeat.answered)

    def _silent(self) -> None:
        self.silences += 1


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_the_beats_that_may_stay_unanswered_fit_into_the_firmwares_patience_twice() -> None:
    assert 2 * MAX_UNANSWERED * BEAT_S * 1000 <= wire.HOST_SILENT_MS


def test_a_loop_that_is_in_time_needs_no_help(rig: Rig) -> None:
    rig.heartbeat.set_running(running=True)
    rig.run(3.0)
    assert (rig.beats, rig.backup_beats) == (30, 0)


def test_the_clock_beats_for_a_loop_that_is_late_and_not_for_one_that_hangs(rig: Rig) -> None:
    rig.heartbeat.set_running(running=True)
    rig.run(0.55)
    rig.clock.run_for(0.5)
    assert rig.backup_beats == 4
    rig.clock.run_for(10.0)
    assert rig.backup_beats == pytest.approx(LOOP_PATIENCE_S / BEAT_S, abs=2)
    told = rig.backup_beats
    rig.scheduler.run_for(0.1)
    rig.clock.run_for(0.5)
    assert rig.backup_beats == told + 4, "it is back, and late again"


def test_at_rest_the_clock_rests_too(rig: Rig) -> None:
    rig.heartbeat.set_running(running=True)
    rig.heartbeat.set_running(running=False)
    rig.heartbeat.beat()
    rig.clock.run_for(5.0)
    assert (rig.backup_beats, rig.clock.pending) == (0, 0)


def test_a_run_after_a_run_beats_once_each_time(rig: Rig) -> None:
    for _ in range(5):
        rig.heartbeat.set_running(running=True)
        rig.heartbeat.set_running(running=False)
    rig.heartbeat.set_running(running=True)
    assert rig.clock.pending == 1


def test_while_the_motor_runs_it_beats_all_the_time(rig: Rig) -> None:
    rig.heartbeat.set_running(running=True)
    rig.scheduler.run_for(1.05)
    assert rig.beats == 10
    rig.heartbeat.set_running(running=False)
    rig.scheduler.run_for(1)
    assert rig.beats == 10
    assert (rig.silences, rig.scheduler.pending) == (0, 0)


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
    assert rig.beats == MAX_UNANSWERED
    rig.heartbeat.answered()
    rig.scheduler.run_for(3)
    assert (rig.beats, rig.silences) == (MAX_UNANSWERED, 0)


def test_looking_in_a_run_does_not_hide_its_silence(rig: Rig) -> None:
    rig.answers = False
    rig.heartbeat.set_running(running=True)
    for _ in range(20):
        rig.scheduler.run_for(BEAT_S / 2)
        if not rig.silences:
            rig.heartbeat.beat()
    assert rig.silences == 1


def test_at_rest_nothing_beats(rig: Rig) -> None:
    rig.heartbeat.set_running(running=True)
    rig.scheduler.run_for(0.25)
    rig.heartbeat.rest()
    rig.scheduler.run_for(1)
    assert (rig.beats, rig.scheduler.pending) == (2, 0)
