"""The serial driver on a board that does as it should, over a line that does, too."""

from __future__ import annotations

import pytest
from pytest_mock import MockerFixture

from dispenser.drivers.base import Capabilities, DriverError, DriverEvent, Levels, PinsUnavailableError
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, encode
from dispenser.drivers.serial.handshake import FirmwareMismatchError, NoAnswerError
from dispenser.drivers.serial.port import SerialPortError
from dispenser.launcher.messages import (
    Chime,
    DriverFailed,
    DriverRecovered,
    ExitBlocked,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    LidClosed,
    LidOpened,
    Press,
    Retract,
    RetractEnded,
)
from tests.drivers.serial.serial_rig import SerialRig

THREE = Feed(cards=3, timeout_s=2.0, stall_s=0.6)
MANY = Feed(cards=30, timeout_s=5.0, stall_s=5.0, blind_s=5.0)


@pytest.fixture
def rig() -> SerialRig:
    return SerialRig()


# --- opening ------------------------------------------------------------------------------------------------------


def test_opening_asks_who_is_there() -> None:
    rig = SerialRig(opened=False)
    with pytest.raises(DriverError, match="open"):
        _ = rig.driver.capabilities
    rig.open()
    assert rig.driver.capabilities == Capabilities(exit_sensor=True, retract=True)
    assert "1.2.3 on host" in str(rig.driver.about)
    assert rig.board.hosted
    assert rig.heard == []


def test_a_board_that_boots_for_two_seconds_is_awaited() -> None:
    rig = SerialRig(opened=False, boot_s=2.0)
    begun = rig.scheduler.time()
    rig.open()
    assert 2.0 < rig.scheduler.time() - begun < 2.5
    assert rig.heard == []


def test_after_connect_the_capabilities_are_known_and_open_goes_on_from_there() -> None:
    rig = SerialRig(opened=False, boot_s=1.0)
    rig.board.capabilities = wire.Capability(0)
    rig.driver.connect()
    assert rig.driver.capabilities == Capabilities(exit_sensor=False, retract=False)
    rig.run(10)  # the board believes that we have gone
    rig.board.lid(up=True)
    rig.open()
    assert rig.link.opens == 1
    assert rig.driver.levels().lid_open
    assert rig.board.hosted


def test_nobody_there_is_told_with_what_to_do() -> None:
    rig = SerialRig(opened=False)
    rig.link.mute = True
    with pytest.raises(NoAnswerError, match="dispenser firmware flash"):
        rig.open()
    rig.link.mute = False
    rig.open()
    assert rig.board.hosted


def test_no_line_is_told_with_what_to_do() -> None:
    rig = SerialRig(opened=False)
    rig.link.unplug()
    with pytest.raises(PinsUnavailableError, match=r"not there.*dispenser doctor"):
        rig.open()


def test_a_line_that_goes_while_hands_are_shaken_is_told() -> None:
    rig = SerialRig(opened=False, boot_s=2.0)
    rig.scheduler.call_at(rig.scheduler.time() + 1.0, rig.link.unplug)
    with pytest.raises(PinsUnavailableError, match="dispenser doctor"):
        rig.open()


def test_a_line_that_goes_between_the_handshake_and_listening_is_told_and_left(mocker: MockerFixture) -> None:
    rig = SerialRig(opened=False)
    mocker.patch.object(rig.link, "listen", side_effect=SerialPortError("its plug was pulled"))
    with pytest.raises(PinsUnavailableError, match=r"its plug was pulled.*dispenser doctor"):
        rig.open()
    mocker.stopall()
    rig.open()
    assert rig.board.hosted


def test_another_dictionary_is_refused_with_what_to_do() -> None:
    rig = SerialRig(opened=False)
    rig.board.dictionary ^= 1
    with pytest.raises(FirmwareMismatchError, match=r"firmware 1\.2\.3 .*dispenser firmware flash"):
        rig.open()
    assert not rig.board.hosted


def test_with_the_lid_up_it_opens_and_says_so_in_its_levels() -> None:
    rig = SerialRig(opened=False)
    rig.board.lid(up=True)
    rig.open()
    assert rig.driver.levels() == Levels(lid_open=True, exit_blocked=False, button_down=False)
    assert rig.heard == []
    rig.board.lid(up=False)
    rig.run(0.1)
    assert rig.heard == [LidClosed()]


def test_what_happened_before_is_not_told() -> None:
    rig = SerialRig(opened=False)
    rig.board.presses = 7
    rig.board.lid(up=True)
    rig.board.lid(up=False)
    rig.board.exit(blocked=True)
    rig.board.exit(blocked=False)
    rig.open()
    assert rig.heard == []


def test_closing_turns_everything_off_and_leaves_the_board_alone(rig: SerialRig) -> None:
    rig.driver.light(on=True)
    rig.run(0.05)
    rig.driver.play(Chime.FAULT)
    rig.run(0.05)
    rig.driver.feed(MANY)
    rig.run(0.1)
    assert (rig.board.motor, rig.board.light, rig.board.tone) == (1, True, wire.Chime.FAULT)
    rig.driver.close()
    rig.driver.close()
    rig.run(0.01)
    assert (rig.board.motor, rig.board.light, rig.board.tone, rig.board.hosted) == (0, False, None, False)
    rig.clear()
    rig.board.press()
    rig.driver.stop()
    rig.driver.light(on=True)
    rig.driver.play(Chime.DUD)
    rig.driver.feed(THREE)
    rig.driver.reread()
    rig.run(5)
    assert rig.heard == []
    assert rig.board.motor == 0
    assert rig.scheduler.pending == 0


def test_what_came_behind_the_bytes_on_which_it_was_closed_is_not_heard() -> None:
    rig = SerialRig(opened=False)

    def hear_and_close(event: DriverEvent) -> None:
        rig.hear(event)
        rig.driver.close()

    rig.driver.open(hear_and_close)
    rig.link.mute = True
    told = b""
    for _ in range(2):
        rig.board.press()
        told += encode(Frame(0, rig.board.state()))
    rig.link.arrive(told, rig.link.opens)
    rig.run(1)
    assert rig.heard == [Press()]


def test_before_it_is_opened_commands_do_nothing() -> None:
    rig = SerialRig(opened=False)
    rig.driver.feed(THREE)
    rig.driver.stop()
    rig.driver.light(on=True)
    rig.driver.play(Chime.DUD)
    rig.driver.reread()
    rig.driver.close()
    rig.run(1)
    assert (rig.link.opens, rig.link.written, rig.heard) == (0, [], [])
    rig.open()
    rig.run(0.1)
    assert (rig.board.starts, rig.board.played, rig.board.light) == ([], [], False)


def test_it_may_be_opened_again(rig: SerialRig) -> None:
    rig.driver.close()
    rig.open()
    rig.driver.feed(THREE)
    rig.run(1)
    assert len(rig.of(FeedEnded)) == 1


def test_what_was_asked_before_it_was_closed_is_not_done_after_it_was_opened_again(rig: SerialRig) -> None:
    rig.link.noise.lost = 1.0
    rig.driver.play(Chime.FIRE)
    rig.driver.feed(THREE)
    rig.driver.light(on=True)
    rig.driver.close()
    rig.link.noise.lost = 0.0
    rig.open()
    rig.run(1)
    assert (rig.board.played, rig.board.starts, rig.board.light) == ([], [], False)
    assert rig.heard == []


# --- events -------------------------------------------------------------------------------------------------------


def test_every_press_is_heard(rig: SerialRig) -> None:
    for _ in range(5):
        rig.board.press()
        rig.run(0.1)
    assert rig.heard == [Press()] * 5


def test_presses_that_one_report_tells_are_all_heard(rig: SerialRig) -> None:
    for _ in range(3):
        rig.board.press()
    rig.run(0.1)
    assert rig.heard == [Press()] * 3


def test_counters_may_wrap(rig: SerialRig) -> None:
    rig = SerialRig(opened=False)
    rig.board.presses = rig.board.lid_rises = rig.board.cards_seen = 0xFFFF
    rig.open()
    rig.board.press()
    rig.board.press()
    rig.board.lid(up=True)
    rig.board.lid(up=False)
    rig.board.exit(blocked=True)
    rig.board.exit(blocked=False, dark_ms=50)
    rig.run(0.1)
    assert rig.heard == [LidOpened(), LidClosed(), ExitBlocked(), ExitCleared(50.0, fed=False), Press(), Press()]


def test_a_report_that_is_lost_loses_nothing(rig: SerialRig) -> None:
    rig.link.forgetful = True
    rig.board.press()
    rig.board.lid(up=True)
    for dark_ms in (41, 42, 43):
        rig.board.exit(blocked=True)
        rig.run(0.02)
        rig.board.exit(blocked=False, dark_ms=dark_ms)
        rig.run(0.02)
    rig.board.exit(blocked=True)
    rig.run(0.5)
    assert rig.heard == []
    rig.driver.reread()
    rig.run(0.1)
    passed = [event for dark_ms in (41.0, 42.0, 43.0) for event in (ExitBlocked(), ExitCleared(dark_ms, fed=False))]
    assert rig.heard == [LidOpened(), *passed, ExitBlocked(), Press()]


def test_a_lid_that_was_up_twice_between_two_reports_is_told_twice(rig: SerialRig) -> None:
    for up in (True, False, True, False):
        rig.board.lid(up=up)
    rig.run(0.1)
    assert rig.heard == [LidOpened(), LidClosed(), LidOpened(), LidClosed()]


def test_levels_are_those_of_the_last_report(rig: SerialRig) -> None:
    rig.board.exit(blocked=True)
    rig.board.button_down = True
    assert rig.driver.levels() == Levels(lid_open=False, exit_blocked=False, button_down=False)
    rig.run(0.1)
    assert rig.driver.levels() == Levels(lid_open=False, exit_blocked=True, button_down=True)


# --- runs ---------------------------------------------------------------------------------------------------------


def test_a_feed_ends_with_its_count(rig: SerialRig) -> None:
    rig.driver.feed(THREE)
    rig.run(1)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 3)]
    assert rig.of(ExitCleared) == [ExitCleared(45.0)] * 3


def test_the_command_says_what_was_asked(rig: SerialRig) -> None:
    rig.driver.feed(Feed(cards=7, timeout_s=1.2345, stall_s=0.5, duty=0.5))
    rig.run(0.01)
    assert rig.board.run == wire.Feed(run=1, cards=7, timeout_ms=1234, blind_ms=120, stall_ms=500, duty=128)


def test_a_tiny_time_or_duty_is_not_rounded_to_nothing(rig: SerialRig) -> None:
    rig.driver.feed(Feed(cards=1, timeout_s=0.0001, stall_s=0.0001, duty=0.001))
    rig.run(0.002)
    assert (rig.board.run.timeout_ms, rig.board.run.stall_ms, rig.board.run.duty) == (1, 1, 1)


def test_a_feed_that_sees_nothing_ends_as_blind(rig: SerialRig) -> None:
    rig.board.card_s = None
    rig.driver.feed(THREE)
    rig.run(0.11)
    assert rig.board.motor == 1
    rig.run(0.2)
    assert rig.heard == [FeedEnded(FeedEnd.BLIND, 0)]


def test_without_an_exit_sensor_no_count_is_told() -> None:
    rig = SerialRig(opened=False)
    rig.board.capabilities = wire.Capability.RETRACT
    rig.board.card_s = None
    rig.open()
    rig.driver.feed(Feed(cards=2, timeout_s=0.2, stall_s=0.2))
    rig.run(0.5)
    assert rig.heard == [FeedEnded(FeedEnd.TIMED, None)]


def test_a_retract_ends_when_its_time_is_over(rig: SerialRig) -> None:
    rig.driver.retract(Retract(0.1))
    rig.run(0.05)
    assert rig.board.motor == -1
    rig.run(0.5)
    assert rig.heard == [RetractEnded(FeedEnd.TIMED)]


def test_a_feed_with_the_lid_up_ends_with_that_reason(rig: SerialRig) -> None:
    rig.board.lid(up=True)
    rig.driver.feed(THREE)
    rig.run(0.5)
    assert rig.heard == [LidOpened(), FeedEnded(FeedEnd.LID, 0)]
    assert rig.board.starts == []


@pytest.mark.parametrize("latency_s", [0.0, 0.001, 0.02])
@pytest.mark.parametrize("after_s", [0.0, 0.001, 0.01, 0.05, 0.2])
def test_stop_ends_a_feed_wherever_it_is(latency_s: float, after_s: float) -> None:
    rig = SerialRig()
    rig.link.latency_s = latency_s
    rig.driver.feed(MANY)
    rig.run(after_s)
    rig.driver.stop()
    rig.driver.stop()
    rig.run(latency_s)
    assert rig.board.motor == 0
    rig.run(1)
    (ended,) = rig.of(FeedEnded)
    assert isinstance(ended, FeedEnded)
    assert ended.cause is FeedEnd.STOPPED
    assert rig.board.motor == 0


def test_stop_overtakes_a_feed_that_was_lost(rig: SerialRig) -> None:
    rig.link.noise.lost = 1.0
    rig.driver.feed(MANY)
    rig.link.noise.lost = 0.0
    rig.driver.stop()
    rig.run(1)
    assert rig.heard == [FeedEnded(FeedEnd.STOPPED, 0)]
    assert rig.board.starts == []


def test_stop_goes_ahead_of_what_waits_and_loses_only_the_feed(rig: SerialRig) -> None:
    rig.driver.play(Chime.FIRE)
    rig.driver.light(on=True)
    rig.driver.feed(MANY)
    rig.driver.stop()
    rig.run(1)
    assert rig.heard == [FeedEnded(FeedEnd.STOPPED, 0)]
    assert rig.board.starts == []
    assert rig.board.light
    assert set(rig.board.played) == {wire.Chime.FIRE}


def test_a_second_feed_replaces_the_first(rig: SerialRig) -> None:
    rig.driver.feed(MANY)
    rig.run(0.1)
    rig.driver.feed(Feed(cards=1, timeout_s=1, stall_s=1))
    rig.run(1)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 1)]


def test_more_feeds_than_there_are_numbers(rig: SerialRig) -> None:
    for _ in range(300):
        rig.driver.feed(Feed(cards=1, timeout_s=1, stall_s=1))
        rig.run(0.3)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 1)] * 300
    assert len(rig.board.starts) == 300


def test_a_report_of_the_run_is_as_good_as_its_acknowledgement(rig: SerialRig) -> None:
    rig.link.no_acks = True
    rig.driver.feed(THREE)
    rig.run(1)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 3)]
    assert rig.of(DriverFailed) == []
    assert rig.link.sent(wire.Feed) == 1


# --- sound and light ----------------------------------------------------------------------------------------------


def test_of_many_chimes_the_last_one_is_played_and_of_many_lights_the_last_one_is_lit(rig: SerialRig) -> None:
    for number in range(100):
        rig.driver.light(on=number % 2 == 0)
        rig.driver.play(list(Chime)[number % 8])
    rig.run(0.1)
    assert rig.board.tone is wire.Chime[list(Chime)[99 % 8].name]
    assert not rig.board.light
    assert rig.board.executed <= 4


@pytest.mark.parametrize("chime", Chime)
def test_every_chime_has_its_number(rig: SerialRig, chime: Chime) -> None:
    rig.driver.play(chime)
    rig.run(0.05)
    assert rig.board.played == [wire.Chime[chime.name]]


# --- heartbeats ---------------------------------------------------------------------------------------------------


def test_a_long_run_is_not_cut_short_while_our_loop_lives(rig: SerialRig) -> None:
    rig.board.card_s = None
    rig.driver.feed(MANY)
    rig.run(4.9)
    assert rig.board.motor == 1
    rig.run(1)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.TIMEOUT, 0)]


def test_while_nothing_runs_the_line_is_quiet(rig: SerialRig) -> None:
    rig.link.written.clear()
    rig.run(0.9)
    assert rig.link.written == []


def test_rereading_once_a_second_keeps_the_session(rig: SerialRig) -> None:
    rig.live(30)
    assert rig.board.hosted
    assert rig.heard == []
    rig.driver.feed(THREE)
    rig.live(1)
    assert len(rig.of(FeedEnded)) == 1


@pytest.mark.parametrize("latch", [wire.Latch.WATCHDOG, wire.Latch.MOTOR_GUARD])
def test_a_lock_that_is_there_at_opening_is_told_and_holds_until_a_person_has_reset(latch: wire.Latch) -> None:
    rig = SerialRig(opened=False)
    rig.board.latches = latch
    rig.open()
    rig.driver.feed(THREE)
    assert rig.heard == [FeedEnded(FeedEnd.STOPPED, 0)], "not before somebody has heard of it"
    with pytest.raises(DriverError, match=r"motor is off.*reset"):  # for the machine that is a fault
        rig.driver.levels()
    assert rig.driver.levels() == Levels(lid_open=False, exit_blocked=False, button_down=False)
    rig.driver.light(on=True)
    rig.live(5)
    rig.driver.close()
    assert rig.board.latches == latch
    rig.clear()
    rig.open()
    with pytest.raises(DriverError):
        rig.driver.levels()
    rig.driver.feed(THREE)  # the machine feeds only after a person's reset
    rig.run(1)
    assert rig.board.latches == wire.Latch(0)
    assert rig.heard[-1] == FeedEnded(FeedEnd.COUNT, 3)
    assert rig.of(DriverFailed) == []


def test_a_lock_that_was_set_while_the_line_was_broken_is_told_too(rig: SerialRig) -> None:
    rig.link.unplug()
    rig.run(0.1)
    rig.board.latches = wire.Latch.WATCHDOG
    rig.link.plug()
    rig.live(3)
    lost, locked = rig.of(DriverFailed)
    assert "cable" in str(lost)
    assert "hung" in str(locked)
    assert rig.heard[-1] == DriverRecovered()
    assert rig.board.latches == wire.Latch.WATCHDOG


def test_a_lock_that_comes_while_it_runs_is_told_once(rig: SerialRig) -> None:
    rig.driver.feed(MANY)
    rig.run(0.3)
    rig.board.latches = wire.Latch.MOTOR_GUARD
    rig.live(5)
    assert len(rig.of(DriverFailed)) == 1
    assert "limit" in str(rig.of(DriverFailed))
