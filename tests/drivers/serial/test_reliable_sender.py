"""Stop-and-wait: one command at a time, in order, each until it is acknowledged; STOP overtakes."""

from __future__ import annotations

import pytest

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame
from dispenser.drivers.serial.reliable_sender import ACK_TIMEOUT_S, ReliableSender
from tests.conftest import FakeScheduler

FEED = wire.Feed(1, 3, 2000, 120, 500, 255)
RETRACT = wire.Retract(2, 100, 255)
PLAY, OTHER_PLAY = wire.Play(wire.Chime.FIRE), wire.Play(wire.Chime.DUD)
ON, OFF = wire.Light(1), wire.Light(0)
STOP = wire.Stop()


class Rig:
    def __init__(self) -> None:
        self.scheduler = FakeScheduler()
        self.sent: list[Frame] = []
        self.answered: list[tuple[wire.Message, wire.Result]] = []
        self.sender = ReliableSender(self.scheduler, self.sent.append, lambda *answer: self.answered.append(answer))

    @property
    def messages(self) -> list[wire.Message]:
        return [frame.message for frame in self.sent]

    def acknowledge(self, result: wire.Result = wire.Result.DONE) -> None:
        last = self.sent[-1]
        self.sender.acknowledged(last.sequence, wire.Ack(last.message.TYPE, result))


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_a_command_goes_out_at_once_and_the_next_one_when_it_is_acknowledged(rig: Rig) -> None:
    rig.sender.give(FEED)
    rig.sender.give(PLAY)
    assert rig.messages == [FEED]
    rig.acknowledge()
    assert rig.messages == [FEED, PLAY]
    rig.acknowledge(wire.Result.LATCHED)
    assert rig.answered == [(FEED, wire.Result.DONE), (PLAY, wire.Result.LATCHED)]
    rig.scheduler.run_for(1)
    assert rig.messages == [FEED, PLAY]
    assert rig.scheduler.pending == 0


def test_what_is_not_acknowledged_is_sent_again_with_the_same_number_until_it_is_forgotten(rig: Rig) -> None:
    rig.sender.give(FEED)
    rig.sender.give(PLAY)
    rig.scheduler.run_for(ACK_TIMEOUT_S * 9.5)
    assert rig.sent == [rig.sent[0]] * 10
    rig.sender.forget()
    rig.scheduler.run_for(1)
    assert len(rig.sent) == 10


def test_of_each_kind_only_the_newest_waits(rig: Rig) -> None:
    rig.sender.give(FEED)
    for command in (PLAY, ON, OTHER_PLAY, OFF):
        rig.sender.give(command)
    for _ in range(3):
        rig.acknowledge()
    assert rig.messages == [FEED, OTHER_PLAY, OFF]


def test_stop_overtakes_everything_and_ends_only_motor_runs(rig: Rig) -> None:
    rig.sender.give(PLAY)
    rig.sender.give(FEED)
    rig.sender.give(RETRACT)
    rig.sender.give(ON)
    rig.sender.stop()
    assert rig.messages == [PLAY, STOP]
    for _ in range(3):
        rig.acknowledge()
    assert rig.messages == [PLAY, STOP, PLAY, ON]


def test_while_held_nothing_goes_out_and_what_was_under_way_comes_first_afterwards(rig: Rig) -> None:
    rig.sender.give(FEED)
    rig.sender.hold()
    rig.sender.give(PLAY)
    rig.scheduler.run_for(1)
    assert rig.messages == [FEED]
    assert rig.sender.has(wire.Feed)
    rig.sender.begin()
    rig.acknowledge()
    rig.acknowledge()
    assert rig.messages == [FEED, FEED, PLAY]
    assert rig.sent[0].sequence != rig.sent[1].sequence, "it is another command for the other end"
