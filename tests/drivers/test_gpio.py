"""The GPIO driver where it is dangerous: the interlock against every other thread, and pins that raise."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from gpiozero import GPIOPinInUse
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin
from pytest_mock import MockerFixture

from dispenser.drivers.base import DriverError, DriverEvent, Edge, PinsUnavailableError
from dispenser.drivers.gpio import MAX_NOTED_EDGES, GpioDriver
from dispenser.drivers.wiring import GpioWiring
from dispenser.launcher.chimes import MELODIES
from dispenser.launcher.messages import (
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
from tests.conftest import FakeScheduler
from tests.drivers.pins import TroubleFactory

WIRINGS = {
    "bridge": GpioWiring(),
    "bridge without enable": GpioWiring(motor_enable=None),
    "MOSFET": GpioWiring(motor_backward=None, motor_enable=None),
    "no PWM": GpioWiring(motor_pwm=False),
}
FEED = Feed(cards=2, timeout_s=1.0, stall_s=0.5)
RETRACT = Retract(duration_s=0.15)


class Rig:
    """The driver on bare mock pins: levels are what the test says, and nothing moves by itself."""

    def __init__(self, wiring: GpioWiring | None = None, *, guard: bool = False, opened: bool = True) -> None:
        self.wiring = wiring or GpioWiring()
        self.clock = FakeScheduler()
        self.factory = TroubleFactory()
        self.events: list[DriverEvent] = []
        self.threads: set[str] = set()
        self.edges: list[Edge] = []
        self.lid(up=False)
        self.exit(blocked=False)
        self.button(down=False)
        self.driver = GpioDriver(self.wiring, self.factory, self.clock, MELODIES, guard=guard)
        if opened:
            self.driver.open(self.hear, self.edges.append)

    def hear(self, event: DriverEvent) -> None:
        self.events.append(event)
        self.threads.add(threading.current_thread().name)

    def of(self, *kinds: type) -> list[DriverEvent]:
        return [event for event in self.events if isinstance(event, kinds)]

    # --- wires ---

    def lid(self, *, up: bool) -> None:
        self.factory.pin(self.wiring.lid).drive(up)

    def exit(self, *, blocked: bool) -> None:
        if self.wiring.exit is not None:
            self.factory.pin(self.wiring.exit).drive(blocked)

    def button(self, *, down: bool) -> None:
        self.factory.pin(self.wiring.button).drive(not down)

    def card(self) -> None:
        for blocked in (True, False):
            self.exit(blocked=blocked)
            self.clock.run_for(0.04)

    def drives(self) -> float:
        """What flows through the motor: forward positive; a shorted (braked) motor is 0."""
        levels = [
            1.0 if gpio is None else self.factory.pin(gpio).output or 0.0
            for gpio in (self.wiring.motor_forward, self.wiring.motor_enable)
        ]
        backward = self.wiring.motor_backward
        against = 0.0 if backward is None else self.factory.pin(backward).output or 0.0
        return (levels[0] - against) * levels[1]

    def fail(self, *names: str) -> None:
        lines = self.wiring.lines()
        self.factory.failing = {lines[name] for name in names}

    def close(self) -> None:
        self.factory.failing = set()
        self.factory.meanwhile = None
        self.driver.close()
        assert self.drives() == 0
        self.factory.close()


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.close()


def in_another_thread(act: Callable[[], None]) -> None:
    """As lgpio's thread does it; returns when it is done."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - reported below: an exception there would end lgpio's thread
            failures.append(error)

    thread = threading.Thread(target=run, name="pins")
    thread.start()
    thread.join()
    assert failures == [], "a callback must never raise"


# --- the interlock against a start, at every point ----------------------------------------------------------------


def uses_of(rig: Rig, act: Callable[[], None]) -> int:
    """How often ``act`` reads or writes a pin."""
    uses = 0

    def count(*_: object) -> None:
        nonlocal uses
        uses += 1

    rig.factory.meanwhile = count
    act()
    rig.factory.meanwhile = None
    return uses


def rise(rig: Rig) -> None:
    rig.lid(up=True)


def flick(rig: Rig) -> None:
    """Up and back at once, as a contact that bounces: the level reads shut again."""
    rig.lid(up=True)
    rig.lid(up=False)


def flutter(rig: Rig) -> None:
    for up in (True, False, True, False, True):
        rig.lid(up=up)


def at_use(rig: Rig, number: int, act: Callable[[], None]) -> Callable[[], bool]:
    """Let another thread act right after the ``number``-th use of a pin; returns whether that has come."""
    uses = 0

    def meanwhile(*_: object) -> None:
        nonlocal uses
        if threading.current_thread().name == "pins":
            return
        uses += 1
        if uses == number:
            in_another_thread(act)

    rig.factory.meanwhile = meanwhile
    return lambda: uses >= number


@pytest.mark.parametrize("move", [rise, flick, flutter])
@pytest.mark.parametrize("command", [FEED, RETRACT], ids=["feed", "retract"])
@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=list(WIRINGS))
def test_the_lid_wins_at_every_point_of_a_start(
    wiring: GpioWiring, command: Feed | Retract, move: Callable[[Rig], None]
) -> None:
    if isinstance(command, Retract) and wiring.motor_backward is None:
        return
    begin = "feed" if isinstance(command, Feed) else "retract"
    trial = Rig(wiring)
    points = uses_of(trial, lambda: getattr(trial.driver, begin)(command))
    trial.close()
    assert points >= 2
    for number in range(points + 1):
        rig = Rig(wiring)
        if number == 0:
            in_another_thread(lambda rig=rig: move(rig))  # type: ignore[misc]
            reached = lambda: True  # noqa: E731
        else:
            reached = at_use(rig, number, lambda rig=rig: move(rig))  # type: ignore[misc]
        getattr(rig.driver, begin)(command)
        rig.factory.meanwhile = None
        assert reached(), number
        assert rig.drives() == 0, f"after use {number} of {points}: the lid has been up and the motor runs"
        rig.clock.run_for(2.0)
        assert rig.drives() == 0
        assert rig.of(LidOpened) == [LidOpened()], number
        (ended,) = rig.of(FeedEnded, RetractEnded)
        assert ended.cause is FeedEnd.LID, number  # type: ignore[union-attr]
        rig.close()


@pytest.mark.parametrize("move", [rise, flick, flutter])
@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=list(WIRINGS))
def test_the_lid_wins_at_every_point_of_the_end_of_a_feed(wiring: GpioWiring, move: Callable[[Rig], None]) -> None:
    """Braking sets pins high, too: the lid's callback in between must not leave one of them so."""

    def until_the_last_card(rig: Rig) -> None:
        rig.driver.feed(FEED)
        rig.card()
        rig.exit(blocked=True)
        rig.clock.run_for(0.04)
        rig.exit(blocked=False)

    trial = Rig(wiring)
    until_the_last_card(trial)
    points = uses_of(trial, lambda: trial.clock.run_for(1.0))
    trial.close()
    assert points >= 1
    for number in range(1, points + 1):
        rig = Rig(wiring)
        until_the_last_card(rig)
        reached = at_use(rig, number, lambda rig=rig: move(rig))  # type: ignore[misc]
        for _ in range(1000):
            before = rig.drives() != 0
            rig.clock.run_for(0.001)
            if reached():
                assert rig.drives() == 0, f"after use {number} of {points}"
        assert reached(), number
        assert before is False
        assert len(rig.of(FeedEnded)) == 1
        rig.close()


def test_a_feed_after_an_edge_that_nobody_has_heard_of_yet(rig: Rig) -> None:
    in_another_thread(lambda: flick(rig))
    rig.driver.feed(FEED)
    assert rig.drives() == 0, "the lid was up a moment ago and has not rested since"
    rig.clock.run_for(1.0)
    assert rig.of(LidOpened, FeedEnded, LidClosed) == [LidOpened(), FeedEnded(FeedEnd.LID, 0), LidClosed()]


def test_a_missed_edge_of_the_lid_does_not_swallow_the_next_one(rig: Rig) -> None:
    """gpiozero's own events compare with the last one they heard of, and would keep this edge to themselves."""
    rig.lid(up=True)
    rig.clock.run_for(0.2)
    rig.factory.deaf = {rig.wiring.lid}
    rig.lid(up=False)
    rig.factory.deaf = set()
    rig.driver.reread()
    rig.clock.run_for(0.2)
    assert rig.of(LidClosed) == [LidClosed()]
    rig.driver.feed(FEED)
    assert rig.drives() == 1
    in_another_thread(lambda: rig.lid(up=True))
    assert rig.drives() == 0


# --- threads ------------------------------------------------------------------------------------------------------


def test_edges_of_another_thread_are_told_on_the_schedulers_thread_in_order(rig: Rig) -> None:
    def hands() -> None:
        rig.button(down=True)
        rig.exit(blocked=True)
        rig.lid(up=True)

    in_another_thread(hands)
    assert rig.events == []
    assert [edge.line for edge in rig.edges] == []
    rig.clock.run_for(1.0)
    assert rig.events == [LidOpened(), ExitBlocked(), Press()]
    assert [edge.line for edge in rig.edges] == ["button", "exit", "lid"]
    assert rig.threads == {threading.current_thread().name}


def test_a_thousand_edges_a_second_press_once_when_they_come_to_rest(rig: Rig) -> None:
    for number in range(1000):
        rig.button(down=number % 2 == 0)
        rig.clock.run_for(0.001)
    assert rig.events == []
    rig.button(down=True)
    rig.clock.run_for(1.0)
    assert rig.events == [Press()]
    assert len(rig.edges) == 1001


def test_more_edges_than_can_wait_are_dropped_and_mended_by_reading_again(rig: Rig) -> None:
    for number in range(3 * MAX_NOTED_EDGES + 1):
        rig.exit(blocked=number % 2 == 0)
    rig.button(down=True)
    rig.clock.run_for(1.0)
    rig.driver.reread()
    rig.clock.run_for(1.0)
    assert len(rig.edges) <= MAX_NOTED_EDGES + 2
    assert rig.of(Press) == [Press()]
    assert rig.of(ExitBlocked, ExitCleared) == [ExitBlocked()]


# --- callbacks that raise -----------------------------------------------------------------------------------------


def test_a_closed_loop_does_not_keep_the_lid_from_stopping_the_motor(rig: Rig, mocker: MockerFixture) -> None:
    rig.driver.feed(FEED)
    mocker.patch.object(rig.clock, "call_soon_threadsafe", side_effect=RuntimeError("Event loop is closed"))
    in_another_thread(lambda: rig.lid(up=True))
    assert rig.drives() == 0


@pytest.mark.parametrize("line", ["button", "exit", "lid"])
def test_whatever_raises_in_a_callback_stops_the_motor_and_never_leaves_it(
    rig: Rig, mocker: MockerFixture, line: str
) -> None:
    rig.driver.feed(FEED)
    mocker.patch.object(rig.clock, "time", side_effect=ValueError("a broken clock"))
    act = {"button": lambda: rig.button(down=True), "exit": lambda: rig.exit(blocked=True), "lid": lambda: rise(rig)}
    in_another_thread(act[line])
    assert rig.drives() == 0
    mocker.stopall()
    rig.clock.run_for(1.0)
    (failed,) = rig.of(DriverFailed)
    assert isinstance(failed, DriverFailed)
    assert "a broken clock" in failed.detail


@pytest.mark.parametrize("broken", ["motor_enable", "motor_forward", "motor_backward"])
def test_a_motor_pin_that_fails_in_the_lids_callback_is_told_and_the_others_are_off(rig: Rig, broken: str) -> None:
    rig.driver.feed(FEED)
    rig.fail(broken)
    in_another_thread(lambda: rig.lid(up=True))
    assert rig.drives() == 0, "each of the three pins can stop the motor alone"
    rig.clock.run_for(1.0)
    assert len(rig.of(DriverFailed)) == 1
    rig.factory.failing = set()
    rig.driver.reread()
    rig.clock.run_for(1.0)
    assert rig.of(DriverRecovered) == [DriverRecovered()]
    assert [rig.factory.pin(gpio).output for gpio in (23, 24, 25)] == [0, 0, 0]


def test_a_sink_that_raises_leaves_the_motor_off_and_the_driver_alive() -> None:
    rig = Rig(opened=False)
    broken = [True]

    def sink(event: DriverEvent) -> None:
        if broken[0]:
            raise ValueError("a broken sink")
        rig.hear(event)

    rig.driver.open(sink)
    rig.driver.feed(FEED)
    in_another_thread(lambda: rig.lid(up=True))
    assert rig.drives() == 0
    with pytest.raises(ValueError, match="a broken sink"):
        rig.clock.run_for(5.0)
    assert rig.drives() == 0
    broken[0] = False
    rig.driver.stop()
    rig.clock.run_for(5.0)
    rig.lid(up=False)
    rig.clock.run_for(1.0)
    assert rig.of(LidClosed) == [LidClosed()]
    rig.close()


# --- pins that raise ----------------------------------------------------------------------------------------------


class LibraryError(Exception):
    """lgpio and pigpio have such errors, of no family that Python knows; gpiozero lets them through."""


@pytest.fixture
def library_errors(mocker: MockerFixture) -> Callable[[], Exception]:
    module: Any = ModuleType("lgpio")
    module.error = LibraryError
    mocker.patch.dict(sys.modules, {"lgpio": module})
    return lambda: LibraryError("GPIO busy")


def test_the_pin_librarys_own_errors_are_pin_errors(library_errors: Callable[[], Exception]) -> None:
    rig = Rig(opened=False)
    rig.factory.error = library_errors
    rig.fail("lid")
    with pytest.raises(PinsUnavailableError, match="GPIO busy"):
        rig.driver.open(rig.hear)
    rig.factory.failing = set()
    rig = Rig()
    rig.factory.error = library_errors
    rig.driver.feed(FEED)
    rig.fail(*rig.wiring.lines())
    with pytest.raises(DriverError, match="GPIO busy"):
        rig.driver.levels()
    rig.driver.stop()
    rig.driver.reread()
    rig.clock.run_for(2.0)
    (failed,) = rig.events
    assert isinstance(failed, DriverFailed)
    assert "GPIO busy" in failed.detail
    rig.close()


@pytest.mark.parametrize("line", list(GpioWiring().lines()))
def test_a_pin_that_cannot_be_claimed_leaves_no_pin_claimed(line: str) -> None:
    rig = Rig(opened=False)
    rig.fail(line)
    with pytest.raises(PinsUnavailableError, match=r"cannot use the GPIO pins .*dispenser doctor"):
        rig.driver.open(rig.hear)
    assert rig.drives() == 0
    rig.factory.failing = set()
    rig.driver.open(rig.hear)
    rig.close()


def test_a_pin_in_use_by_another_driver_is_refused_and_named() -> None:
    rig = Rig()
    other = GpioDriver(rig.wiring, rig.factory, rig.clock, MELODIES)
    with pytest.raises(PinsUnavailableError, match=GPIOPinInUse.__name__):
        other.open(rig.hear)
    rig.driver.feed(FEED)
    assert rig.drives() == 1, "the first one still works"
    rig.close()


@pytest.mark.parametrize("line", ["button", "lid", "exit"])
def test_one_input_that_cannot_be_read_is_a_failure_told_once(rig: Rig, line: str) -> None:
    rig.driver.feed(FEED)
    rig.fail(line)
    for _ in range(5):
        rig.driver.reread()
        rig.clock.run_for(1.0)
    assert rig.drives() == 0
    (failed,) = rig.events
    assert isinstance(failed, DriverFailed)
    with pytest.raises(DriverError):
        rig.driver.levels()


@pytest.mark.parametrize("line", ["motor_forward", "motor_enable", "lid"])
def test_a_feed_that_cannot_begin_is_a_failure_and_drives_nothing(rig: Rig, line: str) -> None:
    rig.fail(line)
    rig.driver.feed(FEED)
    assert rig.drives() == 0
    rig.factory.failing = set()
    rig.clock.run_for(2.0)
    assert rig.drives() == 0
    assert len(rig.of(DriverFailed)) == 1


def test_a_feed_while_the_driver_has_failed_is_answered_and_drives_nothing(rig: Rig) -> None:
    rig.fail("exit")
    rig.driver.reread()
    rig.driver.feed(FEED)
    assert rig.drives() == 0
    rig.clock.run_for(1.0)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.STOPPED, 0)]


def test_a_motor_that_could_not_be_turned_off_is_off_as_soon_as_its_pins_are_back(rig: Rig) -> None:
    rig.driver.feed(FEED)
    rig.fail("motor_forward", "motor_backward", "motor_enable")
    rig.clock.run_for(2.0)
    assert rig.drives() == 1, "nobody can do anything about it"
    rig.driver.reread()
    assert rig.of(DriverRecovered) == []
    rig.factory.failing = set()
    rig.driver.reread()
    assert rig.drives() == 0
    assert len(rig.of(DriverFailed)) == 1
    assert rig.of(DriverRecovered) == [DriverRecovered()]


# --- the guard ----------------------------------------------------------------------------------------------------


def test_the_guard_stops_the_motor_when_the_loop_hangs() -> None:
    """Here the scheduler's time stands still for good; the guard is on a clock of its own."""
    rig = Rig(guard=True)
    driven, off = threading.Event(), threading.Event()

    def changed(_: int) -> None:
        if rig.drives():
            driven.set()
        elif driven.is_set():
            off.set()

    rig.factory.on_output = changed
    rig.driver.feed(Feed(cards=2, timeout_s=0.001, stall_s=0.001))
    assert off.wait(30.0)
    assert rig.drives() == 0
    guard: Any = rig.driver._guard
    assert guard.tripped.wait(30.0)
    rig.driver.reread()
    (failed,) = rig.of(DriverFailed)
    assert isinstance(failed, DriverFailed)
    assert "past its limit" in failed.detail
    rig.driver.reread()
    assert rig.of(DriverRecovered) == [DriverRecovered()]
    rig.close()


def test_the_guard_stays_quiet_when_all_is_well() -> None:
    rig = Rig(guard=True)
    for _ in range(20):
        rig.driver.feed(Feed(cards=2, timeout_s=1.0, stall_s=0.5))
        rig.card()
        rig.card()
        rig.clock.run_for(1.0)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 2)] * 20
    assert rig.of(DriverFailed) == []
    rig.close()


# --- plain mock pins ----------------------------------------------------------------------------------------------


def test_pins_without_pwm_are_refused_by_name() -> None:
    factory = MockFactory(pin_class=MockPin)
    driver = GpioDriver(GpioWiring(), factory, FakeScheduler(), MELODIES)
    with pytest.raises(PinsUnavailableError, match="PinPWMUnsupported"):
        driver.open(lambda _: None)
    factory.close()


def test_it_runs_on_gpiozeros_own_mock_pins() -> None:
    factory, clock = MockFactory(pin_class=MockPWMPin), FakeScheduler()
    events: list[DriverEvent] = []
    driver = GpioDriver(GpioWiring(), factory, clock, MELODIES)
    driver.open(events.append)
    assert driver.levels().lid_open, "nothing is connected: the pull-up says open, as a broken wire would"
    factory.pin(27).drive_low()
    clock.run_for(1.0)
    driver.feed(FEED)
    assert factory.pin(23).state == factory.pin(25).state == 1
    factory.pin(27).drive_high()
    assert factory.pin(23).state == factory.pin(25).state == 0
    clock.run_for(1.0)
    factory.pin(17).drive_low()
    clock.run_for(1.0)
    assert events == [LidClosed(), LidOpened(), FeedEnded(FeedEnd.LID, 0), Press()]
    driver.close()
    factory.close()
