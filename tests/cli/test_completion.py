"""What a shell completes, asked as bash asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.launcher.messages import BurstEnded
from dispenser.odds.presets import PRESETS
from dispenser.simulator.faults import SimulatorFault


def completed(line: str) -> list[str]:
    words = line.split(" ")
    asked = {"_DISPENSER_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return CliRunner().invoke(app, [], prog_name="dispenser", env=asked).stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("dispenser odds ", sorted(PRESETS)),
        ("dispenser simulator fault ", sorted(fault.value for fault in SimulatorFault)),
        ("dispenser simulator fault exit_stuck_d", ["exit_stuck_dark"]),
        ("dispenser simulator fault roller_jam ", ["off", "on"]),
        ("dispenser simulator lid ", ["open", "shut"]),
        ("dispenser log --source b", ["bot", "button"]),
        ("dispenser run --driver ", ["gpio", "phone", "serial"]),
        ("dispenser ej", ["eject"]),
        ("dispenser rules play un", ["uno", "uno-extreme", "uno-vache"]),
        ("dispenser rules show uno U-1", [f"U-{number}" for number in range(10, 20)]),
        ("dispenser rules simulate uno-extreme --odds ge", ["gentle"]),
    ],
)
def test_words_that_can_follow(line: str, expected: list[str]) -> None:
    assert sorted(completed(line)) == expected


def test_types_of_records_and_their_families() -> None:
    types = completed("dispenser log --type launcher.b")
    assert {"launcher.burst", BurstEnded.type} <= set(types)
    assert all(each.startswith("launcher.b") for each in types)


def test_serial_ports_that_are_plugged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "usb-arduino").touch()
    monkeypatch.setattr("dispenser.drivers.serial.port.BY_ID", tmp_path)
    assert completed(f"dispenser run --serial-port {tmp_path}/usb") == [f"{tmp_path}/usb-arduino"]
