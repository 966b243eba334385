"""The serial driver and the core over a line that flips bits and loses bytes, both ways."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.drivers.serial import SerialDriver
from dispenser.launcher.messages import (
    DriverFailed,
    DriverRecovered,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    Press,
    Retract,
    RetractEnded,
)
from tests.contract.serial_bench import WorldLink
from tests.firmware.world import Device, HostDevice, World

RUNS = 12
LONGEST_S = 4.0


class BadLink(WorldLink):
    """A line on which each byte is hurt or lost with some probability."""

    def __init__(self, world: World, device: Device, random: Random) -> None:
        super().__init__(world, device)
        self.hurts = 0.0
        self.hurt_bytes = 0
        self._random = random

    def write(self, data: bytes) -> None:
        super().write(self._hurt(data))

    def _from_device(self, data: bytes) -> None:
        super()._from_device(self._hurt(data))

    def _hurt(self, data: bytes) -> bytes:
        hurt = bytearray()
        for byte in data:
            if self._random.random() >= self.hurts:
                hurt.append(byte)
                continue
            self.hurt_bytes += 1
            if self._random.random() < 0.5:
                hurt.append(byte ^ 1 << self._random.randrange(8))
        return bytes(hurt)


@pytest.mark.slow
@pytest.mark.parametrize("hurts", [0.0005, 0.003, 0.02])
@pytest.mark.parametrize("seed", range(6))
def test_every_run_is_answered_or_told_as_a_failure_and_none_runs_twice(seed: int, hurts: float) -> None:
    """``hurts``: a frame of 40 bytes is lost once in 50, 9 or 2 times."""
    random = Random(f"bad line {seed} {hurts}")
    device = HostDevice(byte_us=87)
    world = World(device, seed=seed, cards=100)
    link = BadLink(world, device, random)
    driver = SerialDriver(link, world.scheduler)
    events: list[object] = []
    driver.open(events.append)
    link.hurts = hurts
    pushes = 0
    for number in range(RUNS):
        out, counted = world.toy.view().cards_out, len(events)
        wanted = random.randint(1, 5)
        if number % 4 == 3:
            driver.retract(Retract(0.1))
        else:
            driver.feed(Feed(cards=wanted, timeout_s=2.0, stall_s=0.6))
        if random.random() < 0.3:
            world.toy.push_button(0.1)
            pushes += 1
        for _ in range(round(LONGEST_S)):
            world.run(1.0)
            driver.reread()
        story = f"seed {seed}, run {number}: {events[counted:]}"
        told = events[counted:]
        ends = [event for event in told if isinstance(event, (FeedEnded, RetractEnded))]
        failures = [event for event in told if isinstance(event, DriverFailed)]
        assert len(ends) <= 1, story
        assert len(ends) == 1 or failures, story
        assert world.toy.view().motor_commanded == 0, story
        left = world.toy.view().cards_out - out
        assert left <= (wanted + 1 if number % 4 != 3 else 1), f"{left} cards left. {story}"
        for end in ends:
            if isinstance(end, FeedEnded) and end.cause is FeedEnd.COUNT and not failures:
                assert end.cards_seen == left >= wanted, story
                assert len([event for event in told if isinstance(event, ExitCleared)]) == left, story
    assert link.hurt_bytes >= 1, "the line was good"
    link.hurts = 0.0
    for _ in range(4):
        driver.reread()
        world.run(1.0)
    failed = [event for event in events if isinstance(event, (DriverFailed, DriverRecovered))]
    assert not failed or isinstance(failed[-1], DriverRecovered), f"seed {seed}: it did not come back: {failed[-2:]}"
    assert len([event for event in events if isinstance(event, Press)]) <= pushes
    driver.feed(Feed(cards=2, timeout_s=2.0, stall_s=0.6))
    world.run(2.0)
    assert isinstance(events[-1], (FeedEnded, ExitCleared))
    assert FeedEnded(FeedEnd.COUNT, 2) in events[-3:]
