"""A line that flickers, at the real program: at the frequency that would hang each clock without a bound on a turn.

``tests/nightly/firmware`` tries the other frequencies.
"""

from __future__ import annotations

import pytest

from dispenser.drivers.serial import tables as wire
from tests.firmware.board import Uno
from tests.firmware.flicker import (
    BLIND_MS,
    CLOCK_IDS,
    CLOCKS,
    HANGS_HZ,
    a_feed_ends_at_its_limit,
    flicker,
    in_session,
    it_starts_and_answers,
    lid_up_stops_the_motor,
)
from tests.firmware.line import Host, feed

each_clock = pytest.mark.parametrize("clock_mhz", CLOCKS, ids=CLOCK_IDS)


@pytest.fixture(params=CLOCKS, ids=CLOCK_IDS)
def uno(request: pytest.FixtureRequest) -> Uno:
    return Uno(request.param)


@pytest.fixture
def host(uno: Uno) -> Host:
    return in_session(uno)


@pytest.mark.parametrize("line", ["exit", "button"])
@each_clock
def test_a_feed_ends_at_its_limit_and_nothing_is_reset(clock_mhz: int, line: str) -> None:
    a_feed_ends_at_its_limit(clock_mhz, line, HANGS_HZ[clock_mhz])


@each_clock
def test_lid_up_stops_the_motor_within_its_bound_all_the_same(clock_mhz: int) -> None:
    lid_up_stops_the_motor(clock_mhz, HANGS_HZ[clock_mhz], 50)


@each_clock
def test_it_starts_and_answers_while_a_sensor_flickers(clock_mhz: int) -> None:
    it_starts_and_answers(clock_mhz, HANGS_HZ[clock_mhz])


def test_cards_after_a_flicker_are_counted_as_ever(uno: Uno, host: Host) -> None:
    """What turns the sensor's interrupt off turns it on again, and no edge of later is lost."""
    flicker(uno, "exit", 100_000, 200_000)
    uno.run(250_000)
    before = host.state().cards_seen
    for dark_us in (31_000, 41_000, 51_000):
        uno.put("exit", True)
        uno.run(dark_us)
        uno.put("exit", False)
        uno.run(20_000)
    state = host.state()
    assert state.cards_seen == before + 3
    assert [state.blocked_ms_2, state.blocked_ms_1, state.blocked_ms_0] == pytest.approx([31, 41, 51], abs=1)


def test_a_host_that_never_stops_talking_keeps_it_from_nothing(uno: Uno, host: Host) -> None:
    """Short questions with long answers, as fast as the line carries them."""
    assert host.command(feed(timeout_ms=5000, blind_ms=BLIND_MS)) is wire.Result.DONE
    begun = uno.cycle
    for _ in range(1000):
        host.say(wire.Heartbeat(), 1)
    (off,) = [did for did in uno.follow((BLIND_MS + 50) * 1000) if did.kind == "motor"]
    assert uno.us(off.cycle - begun) == pytest.approx(BLIND_MS * 1000, abs=8_000)
    assert uno.resets == []
    assert uno.unsent, "it talked to the end"
