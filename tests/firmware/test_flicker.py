"""A line that flickers as fast as it likes, at the real program: it keeps its limits, and nothing resets it.

Without a bound on what is taken in a turn, the loop hangs above 8.6 kHz at 8 MHz and above 18 kHz at 16 MHz.
"""

from __future__ import annotations

import pytest

from dispenser.drivers.serial import tables as wire
from tests.firmware.board import Uno
from tests.firmware.lid import hosted
from tests.firmware.line import feed

BLIND_MS = 350
"""Three times as long as the watchdog waits."""


def flicker(uno: Uno, line: str, hz: int, us: float) -> None:
    """From now on, for so long, at a frequency that is no fraction of the program's own."""
    begin, half = uno.cycle, uno.hz / (2 * hz)
    for edge in range(int(uno.cycles(us) / half)):
        uno.put_at(begin + round(edge * half), line, edge % 2 == 0)


@pytest.mark.parametrize("line", ["exit", "button"])
@pytest.mark.parametrize(("clock_mhz", "hz"), [(16, 18_500), (8, 9_000)], ids=repr)
def test_a_feed_ends_at_its_limit_and_nothing_is_reset(clock_mhz: int, line: str, hz: int) -> None:
    """A flicker is no card and no push, so the exit sensor's silence ends the run."""
    uno, host = hosted(clock_mhz)
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
