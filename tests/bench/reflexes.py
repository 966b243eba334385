"""``busy``: reflexes beside a thread that computes, against a bare gpiozero callback that does the same."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median

from gpiozero import DigitalInputDevice, Motor, PWMOutputDevice
from gpiozero.pins.mock import MockFactory

from dispenser.clocks import ThreadClock
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.wiring import GpioTiming
from dispenser.launcher.messages import Feed
from tests.bench.measure import Measure, against
from tests.bench.pins import WIRING, AtOnce, Stopwatch, close_all, watched_factory
from tests.bench.timing import Effort, go_first, percentile


@contextmanager
def first_in_the_queue() -> Iterator[None]:
    """What else this computer does shall not count: a launcher has its Pi to itself."""
    go_first()
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


BETWEEN_S = 0.004
"""Between two edges: time to get ready for the next."""


class Contestant:
    """Something on mock pins that an edge must stop.

    :param ready: called before each edge, on the pins' thread.
    :param edge: hands the edge on.
    :param watch: sees the motor's pin.
    """

    def __init__(
        self, ready: Callable[[], object], edge: Callable[[], object], watch: Stopwatch, close: Callable[[], None]
    ) -> None:
        self._ready = ready
        self._edge = edge
        self._watch = watch
        self.close = close

    def shoot(self, edges: int) -> list[int]:
        """Times from an edge, as another process reports it by a pipe, to the motor's pin, nanoseconds.

        A thread hands the edges on, as a pin library's does; this one computes all the while.
        """
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            for _ in range(edges):
                time.sleep(BETWEEN_S)
                os.write(write, time.perf_counter_ns().to_bytes(8, "little"))
            os._exit(0)
        os.close(write)
        taken: list[int] = []

        def hand_on() -> None:
            self._ready()
            while sent := os.read(read, 8):
                self._edge()
                taken.append(self._watch.at_ns - int.from_bytes(sent, "little"))
                self._ready()

        pins = threading.Thread(target=hand_on, name="pins")
        pins.start()
        while pins.is_alive():
            sum(range(1000))
        os.waitpid(child, 0)
        os.close(read)
        return taken


@first_in_the_queue()
def busy(effort: Effort) -> list[Measure]:
    """Beside a Python thread that computes, against a bare gpiozero callback that does the same."""
    edges, rounds = effort.pick(200, 10), effort.pick(11, 1)
    rows = []
    for what, at_most, ours, bare in (
        ("exit edge → brake", 1.5, _our_brake(), _bare_brake()),
        ("lid edge → off", 1.2, _our_lid(), _bare_lid()),
    ):
        each: tuple[list[list[int]], list[list[int]]] = ([], [])
        for _ in range(rounds):  # in turn, for a shared machine's mood changes
            each[0].append(ours.shoot(edges))
            each[1].append(bare.shoot(edges))
        for name, quantile in (("median", 0.5), ("p99", 0.99)):
            ours_us, bare_us = (median(percentile(taken, quantile) / 1e3 for taken in blocks) for blocks in each)
            measure = f"{what} beside a busy thread, {name}"
            rows.append(against(bare_us, ours_us, "busy", measure, "µs", at_most=at_most))
        ours.close()
        bare.close()
    return rows


def _our_launcher() -> tuple[GpioDriver, MockFactory, Callable[[], None]]:
    factory, alarm = watched_factory(), ThreadClock("alarm")
    driver = GpioDriver(WIRING, factory, AtOnce(), timing=AT_ONCE_BUT_BRAKE, clock=alarm)
    driver.open(lambda _: None)
    factory.pin(WIRING.lid).drive_low()
    return driver, factory, lambda: close_all(driver, alarm)


AT_ONCE_BUT_BRAKE = GpioTiming(button_settle_s=0, lid_settle_s=0, exit_settle_s=0, coast_s=0)
ONE = Feed(cards=1, timeout_s=10.0, stall_s=10.0, blind_s=10.0)


def _our_brake() -> Contestant:
    driver, factory, close = _our_launcher()
    sensor = factory.pin(WIRING.exit)

    def ready() -> None:
        driver.give(ONE)
        sensor.drive_high()

    return Contestant(ready, sensor.drive_low, Stopwatch(factory.pin(WIRING.motor_backward), on=True), close)


def _our_lid() -> Contestant:
    driver, factory, close = _our_launcher()
    lid = factory.pin(WIRING.lid)

    def ready() -> None:
        lid.drive_low()
        driver.give(ONE)

    return Contestant(ready, lid.drive_high, Stopwatch(factory.pin(WIRING.motor_enable), on=False), close)


def _bare_brake() -> Contestant:
    factory = watched_factory()
    forward = PWMOutputDevice(WIRING.motor_forward, pin_factory=factory)
    backward = PWMOutputDevice(WIRING.motor_backward, pin_factory=factory)
    sensor = DigitalInputDevice(WIRING.exit, pull_up=False, pin_factory=factory)

    def brake() -> None:
        forward.value = 1
        backward.value = 1

    def ready() -> None:
        backward.value = 0
        forward.value = 1
        factory.pin(WIRING.exit).drive_high()

    sensor.when_deactivated = brake
    watch = Stopwatch(factory.pin(WIRING.motor_backward), on=True)
    close = partial(close_all, sensor, forward, backward)
    return Contestant(ready, factory.pin(WIRING.exit).drive_low, watch, close)


def _bare_lid() -> Contestant:
    factory = watched_factory()
    motor = Motor(WIRING.motor_forward, WIRING.motor_backward, pin_factory=factory)
    lid = DigitalInputDevice(WIRING.lid, pull_up=False, pin_factory=factory)
    lid.when_activated = motor.stop

    def ready() -> None:
        factory.pin(WIRING.lid).drive_low()
        motor.forward()

    watch = Stopwatch(factory.pin(WIRING.motor_forward), on=False)
    return Contestant(ready, factory.pin(WIRING.lid).drive_high, watch, partial(close_all, lid, motor))
