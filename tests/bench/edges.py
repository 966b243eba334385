"""``press``: button edge to motor on. ``lid``: lid edge to motor off. Both against one bare gpiozero callback.

"Motor on" is the last pin that the motor needs (ours: enable), "motor off" the first without which it cannot turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from gpiozero import Button, Motor

from tests.bench.measure import Measure, against
from tests.bench.pins import WIRING, PlainLauncher, Stopwatch, close_all, watched_factory
from tests.bench.timing import Effort, Series, Shot, take_turns

PRESS_AT_MOST = 4.0
LID_AT_MOST = 1.2


def press(effort: Effort) -> list[Measure]:
    """Through driver, machine and driver, with debounce and suspense at zero and odds that always fire."""
    launcher = PlainLauncher()
    watch = Stopwatch(launcher.motor_enable, on=True)

    def ours() -> int:
        begin = time.perf_counter_ns()
        launcher.button.drive_low()
        launcher.scheduler.run_calls()
        end = watch.at_ns
        launcher.button.drive_high()
        launcher.card_passes()
        return end - begin

    bare_shot, bare_watch, close_bare = _bare_press()
    seen_before = watch.seen
    times = take_turns({"ours": ours, "bare": bare_shot}, effort.pick(44_000, 2_200))
    launcher.check_ready()
    counts = {"motor_on": watch.seen - seen_before, "bare_motor_on": bare_watch.seen}
    close_all(launcher)
    close_bare()
    return _rows("press", "press edge → motor on", times, PRESS_AT_MOST, counts)


def lid(effort: Effort) -> list[Measure]:
    """The driver's own callback, while a burst runs."""
    launcher = PlainLauncher()
    watch = Stopwatch(launcher.motor_enable, on=False)

    def ours() -> int:
        launcher.button.drive_low()
        launcher.button.drive_high()
        launcher.scheduler.run_calls()
        begin = time.perf_counter_ns()
        launcher.lid.drive_high()
        end = watch.at_ns
        launcher.scheduler.run_timers()
        launcher.lid.drive_low()
        launcher.scheduler.run_calls()
        return end - begin

    bare_shot, bare_watch, close_bare = _bare_lid()
    times = take_turns({"ours": ours, "bare": bare_shot}, effort.pick(44_000, 2_200))
    launcher.check_ready()
    counts = {"motor_off": watch.seen, "bare_motor_off": bare_watch.seen}
    close_all(launcher)
    close_bare()
    return _rows("lid", "lid edge → motor off", times, LID_AT_MOST, counts)


def _bare_press() -> tuple[Shot, Stopwatch, Callable[[], None]]:
    factory = watched_factory()
    motor = Motor(WIRING.motor_forward, WIRING.motor_backward, pin_factory=factory)
    button = Button(WIRING.button, pin_factory=factory)
    button.when_pressed = motor.forward
    pin, watch = factory.pin(WIRING.button), Stopwatch(factory.pin(WIRING.motor_forward), on=True)

    def shot() -> int:
        begin = time.perf_counter_ns()
        pin.drive_low()
        end = watch.at_ns
        pin.drive_high()
        motor.stop()
        return end - begin

    return shot, watch, lambda: close_all(button, motor)


def _bare_lid() -> tuple[Shot, Stopwatch, Callable[[], None]]:
    factory = watched_factory()
    motor = Motor(WIRING.motor_forward, WIRING.motor_backward, pin_factory=factory)
    switch = Button(WIRING.lid, pin_factory=factory)
    switch.when_released = motor.stop
    pin, watch = factory.pin(WIRING.lid), Stopwatch(factory.pin(WIRING.motor_forward), on=False)
    pin.drive_low()

    def shot() -> int:
        motor.forward()
        begin = time.perf_counter_ns()
        pin.drive_high()
        end = watch.at_ns
        pin.drive_low()
        return end - begin

    return shot, watch, lambda: close_all(switch, motor)


def _rows(benchmark: str, what: str, times: dict[str, Series], at_most: float, counts: dict[str, int]) -> list[Measure]:
    detail = {name: series.as_json() for name, series in times.items()} | counts
    return [
        against(
            times["bare"].at_us(quantile),
            times["ours"].at_us(quantile),
            benchmark,
            f"{what}, {name}",
            "µs",
            at_most=at_most,
            detail=detail,
        )
        for name, quantile in (("median", 0.5), ("p99", 0.99))
    ]
