"""The core at the end of a serial line: what firmware/PROTOCOL.md promises, put to the code on this computer."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import enclose
from dispenser.launcher.messages import State
from tests.firmware.host import BRAKED, EXIT_SENSOR, HostCore, motor_starts
from tests.firmware.line import Host, feed

REPORT_US = 10_000
"""A change is reported within this time."""


def card(core: HostCore, dark_us: int = 40_000, gap_us: int = 20_000) -> None:
    core.put("exit", True)
    core.run(dark_us)
    core.put("exit", False)
    core.run(gap_us)


# --- the handshake ------------------------------------------------------------------------------------------------


def test_a_hello_is_answered_with_who_it_is(core: HostCore) -> None:
    welcome = Host(core).hello(nonce=0xBEEF)
    assert welcome.nonce == 0xBEEF
    assert (welcome.protocol, welcome.dictionary) == (wire.VERSION, wire.DICTIONARY)
    assert welcome.capabilities == wire.Capability.EXIT_SENSOR | wire.Capability.RETRACT
    assert welcome.board is wire.Board.HOST
    assert welcome.reset_cause is wire.ResetCause.POWER_ON
    assert core.hosted


@pytest.mark.parametrize("wrong", [{"protocol": wire.VERSION + 1}, {"dictionary": wire.DICTIONARY ^ 1}])
def test_a_hello_that_does_not_fit_is_told_so_and_begins_nothing(core: HostCore, wrong: dict[str, int]) -> None:
    host = Host(core)
    welcome = host.hello(**wrong)
    assert (welcome.protocol, welcome.dictionary) == (wire.VERSION, wire.DICTIONARY)
    assert not core.hosted
    assert host.command(feed()) is wire.Result.NO_SESSION
    assert core.motor == 0


def test_every_start_has_another_boot_id() -> None:
    ids = set()
    for noise in range(200):
        core = HostCore(noise=noise)
        core.start()
        ids.add(Host(core).hello().boot_id)
    assert len(ids) == 200


def test_a_session_silences_the_brain_and_a_press_only_counts(core: HostCore, host: Host) -> None:
    assert core.state is State.OFF
    before = host.state().presses
    for _ in range(3):
        core.put("button", True)
        core.run(100_000)
        core.put("button", False)
        core.run(100_000)
    state = host.state()
    assert state.presses == before + 3
    assert core.happenings("motor", "tone", "light") == []


def test_a_hello_in_the_middle_of_a_burst_stops_the_motor(core: HostCore) -> None:
    core.script([(5, 600)])
    core.put("button", True)
    core.run(700_000)
    assert core.motor == 255
    Host(core).hello()
    assert core.motor == 0
    assert core.tone == 0
    assert core.state is State.OFF


def test_bye_ends_the_session_and_the_brain_plays(core: HostCore, host: Host) -> None:
    assert host.command(feed()) is wire.Result.DONE
    assert host.command(wire.Bye()) is wire.Result.DONE
    assert core.motor == 0
    assert not core.hosted
    assert core.state is State.READY
    assert host.command(wire.Bye()) is wire.Result.DONE, "without a session: bye is done"


def test_a_host_that_is_gone_leaves_the_launcher_playing_alone(core: HostCore, host: Host) -> None:
    core.run(wire.HOST_GONE_MS * 1000 - 60_000)
    assert core.hosted
    core.run(120_000)
    assert not core.hosted
    assert core.state is State.READY
    host.look()
    assert not core.hosted, "GET_STATE is no sign of life and begins nothing"


# --- commands -----------------------------------------------------------------------------------------------------


def test_a_feed_counts_brakes_and_reports(core: HostCore, host: Host) -> None:
    assert host.command(feed(run=42, cards=2)) is wire.Result.DONE
    assert core.motor == 255
    card(core)
    card(core, gap_us=0)
    core.run(REPORT_US)
    assert core.motor == BRAKED
    core.run(200_000)
    state = host.state()
    assert (state.run, state.run_kind, state.run_end) == (42, wire.RunKind.FEED, wire.FeedEnd.COUNT)
    assert state.run_cards == 2
    assert (state.cards_seen, state.blocked_ms_0, state.blocked_ms_1) == (2, 40, 40)
    turned = core.happenings("motor")
    assert [happening.value for happening in turned] == [255, BRAKED, 0]
    assert turned[2].us - turned[1].us == pytest.approx(40_000, abs=100)


@pytest.mark.parametrize(
    "command",
    [
        *(feed(cards=cards) for cards in (0, wire.MAX_BURST_CARDS + 1)),
        *(feed(timeout_ms=ms) for ms in (0, wire.MAX_MOTOR_RUN_MS + 1)),
        *(feed(blind_ms=ms) for ms in (0, wire.MAX_MOTOR_RUN_MS + 1)),
        *(feed(stall_ms=ms) for ms in (0, wire.MAX_MOTOR_RUN_MS + 1)),
        feed(run=0),
        feed(duty=0),
        wire.Retract(0, 100, 255),
        wire.Retract(1, 0, 255),
        wire.Retract(1, wire.MAX_RETRACT_MS + 1, 255),
        wire.Retract(1, 100, 0),
        wire.Light(2),
    ],
    ids=repr,
)
def test_a_figure_out_of_bounds_is_refused_and_nothing_moves(core: HostCore, host: Host, command: wire.Message) -> None:
    assert host.command(command) is wire.Result.BAD_ARGUMENT
    core.run(100_000)
    assert core.happenings("motor") == []


def test_a_launcher_without_a_bridge_refuses_to_retract() -> None:
    core = HostCore(capabilities=EXIT_SENSOR)
    core.start()
    host = Host(core)
    assert host.hello().capabilities == wire.Capability.EXIT_SENSOR
    assert host.command(wire.Retract(1, 100, 255)) is wire.Result.BAD_ARGUMENT
    assert core.motor == 0


# --- once and only once -------------------------------------------------------------------------------------------


def test_a_repeated_command_is_answered_again_and_not_executed_again(core: HostCore, host: Host) -> None:
    assert host.command(wire.Retract(1, 50, 255)) is wire.Result.DONE
    core.run(400_000)
    assert motor_starts(core.happenings()) == 1
    for _ in range(3):
        assert host.repeat(wire.Retract(1, 50, 255)) is wire.Result.DONE
    core.run(400_000)
    assert motor_starts(core.happenings()) == 0
    assert host.command(wire.Retract(2, 50, 255)) is wire.Result.DONE
    assert motor_starts(core.happenings()) == 1


@pytest.mark.parametrize("payload", [b"\0", b"\1\2\3", bytes(64)])
def test_a_stop_stops_whatever_comes_with_it(core: HostCore, host: Host, payload: bytes) -> None:
    assert host.command(feed()) is wire.Result.DONE
    core.send(enclose(bytes((wire.VERSION, wire.Stop.TYPE, 5)) + payload))
    assert host.wait_for(wire.Ack, 5).result is wire.Result.DONE
    assert core.motor == 0


def test_a_hello_forgets_the_last_sequence_number(core: HostCore, host: Host) -> None:
    assert host.command(wire.Retract(1, 50, 255)) is wire.Result.DONE
    core.run(400_000)
    core.happenings()
    host.hello()
    assert host.command(wire.Retract(1, 50, 255)) is wire.Result.DONE
    assert motor_starts(core.happenings()) == 1


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
