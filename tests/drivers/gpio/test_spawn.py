"""The process that holds the pins is started first of all where it will be needed, and nowhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dispenser.drivers.gpio import spawn
from dispenser.drivers.gpio.client import GpioProcess

SLEEPS_UNTIL_THE_CONNECTION_ENDS = (
    sys.executable,
    "-c",
    "import socket, sys; socket.socket(fileno=int(sys.argv[1])).recv(1)",
)


@pytest.fixture(autouse=True)
def a_process_that_only_waits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(spawn, "COMMAND", SLEEPS_UNTIL_THE_CONNECTION_ENDS)
    monkeypatch.setenv("DISPENSER_CONFIG", str(tmp_path / "none.toml"))
    yield
    while (started := spawn.take()) is not None:
        connection, process = started
        connection.close()
        assert process.wait(60) == 0, "it ends with us"


def begun(*arguments: str) -> bool:
    spawn.begin(arguments)
    if (started := spawn.take()) is None:
        return False
    started[0].close()
    started[1].wait(60)
    return True


def test_a_launcher_on_pins_begins_with_it(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    assert begun()
    assert begun("--no-web", "--driver", "gpio")
    settings.write_text('[driver]\nkind = "serial"\n')
    assert begun("--config", str(settings), "--driver=gpio")
    settings.write_text("[driver\n")
    assert begun(f"--config={settings}"), "settings that are wrong are told by whoever reads them"


def test_nothing_else_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (("--help",), ("--driver", "serial"), ("--driver=phone",)):
        assert not begun(*arguments), arguments
    settings = tmp_path / "settings.toml"
    settings.write_text('[driver]\nkind = "phone"\n')
    assert not begun("--config", str(settings))
    monkeypatch.setenv("DISPENSER_CONFIG", str(settings))
    assert not begun()


def test_it_is_taken_once_and_the_next_one_is_fresh() -> None:
    spawn.begin([])
    first, second = GpioProcess(lambda: True), GpioProcess(lambda: True)
    assert first.pid != second.pid
    assert spawn.take() is None
    assert first.close()
    assert second.close()
