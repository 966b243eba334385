"""What the core reports, what latches it, and what it makes of bytes that are no frames."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, decode, encode
from dispenser.launcher.messages import State
from tests.firmware.host import HostCore
from tests.firmware.line import ANSWER_US, Host, feed

REPORT_US = 10_000
"""A change is reported within this time."""
MEASURED_EVERY_US = 2_000_000
"""So often, with a host and the motor at rest, the supply is measured."""


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


def test_a_heartbeat_is_answered_though_a_report_is_under_way(core: HostCore, host: Host) -> None:
    core.run(50_000)
    for delay_us in range(0, 6000, 250):
        core.put("button", delay_us % 500 == 0)
        core.run(25_000 + delay_us)
        host.state()


def test_nothing_is_said_while_nothing_changes(core: HostCore, host: Host) -> None:
    core.run(50_000)
    host.listen()
    for _ in range(4):
        core.run(400_000)
        assert [frame for frame in host.listen() if frame.sequence == 0] == []
        host.state()


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


def test_outside_a_session_nothing_is_said_unasked(core: HostCore) -> None:
    core.put("button", True)
    core.run(3_000_000)
    assert core.sent() == b""


def test_a_busy_exit_leaves_room_for_answers(core: HostCore, host: Host) -> None:
    for number in range(200):
        core.put("exit", number % 2 == 0)
        core.run(3_000)
        assert host.command(wire.Light(number % 2)) is wire.Result.DONE
    assert host.dropped == 0


def test_changes_are_gathered_into_one_report_every_five_milliseconds(core: HostCore, host: Host) -> None:
    core.run(50_000)
    host.listen()
    for number in range(300):
        core.put("exit", number % 2 == 0)
        core.run(3_300)
    reports = [frame for frame in host.listen() if frame.sequence == 0]
    assert 150 <= len(reports) <= 300 * 3_300 / 5_000 + 2


def test_the_uptime_passes_the_clocks_wrap() -> None:
    core = HostCore(clock_us=2**32 - 3_000_000)
    core.start()
    host = Host(core)
    host.hello()
    first = host.state().uptime_ms
    host.run(6_000_000)
    assert host.state().uptime_ms - first == pytest.approx(6000, abs=150)


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


def test_heartbeats_let_the_motor_run(core: HostCore, host: Host) -> None:
    host.command(feed(timeout_ms=3000, stall_ms=3000))
    host.run(2_900_000, beat_us=400_000)
    assert core.motor == 255
    host.run(500_000)
    assert host.state().run_end is wire.FeedEnd.TIMEOUT


def test_a_host_may_be_silent_while_nothing_turns(core: HostCore, host: Host) -> None:
    core.run(1_500_000)
    assert host.state().latches == 0


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


def test_a_flutter_of_the_lid_shorter_than_any_poll_stops_the_motor(core: HostCore, host: Host) -> None:
    host.command(feed(run=9))
    core.run(30_000)
    core.put("lid", True)
    core.put("lid", False)
    assert core.motor == 0
    core.run(200_000)
    assert host.state().run_end is wire.FeedEnd.LID
    assert host.state().lid_rises == 1


def test_a_watchdog_reset_latches_until_a_person_has_reset() -> None:
    core = HostCore()
    core.start(wire.ResetCause.WATCHDOG)
    core.run(1_000_000)
    assert core.motor == 0
    host = Host(core)
    assert host.look().latches == wire.Latch.WATCHDOG
    assert host.hello().reset_cause is wire.ResetCause.WATCHDOG
    assert host.state().latches == wire.Latch.WATCHDOG, "a hello is no person"
    assert host.command(feed()) is wire.Result.LATCHED
    host.command(wire.Bye())
    core.start(wire.ResetCause.EXTERNAL)
    assert host.look().latches == wire.Latch.WATCHDOG, "nor is a port that is opened, which resets the board"
    assert core.state is State.FAULT
    host.hello()
    assert host.command(wire.ResetLatch()) is wire.Result.DONE
    assert host.command(feed()) is wire.Result.DONE
    core.start(wire.ResetCause.EXTERNAL)
    assert host.look().latches == 0


@pytest.mark.parametrize("late_us", range(0, 30_000, 500))
def test_the_supply_that_a_running_motor_pulls_down_is_no_measure_of_the_cells(late_us: int) -> None:
    core = HostCore()
    core.start()
    core.run(300_000)
    host = Host(core)
    host.hello()
    core.run(MEASURED_EVERY_US // 2)
    host.state()
    core.run(MEASURED_EVERY_US // 2 - ANSWER_US + late_us)
    assert host.command(feed(timeout_ms=500, stall_ms=500)) is wire.Result.DONE
    core.cells(2500)
    core.run(100_000)
    host.command(wire.Stop())
    core.cells(4500)
    core.run(100_000)
    assert host.state().cell_mv in {0, 4500}


def test_power_on_clears_every_lock() -> None:
    core = HostCore()
    core.start(wire.ResetCause.WATCHDOG)
    core.start(wire.ResetCause.POWER_ON)
    core.run(300_000)
    assert Host(core).look().latches == 0
    assert core.state is State.READY


def test_stop_ends_a_run_at_once(core: HostCore, host: Host) -> None:
    host.command(feed(run=4))
    core.run(50_000)
    assert host.command(wire.Stop()) is wire.Result.DONE
    assert core.motor == 0
    core.run(150_000)
    assert host.state().run_end is wire.FeedEnd.STOPPED


# --- bytes ----------------------------------------------------------------------------------------------------------


def test_a_frame_between_noise_is_heard(core: HostCore, host: Host) -> None:
    random = Random(11)
    for number in range(300):
        core.send(random.randbytes(random.randint(1, 100)) + b"\0")
        core.run(12_000)
        core.sent()
        host.say(wire.Heartbeat(), number % 200 + 1)
        host.wait_for(wire.State, number % 200 + 1)
    assert core.happenings("motor") == []


@given(
    run=st.integers(0, 255),
    cards=st.integers(0, 255),
    timeout_ms=st.integers(0, 65535),
    blind_ms=st.integers(0, 65535),
    stall_ms=st.integers(0, 65535),
    duty=st.integers(0, 255),
    sequence=st.integers(1, 255),
)
def test_the_core_and_python_agree_about_every_feed(
    run: int, cards: int, timeout_ms: int, blind_ms: int, stall_ms: int, duty: int, sequence: int
) -> None:
    core = HostCore()
    core.start()
    host = Host(core)
    host.hello()
    command = wire.Feed(run, cards, timeout_ms, blind_ms, stall_ms, duty)
    frame = Frame(sequence, command)
    assert decode(encode(frame)[:-1]) == frame
    core.happenings()
    host.say(command, sequence)
    within = all(1 <= limit_ms <= 10_000 for limit_ms in (timeout_ms, blind_ms, stall_ms))
    fits = run >= 1 and 1 <= cards <= 30 and within and duty >= 1
    assert host.wait_for(wire.Ack, sequence).result is (wire.Result.DONE if fits else wire.Result.BAD_ARGUMENT)
    assert [happening.value for happening in core.happenings("motor")][:1] == ([duty] if fits else [])
    if fits:
        assert host.state().run == run
