"""The GPIO driver when callbacks or pins raise, and when the loop hangs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pytest_mock import MockerFixture

from dispenser.drivers.base import DriverError, PinsUnavailableError
from dispenser.drivers.gpio import boot_config
from dispenser.drivers.gpio.ipc import Trouble
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.messages import DriverFailed, DriverRecovered, Feed, FeedEnd, FeedEnded
from tests.conftest import FakeScheduler
from tests.drivers.gpio.rig import FEED, Rig, in_another_thread


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.close()


# --- callbacks that raise -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["button", "exit", "lid"])
def test_whatever_raises_in_a_callback_stops_the_motor_and_never_leaves_it(
    rig: Rig, mocker: MockerFixture, line: str
) -> None:
    rig.driver.give(FEED)
    mocker.patch.object(rig.factory, "ticks_diff", side_effect=ValueError("a broken clock"))
    act = {
        "button": lambda: rig.button(down=True),
        "exit": lambda: rig.exit(blocked=True),
        "lid": lambda: rig.lid(up=True),
    }
    in_another_thread(act[line])
    assert rig.drives() == 0
    mocker.stopall()
    rig.clock.run_for(1.0)
    (failed,) = rig.of(DriverFailed)
    assert isinstance(failed, DriverFailed)
    assert "a broken clock" in str(failed.detail)


@pytest.mark.parametrize("broken", ["motor_enable", "motor_forward", "motor_backward"])
def test_a_motor_pin_that_fails_in_the_lids_callback_is_told_and_the_others_are_off(rig: Rig, broken: str) -> None:
    rig.driver.give(FEED)
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


# --- pins that raise ----------------------------------------------------------------------------------------------


class LibraryError(Exception):
    """lgpio has such errors, of no family that Python knows; gpiozero lets them through."""


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
        rig.driver.open(rig.on_event)
    rig.factory.failing = set()
    rig = Rig()
    rig.factory.error = library_errors
    rig.driver.give(FEED)
    rig.fail(*rig.wiring.lines())
    with pytest.raises(DriverError, match="GPIO busy"):
        rig.driver.levels()
    rig.driver.stop()
    rig.driver.reread()
    rig.clock.run_for(2.0)
    (failed,) = rig.events
    assert isinstance(failed, DriverFailed)
    assert "GPIO busy" in str(failed.detail)
    rig.close()


def test_a_pin_that_a_line_of_config_txt_takes_is_told_with_that_line(
    library_errors: Callable[[], Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy() -> str:
        rig = Rig(GpioWiring(lid=4, light=9), opened=False)
        rig.factory.error = library_errors
        rig.fail("lid")
        with pytest.raises(PinsUnavailableError, match="GPIO busy") as caught:
            rig.driver.open(rig.on_event)
        rig.factory.failing = set()
        assert Trouble.of(caught.value.text).text.fr == caught.value.text.fr, "also out of a process of its own"
        return str(caught.value)

    config = tmp_path / "config.txt"
    monkeypatch.setattr(boot_config, "FILES", (tmp_path / "missing", config))
    assert "is another program using them" in busy()
    config.write_text("dtparam=spi\n\ndtoverlay=w1-gpio\n")
    told = busy()
    assert f"GPIO4 (lid) is taken by w1-gpio, line 3 of {config}: dtoverlay=w1-gpio; GPIO9 (light)" in told
    assert "is taken by spi, line 1 of" in told
    assert "Put a # before that line" in told


@pytest.mark.parametrize("line", list(GpioWiring().lines()))
def test_a_pin_that_cannot_be_claimed_leaves_no_pin_claimed(line: str) -> None:
    rig = Rig(opened=False)
    rig.fail(line)
    with pytest.raises(PinsUnavailableError, match=r"cannot use the GPIO pins .*dispenser doctor"):
        rig.driver.open(rig.on_event)
    assert rig.drives() == 0
    rig.factory.failing = set()
    rig.driver.open(rig.on_event)
    rig.close()


# --- a loop that hangs --------------------------------------------------------------------------------------------


def test_a_run_ends_in_time_though_the_loop_never_comes_round() -> None:
    """Here the scheduler's time stands still for good; the reflex goes by a thread of its own."""
    rig = Rig(clock=None)
    driven, off = threading.Event(), threading.Event()

    def changed(_: int) -> None:
        if rig.drives():
            driven.set()
        elif driven.is_set():
            off.set()

    rig.factory.on_output = changed
    rig.driver.give(Feed(cards=2, timeout_s=0.001, stall_s=0.001))
    assert off.wait(30.0)
    assert rig.drives() == 0
    assert rig.events == []
    rig.close()
    assert not any(thread.name == "alarm" for thread in threading.enumerate())


def test_a_clock_that_hangs_gives_no_sign_of_life() -> None:
    clock = FakeScheduler()
    beats: list[str] = []
    rig = Rig(clock=clock)
    rig.driver.check_alive(lambda: beats.append("alive"))
    rig.clock.run_for(1.0)
    assert beats == []
    clock.settle()
    rig.clock.settle()
    assert beats == ["alive"]
    rig.close()


def test_cards_are_counted_and_braked_for_though_the_loop_never_comes_round(rig: Rig) -> None:
    rig.driver.give(FEED)
    calls: list[Callable[[], None]] = []
    rig.clock.call_soon_threadsafe = calls.append  # type: ignore[assignment,method-assign]
    for _ in range(FEED.cards):
        in_another_thread(lambda: rig.exit(blocked=True))
        rig.clock.run_for(0.04)
        in_another_thread(lambda: rig.exit(blocked=False))
        rig.clock.run_for(0.01)
    assert rig.drives() == 0
    rig.clock.run_for(1.0)
    assert rig.events == []
    for call in calls:
        call()
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 2)]
