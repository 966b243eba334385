"""What the core reports, what latches it, and what it makes of bytes that are no frames."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.drivers.serial import tables as wire
from tests.firmware.host import HostCore
from tests.firmware.line import Host, feed

REPORT_US = 10_000
"""A change is reported within this time."""


# --- reports ------------------------------------------------------------------------------------------------------


def test_every_change_is_reported_by_itself(core: HostCore, host: Host) -> None:
    core.run(50_000)
    host.listen()
    core.put("lid", True)
    state = host.wait_for(wire.State, 0, REPORT_US)
    assert state.levels & wire.Level.LID_OPEN
    assert state.lid_rises == 1
    core.put("lid", False)
    assert not host.wait_for(wire.State, 0, 50_000 + REPORT_US).levels & wire.Level.LID_OPEN
    core.put("exit", True)
    assert host.wait_for(wire.State, 0, REPORT_US + 3000).levels & wire.Level.EXIT_BLOCKED
    core.put("exit", False)
    assert host.wait_for(wire.State, 0, REPORT_US + 3000).cards_seen == 1
    core.put("button", True)
    assert host.wait_for(wire.State, 0, REPORT_US + 25_000).presses == 1


def test_lost_reports_lose_nothing(core: HostCore, host: Host) -> None:
    """Whatever happened while the host heard nothing is in the next report."""
    random = Random(5)
    presses = rises = cards = 0
    for _ in range(60):
        what = random.choice(("button", "lid", "exit"))
        core.put(what, True)
        core.run(60_000)
        core.put(what, False)
        core.run(70_000)
        presses, rises, cards = presses + (what == "button"), rises + (what == "lid"), cards + (what == "exit")
        core.sent()
        host.say(wire.Heartbeat(), 3)
    core.run(20_000)
    core.sent()
    state = host.state()
    assert (state.presses, state.lid_rises, state.cards_seen) == (presses, rises, cards)


# --- reflexes and latches -----------------------------------------------------------------------------------------


def test_a_silent_host_stops_the_motor_and_it_stays_off(core: HostCore, host: Host) -> None:
    host.command(feed(timeout_ms=5000, stall_ms=5000))
    on = core.happenings("motor")[0].us
    core.run(wire.HOST_SILENT_MS * 1000 + 10_000)
    (off,) = core.happenings("motor")
    assert off.value == 0
    assert off.us - on == pytest.approx(wire.HOST_SILENT_MS * 1000, abs=15_000)
    core.run(200_000)
    state = host.state()
    assert state.latches == wire.Latch.HOST_SILENT
    assert state.run_end is wire.FeedEnd.STOPPED
    assert host.command(feed(run=2)) is wire.Result.LATCHED
    core.run(20_000)
    assert core.motor == 0
    state = host.state()
    assert (state.run, state.run_end) == (2, wire.FeedEnd.STOPPED), "a refused run is a run, too"
    assert host.command(wire.ResetLatch()) is wire.Result.DONE
    assert core.motor == 0
    assert host.command(feed(run=3)) is wire.Result.DONE
    assert core.motor == 255


def test_lid_up_stops_and_reports(core: HostCore, host: Host) -> None:
    host.command(feed(run=9))
    core.run(30_000)
    core.put("lid", True)
    assert core.motor == 0
    core.run(150_000)
    state = host.state()
    assert (state.run, state.run_end) == (9, wire.FeedEnd.LID)
    core.happenings()
    assert host.command(feed(run=10)) is wire.Result.DONE
    core.run(20_000)
    assert core.happenings("motor") == []
    state = host.state()
    assert (state.run, state.run_end) == (10, wire.FeedEnd.LID), "a refused run is a run, too"
    core.put("lid", False)
    core.run(300_000)
    assert core.happenings("motor") == [], "a lid that is shut starts nothing"


# --- bytes ----------------------------------------------------------------------------------------------------------
