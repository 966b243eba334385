"""The motor is turned off from outside, whatever the launcher left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gpiozero import PinError

from dispenser import motor_off as module
from dispenser.config import Settings, parse
from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.pins.wiring import GpioWiring
from dispenser.motor_off import main, motor_off
from dispenser.toy import ToyFactory
from dispenser.toy.pins import ToyPin

BRIDGE = GpioWiring()
MOSFET = GpioWiring(motor_backward=None, motor_enable=None)


class LeftBehindPin(ToyPin):
    """What a dead launcher left: an output at a level. Notes what becomes of it."""

    done: list[tuple[str, str, object]]

    def _set_function(self, value: str) -> None:
        self.done.append((self.info.name, "function", value))
        super()._set_function(value)

    def _set_state(self, value: float) -> None:
        self.done.append((self.info.name, "state", value))
        super()._set_state(value)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> ToyFactory:
    monkeypatch.setattr(LeftBehindPin, "done", [], raising=False)
    factory = ToyFactory()
    factory.pin_class = LeftBehindPin
    return factory


def leave_running(factory: ToyFactory, wiring: GpioWiring) -> None:
    for name, gpio in wiring.lines().items():
        if name.startswith("motor_"):
            pin = factory.pin(gpio)
            pin.function = "output"
            pin.state = True
    LeftBehindPin.done.clear()


@pytest.mark.parametrize(
    ("wiring", "pins"),
    [(BRIDGE, ["GPIO25", "GPIO23", "GPIO24"]), (MOSFET, ["GPIO23"])],
    ids=["bridge", "mosfet"],
)
def test_every_motor_pin_goes_low_enable_first_and_is_let_go(
    factory: ToyFactory, wiring: GpioWiring, pins: list[str]
) -> None:
    leave_running(factory, wiring)
    assert motor_off(wiring, factory) == []
    driven = [(pin, value) for pin, what, value in LeftBehindPin.done if what == "state"]
    assert [pin for pin, _ in driven] == pins
    assert not any(value for _, value in driven), "no pin may go high, not even for a moment"
    assert {factory.pin(name).function for name in pins} == {"input"}
    factory.close()


def test_no_other_pin_is_touched(factory: ToyFactory) -> None:
    motor_off(BRIDGE, factory)
    assert {pin for pin, _, _ in LeftBehindPin.done} == {"GPIO23", "GPIO24", "GPIO25"}
    factory.close()


@pytest.mark.parametrize("error", [PinError("gone"), OSError("gone"), RuntimeError("GPIO busy")])
def test_a_pin_that_fails_does_not_keep_the_others_from_going_low(factory: ToyFactory, error: Exception) -> None:
    leave_running(factory, BRIDGE)
    real = factory.pin

    def pin(name: Any) -> Any:
        if name == BRIDGE.motor_enable:
            raise error
        return real(name)

    factory.pin = pin
    failures = motor_off(BRIDGE, factory)
    assert len(failures) == 1
    assert "motor_enable (GPIO25) cannot be driven low" in failures[0]
    assert [pin for pin, what, _ in LeftBehindPin.done if what == "state"] == ["GPIO23", "GPIO24"]
    factory.close()


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "dispenser.toml"
    path.write_text('[pins]\nmotor_forward = 12\nmotor_backward = "none"\nmotor_enable = 13\n')
    assert parse(path.read_text()) != Settings()
    return path


def test_the_command_takes_the_pins_of_the_settings(
    factory: ToyFactory, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "open_pin_factory", {"lgpio": factory}.__getitem__)
    assert main(["--config", str(config)]) == 0
    assert {pin for pin, _, _ in LeftBehindPin.done} == {"GPIO12", "GPIO13"}


def test_the_command_says_which_pin_failed(
    factory: ToyFactory, config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def busy(name: object) -> Any:
        raise RuntimeError("GPIO busy")

    monkeypatch.setattr(factory, "pin", busy)
    monkeypatch.setattr(module, "open_pin_factory", lambda _: factory)
    assert main(["--config", str(config)]) == 69
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "motor_enable (GPIO13)" in lines[0]
    assert "motor_forward (GPIO12)" in lines[1]
    assert all("is a launcher still running?" in line for line in lines)


def test_without_pins_it_says_so(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none_here(name: str) -> Any:
        raise PinsUnavailableError("no GPIO here")

    monkeypatch.setattr(module, "open_pin_factory", none_here)
    assert main(["--config", str(config)]) == 69
    assert capsys.readouterr().err == "dispenser.motor_off: no GPIO here\n"


def test_wrong_settings(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text("[pins]\nmotor_forward = 99\n")
    assert main(["--config", str(config)]) == 78
    assert "motor_forward = 99" in capsys.readouterr().err


def test_a_microcontroller_needs_no_pins_here_to_stop_its_motor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops by itself when nobody is heard any more."""
    settings = tmp_path / "dispenser.toml"
    settings.write_text('[driver]\nkind = "serial"\n')
    monkeypatch.setattr(module, "open_pin_factory", lambda _: pytest.fail("no pin is ours"))
    assert main(["--config", str(settings)]) == 0
