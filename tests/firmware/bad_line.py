"""The serial driver and the core over a line that flips bits and loses bytes, both ways, from one seed.

One bit now and then is made good, and nobody hears of it (``hurt_frames`` tries them each by itself). A line that is
worse than that may end in a failure, which is told.
"""

from __future__ import annotations

from random import Random

from dispenser.drivers.serial.driver import SerialDriver
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
BYTES_APART = (100, 400)
"""From one hurt bit to the next: two of the longest frames at least."""


HURTS = [0.0005, 0.003, 0.02]
"""A frame of 40 bytes is lost once in 50, 9 or 2 times."""


class FlippingLink(WorldLink):
    """A line on which a bit is hurt now and then, so seldom that the frames after it are whole."""

    def __init__(self, world: World, device: Device, random: Random) -> None:
        super().__init__(world, device)
        self.hurt_bits = 0
        self._random = random
        self._left = dict.fromkeys(("to device", "to host"), 0)
        self._seldom("to device")
        self._seldom("to host")

    def _seldom(self, way: str) -> None:
        self._left[way] = self._random.randint(*BYTES_APART)

    def write(self, data: bytes) -> None:
        super().write(self._hurt(data, "to device"))

    def _from_device(self, data: bytes) -> None:
        super()._from_device(self._hurt(data, "to host"))

    def _hurt(self, data: bytes, way: str) -> bytes:
        hurt = bytearray(data)
        for at in range(len(hurt)):
            self._left[way] -= 1
            if self._left[way] < 0:
                hurt[at] ^= 1 << self._random.randrange(8)
                self.hurt_bits += 1
                self._seldom(way)
        return bytes(hurt)


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


def seldom_hurt_bits_are_made_good(seed: int) -> None:
    """Feeds and stops over a line on which a bit is hurt now and then: all is done, and no failure is told."""
    random = Random(f"flipped bits {seed}")
    device = HostDevice(byte_us=87)
    world = World(device, seed=seed, cards=100)
    link = FlippingLink(world, device, random)
    driver = SerialDriver(link, world.scheduler)
    events: list[object] = []
    driver.open(events.append)
    for number in range(RUNS):
        story = f"seed {seed}, run {number}"
        out, counted, wanted = world.toy.view().cards_out, len(events), random.randint(1, 6)
        driver.give(Feed(cards=wanted, timeout_s=2.0, stall_s=0.6))
        world.run(random.uniform(1.0, 2.0))
        driver.reread()
        world.run(0.5)
        told = [event for event in events[counted:] if isinstance(event, (FeedEnded, DriverFailed))]
        assert told == [FeedEnded(FeedEnd.COUNT, wanted)], story
        assert world.toy.view().cards_out - out == wanted, story
        driver.give(Feed(cards=20, timeout_s=5.0, stall_s=0.6))
        world.run(random.uniform(0.15, 0.3))
        driver.stop()
        world.run(0.15)
        assert world.toy.view().motor_commanded == 0, story
        world.run(0.5)
        ended = events[-1]
        assert isinstance(ended, FeedEnded), story
        assert ended.cause is FeedEnd.STOPPED, story
        world.toy.load(100 - world.toy.view().cards_in_stack)
    assert link.hurt_bits >= RUNS, "the line was good"
    assert not any(isinstance(event, DriverFailed) for event in events)


def every_run_is_answered_or_fails(seed: int, hurts: float) -> None:
    """No run is lost without a word, none runs twice, and a good line makes all well again.

    :param hurts: the probability that a byte is hurt or lost.
    """
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
            driver.give(Retract(0.1))
        else:
            driver.give(Feed(cards=wanted, timeout_s=2.0, stall_s=0.6))
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
    driver.give(Feed(cards=2, timeout_s=2.0, stall_s=0.6))
    world.run(2.0)
    assert isinstance(events[-1], (FeedEnded, ExitCleared))
    assert FeedEnded(FeedEnd.COUNT, 2) in events[-3:]
