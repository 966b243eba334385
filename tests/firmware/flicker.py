"""A line that flickers as fast as it likes, at the real program: it keeps its limits, and nothing resets it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from dispenser.drivers.serial import tables as wire
from tests.firmware.avr import PinChange
from tests.firmware.board import ENABLE, LID, START_US, Uno
from tests.firmware.lid import SILICON_CYCLES, WORST_CYCLES
from tests.firmware.line import Host, feed
from tests.firmware.small_process import in_a_small_process

FREQUENCIES = [1_000, 9_000, 18_500, 100_000]
"""Hz."""
HANGS_HZ = {8: 9_000, 16: 18_500}
"""Without a bound on what is taken in a turn, the loop hangs above 8.6 kHz at 8 MHz and above 18 kHz at 16 MHz."""
BLIND_MS = 350
"""Three times as long as the watchdog waits."""


def flicker(uno: Uno, line: str, hz: int, us: float) -> None:
    """From now on, for so long, at a frequency that is no fraction of the program's own."""
    begin, half = uno.cycle, uno.hz / (2 * hz)
    for edge in range(int(uno.cycles(us) / half)):
        uno.put_at(begin + round(edge * half), line, edge % 2 == 0)


CLOCKS, CLOCK_IDS = [16, 8], ["16 MHz", "8 MHz"]


def in_session(uno: Uno) -> Host:
    uno.boot()
    host = Host(uno)
    host.hello()
    uno.run(30_000)
    host.state()
    return host


def a_feed_ends_at_its_limit(clock_mhz: int, line: str, hz: int) -> None:
    """A flicker is no card and no push, so the exit sensor's silence ends the run."""
    uno = Uno(clock_mhz)
    host = in_session(uno)
    assert host.command(feed(run=9, timeout_ms=5000, blind_ms=BLIND_MS)) is wire.Result.DONE
    begun = uno.cycle
    flicker(uno, line, hz, (BLIND_MS + 100) * 1000)
    (off,) = [did for did in uno.follow((BLIND_MS + 50) * 1000) if did.kind == "motor"]
    assert off.value == 0
    assert uno.us(off.cycle - begun) == pytest.approx(BLIND_MS * 1000, abs=8_000)
    host.run(300_000)
    state = host.state()
    assert (state.run, state.run_end, state.run_cards) == (9, wire.FeedEnd.BLIND, 0)
    assert (state.presses, state.cards_seen, state.latches) == (0, 0, wire.Latch(0))
    assert uno.resets == []


class AtTheLid(NamedTuple):
    """What lid up did to a motor that ran while a sensor flickered: cycles until it was off, and enable after that."""

    latencies: list[int]
    enable_levels: list[int]
    run_end: wire.FeedEnd
    resets: int


def sweep_flicker(clock_mhz: int, hz: int, phases: int) -> AtTheLid:
    uno = Uno(clock_mhz)
    host = in_session(uno)
    assert host.command(feed(timeout_ms=5000, stall_ms=5000)) is wire.Result.DONE
    flicker(uno, "exit", hz, 400_000)
    uno.run(200_000)
    assert uno.motor == 255
    latencies, _ = uno.sweep(phases, every=7, edge=(LID, True), until_low=ENABLE, window=300)
    uno.look()
    uno.put("lid", True)
    uno.run(300_000)
    levels = [int(heard.level) for heard in uno.look() if isinstance(heard, PinChange) and heard.pin == ENABLE]
    return AtTheLid(latencies, levels, host.state().run_end, len(uno.resets))


def lid_up_stops_the_motor(clock_mhz: int, hz: int, phases: int) -> None:
    """Within its bound, at so many phases of the flicker."""
    seen = in_a_small_process(sweep_flicker, clock_mhz, hz, phases)
    assert max(seen.latencies) <= WORST_CYCLES - SILICON_CYCLES
    assert seen.enable_levels == [0]
    assert seen.run_end is wire.FeedEnd.LID
    assert seen.resets == 0


def it_starts_and_answers(clock_mhz: int, hz: int) -> None:
    """Though a sensor flickers from power-on."""
    uno = Uno(clock_mhz)
    flicker(uno, "exit", hz, START_US + 400_000)
    host = in_session(uno)
    assert host.command(wire.Light(1)) is wire.Result.DONE
    assert uno.light
    assert uno.resets == []
