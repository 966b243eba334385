"""The interlock of the real program, cycle by cycle: lid edge to motor-enable low, whatever else is under way.

simavr counts no cycles for the interrupt's own response and shows an output when its instruction begins. On silicon add
4 for the response (4 more out of sleep), 2 for the instruction, and 2 to 3 for the pin's synchronizer: about 10.
"""

from __future__ import annotations

from collections.abc import Callable

from dispenser.drivers.serial import tables as wire
from tests.firmware.board import ENABLE, LID, Uno
from tests.firmware.line import Host, feed

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
    changes = {happening.where: happening.cycle for happening in uno.look()}
    return changes[ENABLE] - changes[LID]


def fed(uno: Uno, host: Host) -> None:
    assert host.command(feed(cards=30, timeout_ms=10_000, stall_ms=10_000)) is wire.Result.DONE
    traffic(uno, host)


def retracted(uno: Uno, host: Host) -> None:
    assert host.command(wire.Retract(1, 1000, 200)) is wire.Result.DONE
    traffic(uno, host)


def lid_stops_a_busy_run(
    clock_mhz: int, run: Callable[[Uno, Host], None], phases: int, every: int, *, places: int
) -> int:
    """Lid up at so many phases, so many instructions apart, at that many places of the program at least.

    :returns: the number of the phase with the longest latency.
    """
    uno, host = hosted(clock_mhz)
    run(uno, host)
    latencies, struck = uno.sweep(phases, every=every, edge=(LID, True), until_low=ENABLE, window=300)
    assert len(set(struck)) >= places, "the sweep has met too few places of the program"
    worst = max(latencies)
    phase = latencies.index(worst)
    assert worst <= WORST_CYCLES - SILICON_CYCLES, f"{worst} cycles at pc 0x{struck[phase]:x}"
    return phase


def asked_to_feed() -> Uno:
    uno, host = hosted(16)
    host.say(feed(timeout_ms=5000, stall_ms=5000), 1)
    return uno


def lid_stops_a_start(flutter_cycles: int, phases: int, every: int) -> None:
    """Before, while and after the enable pin goes high: it is low soon, and stays low; also after a mere flutter."""
    twin = asked_to_feed()
    while not twin.enabled:
        twin.run_to(twin.cycle + 2000, stop_early=True)
    uno = asked_to_feed()
    uno.run_to(twin.cycle - 900)
    latencies, _ = uno.sweep(phases, every=every, edge=(LID, True), until_low=ENABLE, pulse=flutter_cycles, window=8000)
    assert uno.enabled, "the motor started within the sweep"
    assert latencies[0] == 0, "the sweep began before it started"
    assert latencies[-1] > 0
    assert max(latencies) <= WORST_CYCLES - SILICON_CYCLES
