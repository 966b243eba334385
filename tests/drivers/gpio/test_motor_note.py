"""What a launcher leaves for the last resort: whole or not at all, before a pin is claimed, gone after a good end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dispenser import motor_off
from dispenser.drivers.base import Driver, PinsUnavailableError
from dispenser.drivers.gpio import __main__ as pins_process
from dispenser.drivers.gpio import motor_note
from dispenser.drivers.gpio.ipc import Setup
from dispenser.drivers.gpio.motor_note import note_motor_lines
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from tests.conftest import FakeScheduler
from tests.drivers.gpio.mock_pins import TroubleFactory
from tests.kernel_gpio import OtherOs

CHIP = "/dev/gpiochip4"
LINES = {"motor_enable": 25, "motor_forward": 23}


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "runtime"))
    monkeypatch.setattr(motor_note, "label_of", lambda chip: {CHIP: "pinctrl-rp1"}[chip])
    return tmp_path / "runtime"


@pytest.fixture
def note(runtime: Path) -> Path:
    return runtime / motor_off.NOTE


def read(note: Path) -> tuple[str, str, list[motor_off.Line]]:
    return motor_off.read(note.read_text())


@contextmanager
def held_by_another(note: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process has it locked, as a launcher does; in place of this one."""
    hold = "import fcntl, sys; file = open(sys.argv[1], 'r+'); fcntl.lockf(file, 2); print(flush=True); input()"
    note.open().close()  # which takes away the lock of this process
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-S", "-c", hold, str(note)], **pipes) as other:
        assert other.stdout is not None
        other.stdout.read(1)
        yield other
        other.kill()


def test_the_last_resort_itself_lies_beside_it(runtime: Path) -> None:
    note_motor_lines(CHIP, LINES)
    assert sorted(path.name for path in runtime.iterdir()) == [motor_off.NOTE, motor_off.COPY]
    assert (runtime / motor_off.COPY).read_bytes() == Path(motor_off.__file__).read_bytes()
    assert runtime.stat().st_mode & 0o777 == 0o700


def test_a_launcher_that_still_runs_is_not_written_over(note: Path) -> None:
    note_motor_lines(CHIP, LINES)
    before = note.read_text()
    with held_by_another(note):
        with pytest.raises(PinsUnavailableError, match=rf"a launcher drives pins already, as {note} says"):
            note_motor_lines(CHIP, {"motor_forward": 12})
        assert note.read_text() == before
    note_motor_lines(CHIP, {"motor_forward": 12})
    assert read(note)[2] == [("motor_forward", 12)]


def test_a_full_disk_stops_no_start_and_is_told(
    runtime: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    note_motor_lines(CHIP, LINES)()
    assert "motor_off could not help after a crash: [Errno 28] No space left" in caplog.text
    assert list(runtime.iterdir()) == []


@pytest.mark.parametrize(
    ("environment", "user", "expected"),
    [
        ({"RUNTIME_DIRECTORY": "/run/one:/run/two", "XDG_RUNTIME_DIR": "{0}"}, 0, "/run/one"),
        ({"XDG_RUNTIME_DIR": "{0}"}, 1000, "{0}/dispenser"),
        ({}, 987654321, None),
        ({"XDG_RUNTIME_DIR": "{0}/gone"}, 1000, None),
        ({"XDG_RUNTIME_DIR": "{0}/gone"}, 0, "/run/dispenser"),
    ],
)
def test_the_runtime_directory_is_the_services_or_else_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], user: int, expected: str | None
) -> None:
    environ = {key: value.format(tmp_path) for key, value in environment.items()}
    monkeypatch.setattr(motor_off, "os", OtherOs(environ=environ, getuid=lambda: user))
    assert motor_off.runtime_directory() == (expected and expected.format(tmp_path))


# --- the launcher ---


@pytest.fixture
def factory(note: Path, monkeypatch: pytest.MonkeyPatch) -> TroubleFactory:
    """The pins of the launcher; none is asked for before the note is there."""

    class ChipFactory(TroubleFactory):
        chip = 4

        def pin(self, name: Any) -> Any:
            assert note.exists()
            return super().pin(name)

    factory = ChipFactory()
    monkeypatch.setattr(pins_process, "open_pin_factory", lambda: factory)
    return factory


def opened(factory: TroubleFactory) -> Driver:
    driver = pins_process.make_driver(Setup(GpioWiring(), GpioTiming()), FakeScheduler())  # type: ignore[arg-type]
    driver.open(lambda _: None)
    return driver


def test_the_launcher_leaves_its_note_before_the_first_pin_and_takes_it_away_at_its_end(
    note: Path, factory: TroubleFactory
) -> None:
    driver = opened(factory)
    assert read(note)[2] == list(GpioWiring().motor_lines().items())
    driver.close()
    assert not note.exists()


def test_the_note_stays_when_the_pins_do_not_let_the_motor_go(
    note: Path, factory: TroubleFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = opened(factory)

    def gone() -> None:
        monkeypatch.undo()  # to close it once more, when the garbage is collected, works
        raise OSError("the chip is gone")

    monkeypatch.setattr(factory.pin(GpioWiring().motor_enable), "close", gone)
    driver.close()
    assert read(note)[2]
