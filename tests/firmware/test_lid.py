"""The interlock of the real program, cycle by cycle: lid edge to motor-enable low, whatever else is under way.

simavr counts no cycles for the interrupt's own response and shows an output when its instruction begins. On silicon add
4 for the response (4 more out of sleep), 2 for the instruction, and 2 to 3 for the pin's synchronizer: about 10.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dispenser.drivers.wire import tables as wire
from tests.firmware.avr import PinChange
from tests.firmware.board import ENABLE, LID, Uno
from tests.firmware.line import Host, feed
from tests.firmware.small_process import in_a_small_process

PHASES = 2400
"""How many phases of the lid's edge the main sweep tries (CI; by hand, try 100,000); the others try a third."""
IDLE_CYCLES = 20
WORST_CYCLES = 100
SILICON_CYCLES = 13


def hosted(clock_mhz: int) -> tuple[Uno, Host]:
    uno = Uno(clock_mhz)
    uno.boot()
    host = Host(uno)
    host.hello()
    uno.run(20_000)
    host.state()
    return uno, host


def traffic(uno: Uno, host: Host) -> None:
    """Card edges, button edges, heartbeats, chimes, and the reports and answers that they cause."""
    begin = uno.cycle
    for number in range(40):
        uno.put_at(begin + uno.cycles(number * 2_100 + number * 37), "exit", number % 2 == 0)
        uno.put_at(begin + uno.cycles(number * 3_700 + number * 13), "button", number % 2 == 0)
        host.say(wire.Heartbeat(), number + 1)
        host.say(wire.Play(wire.Chime(number % 8)), number + 1)


def latency(uno: Uno, patience_us: float = 100) -> int:
    """Lift the lid now; cycles until enable is low."""
    uno.look()
    uno.put("lid", True)
    uno.run(patience_us)
    changes = {h.pin: h.cycle for h in uno.look() if isinstance(h, PinChange) and h.pin in {LID, ENABLE}}
    return changes[ENABLE] - changes[LID]


@pytest.mark.parametrize("clock_mhz", [16, 8])
def test_lid_up_stops_an_undisturbed_motor_within_the_goal(clock_mhz: int) -> None:
    uno, host = hosted(clock_mhz)
    for attempt in range(20):
        assert host.command(feed(run=attempt + 1)) is wire.Result.DONE
        uno.run(30_000 + 170 * attempt)
        assert uno.motor == 255
        assert latency(uno) <= IDLE_CYCLES - SILICON_CYCLES
        uno.put("lid", False)
        uno.run(300_000)
        host.state()


Sweep = tuple[list[int], list[int]]
"""Latencies in cycles, and the program counters that were struck."""


def fed(uno: Uno, host: Host) -> None:
    assert host.command(feed(cards=30, timeout_ms=10_000, stall_ms=10_000)) is wire.Result.DONE
    traffic(uno, host)


def retracted(uno: Uno, host: Host) -> None:
    assert host.command(wire.Retract(1, 1000, 200)) is wire.Result.DONE
    traffic(uno, host)


def sweep_busy(clock_mhz: int, run: Callable[[Uno, Host], None], phases: int, every: int) -> Sweep:
    uno, host = hosted(clock_mhz)
    run(uno, host)
    return uno.sweep(phases, every=every, edge=(LID, True), until_low=ENABLE, window=300)


@pytest.mark.slow
@pytest.mark.parametrize("clock_mhz", [16, 8])
@pytest.mark.parametrize("run", [fed, retracted])
def test_lid_up_at_any_phase_of_a_busy_motor_run(clock_mhz: int, run: Callable[[Uno, Host], None]) -> None:
    phases = PHASES if run is fed and clock_mhz == 16 else PHASES // 3
    latencies, struck = in_a_small_process(sweep_busy, clock_mhz, run, phases, 41)
    assert len(set(struck)) > 200, "the sweep has met many places of the program"
    worst = max(latencies)
    assert worst <= WORST_CYCLES - SILICON_CYCLES, f"{worst} cycles at pc 0x{struck[latencies.index(worst)]:x}"


def asked_to_feed() -> Uno:
    uno, host = hosted(16)
    host.say(feed(timeout_ms=5000, stall_ms=5000), 1)
    return uno


def sweep_start(flutter_cycles: int) -> tuple[list[int], bool]:
    """Latencies, and whether the motor started meanwhile."""
    twin = asked_to_feed()
    while not twin.enabled:
        twin.run_to(twin.cycle + 2000, stop_early=True)
    uno = asked_to_feed()
    uno.run_to(twin.cycle - 900)
    latencies, _ = uno.sweep(PHASES // 3, edge=(LID, True), until_low=ENABLE, pulse=flutter_cycles, window=8000)
    return latencies, uno.enabled


@pytest.mark.slow
@pytest.mark.parametrize("flutter_cycles", [0, 25, 200], ids=["stays up", "1.6 us", "12 us"])
def test_lid_up_at_any_instruction_of_a_motor_start(flutter_cycles: int) -> None:
    """Before, while and after the enable pin goes high: it is low soon, and stays low; also after a mere flutter."""
    latencies, started = in_a_small_process(sweep_start, flutter_cycles)
    assert started, "the motor started within the sweep"
    assert latencies[0] == 0, "the sweep began before it started"
    assert latencies[-1] > 0
    assert max(latencies) <= WORST_CYCLES - SILICON_CYCLES


def sweep_burst_alone() -> list[int]:
    uno = Uno()
    uno.boot()
    for _ in range(2):
        uno.put("button", True)
        uno.run(100_000)
        uno.put("button", False)
        uno.run(100_000)
        for _ in range(3000):
            uno.run(1_000)
            if uno.enabled or uno.light:
                break
    assert uno.motor == 255
    begin = uno.cycle
    for number in range(40):
        uno.put_at(begin + uno.cycles(number * 5_100), "exit", number % 2 == 0)
    latencies, _ = uno.sweep(PHASES // 3, every=17, edge=(LID, True), until_low=ENABLE, window=300)
    return latencies


@pytest.mark.slow
def test_lid_up_at_any_phase_of_a_burst_alone() -> None:
    """No host: the toy plays by itself. Press two of the original's table fires."""
    assert max(in_a_small_process(sweep_burst_alone)) <= WORST_CYCLES - SILICON_CYCLES


def test_the_sweep_is_the_same_every_time() -> None:
    once, again = (in_a_small_process(sweep_busy, 16, fed, 200, 97) for _ in range(2))
    assert once == again


@pytest.mark.slow
def test_nothing_keeps_interrupts_off_for_long() -> None:
    """What masks the lid's interrupt is at most so long: the bound of the sweeps, seen from the inside."""
    uno, host = hosted(16)
    uno.single_steps(True)
    uno.forget_longest()
    fed(uno, host)
    uno.run(200_000)
    assert uno.longest_masked <= WORST_CYCLES - SILICON_CYCLES
