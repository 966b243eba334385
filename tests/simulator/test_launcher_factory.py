"""The pin factory that gpiozero starts by name: wired as the build guide says, and gone at the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from importlib.metadata import entry_points

import pytest
from gpiozero import LED, Button, Device, Motor
from gpiozero.pins.mock import MockFactory

from dispenser.service.assembly import simulator_wiring
from dispenser.service.settings import Settings
from dispenser.simulator import Happening, LauncherFactory, SimulatorError, SimulatorValueError, the_simulator
from dispenser.simulator.launcher_factory import BUILD_GUIDE

PATIENCE_S = 60.0


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[LauncherFactory]:
    launcher = LauncherFactory(seed="recipes")
    monkeypatch.setattr(Device, "pin_factory", launcher)
    yield launcher
    launcher.close()


def test_gpiozero_finds_it_by_name_wired_as_the_launcher_without_settings() -> None:
    (entry,) = (found for found in entry_points(group="gpiozero_pin_factories") if found.name == "launcher")
    assert entry.load() is LauncherFactory
    assert simulator_wiring(Settings()) == BUILD_GUIDE


def test_the_environment_says_how_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPENSER_SIMULATOR_CARDS", "20")
    monkeypatch.setenv("DISPENSER_SIMULATOR_LID", "open")
    launcher = LauncherFactory()
    assert (launcher.simulator.view().cards_in_stack, launcher.simulator.view().lid_open) == (20, True)
    launcher.close()
    launcher = LauncherFactory(cards=3, lid_open=False)
    assert (launcher.simulator.view().cards_in_stack, launcher.simulator.view().lid_open) == (3, False), (
        "who says it counts more"
    )
    launcher.close()


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("DISPENSER_SIMULATOR_CARDS", "many", "DISPENSER_SIMULATOR_CARDS=20"),
        ("DISPENSER_SIMULATOR_CARDS", "113", "load 112 or fewer"),
        ("DISPENSER_SIMULATOR_LID", "up", "DISPENSER_SIMULATOR_LID=open or DISPENSER_SIMULATOR_LID=shut"),
    ],
)
def test_what_makes_no_sense_is_refused_and_leaves_no_thread(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, remedy: str
) -> None:
    before = threading.active_count()
    monkeypatch.setenv(name, value)
    with pytest.raises(SimulatorValueError, match=remedy):
        LauncherFactory()
    assert threading.active_count() == before


def test_at_the_end_the_motor_is_off_and_whoever_listens_hears_it(factory: LauncherFactory) -> None:
    told: list[object] = []
    running = threading.Event()
    factory.simulator.add_listener(lambda event: told.append((event.happening, event.value)))
    factory.simulator.add_listener(lambda _: running.set())
    motor = Motor(23, 24, enable=25)
    motor.forward()
    assert running.wait(PATIENCE_S)
    factory.close()
    assert (Happening.MOTOR, 0.0) in told
    assert factory.simulator.view().motor_commanded == 0.0
    factory.close()  # a second time changes nothing


def test_hands_reach_the_simulator_behind_the_pins(factory: LauncherFactory) -> None:
    assert the_simulator() is factory.simulator
    light, pressed = LED(16), threading.Event()
    button = Button(17)
    button.when_pressed = pressed.set
    light.on()
    the_simulator().hold_button()
    assert pressed.wait(PATIENCE_S)
    assert the_simulator().view().light_on


def test_other_pins_have_no_simulator_behind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", MockFactory())
    with pytest.raises(SimulatorError, match="GPIOZERO_PIN_FACTORY=launcher"):
        the_simulator()
