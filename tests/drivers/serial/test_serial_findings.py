"""What the doctor finds at a microcontroller: here a fake one."""

from __future__ import annotations

import pytest

from dispenser.drivers.kinds import DriverSettings
from dispenser.drivers.serial import kind
from dispenser.drivers.serial import tables as wire
from dispenser.service.settings import Settings
from dispenser.system.doctor import Finding, Status
from tests.conftest import FakeScheduler
from tests.drivers.serial.fake_board import FakeBoard, FakeLink


@pytest.fixture
def fake() -> FakeBoard:
    return FakeBoard(FakeScheduler())


def findings(board: FakeBoard, *, runs: bool = False, baud: int = wire.BAUD) -> dict[str, Finding]:
    """:param baud: how fast the board speaks; what is asked at another speed is not heard."""
    link = FakeLink(board)

    def at(driver: DriverSettings) -> FakeLink:
        link.baud, link.mute = driver.baud, driver.baud != baud
        return link

    found = kind.examine(Settings(driver=DriverSettings(kind="serial")), runs=runs, port=at)
    by_name = {each.check: each for each in found}
    assert runs == (link.opens == 0)
    return by_name


def test_the_doctor_finds_a_healthy_microcontroller_and_leaves_it_alone(fake: FakeBoard) -> None:
    found = findings(fake)
    assert list(found) == ["line", "firmware", "start", "lid", "button", "exit", "cells"]
    assert {finding.status for finding in found.values()} == {Status.GOOD}
    assert "1.2.3" in found["firmware"].text
    assert f"{wire.DICTIONARY:08x}" in found["firmware"].text
    fake.scheduler.run_for(0.1)
    assert (fake.hosted, fake.starts, fake.light) == (False, [], False)


def test_the_doctor_tells_what_is_not_at_rest(fake: FakeBoard) -> None:
    fake.lid_open = fake.exit_blocked = fake.button_down = True
    found = findings(fake)
    assert [found[name].status for name in ("lid", "button", "exit")] == [Status.NOTE] * 3
    assert all(found[name].remedy for name in ("lid", "button", "exit"))


def test_the_doctor_tells_of_a_lock_and_leaves_it(fake: FakeBoard) -> None:
    fake.latches = wire.Latch.WATCHDOG
    assert findings(fake)["motor"].status is Status.WRONG
    assert fake.latches == wire.Latch.WATCHDOG


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (wire.ResetCause.BROWN_OUT, "voltage"),
        (wire.ResetCause.WATCHDOG, "hung"),
        (wire.ResetCause.UNKNOWN, "boot loaders hide it"),
    ],
)
def test_the_doctor_tells_of_a_bad_start(fake: FakeBoard, cause: wire.ResetCause, words: str) -> None:
    fake.reboot(cause)
    found = findings(fake)["start"]
    assert found.status is Status.NOTE
    assert words in found.text


def test_the_doctor_tells_of_another_firmware(fake: FakeBoard) -> None:
    fake.dictionary ^= 1
    found = findings(fake)
    assert found["firmware"].status is Status.WRONG
    assert "dispenser firmware flash" in found["firmware"].text
    assert "lid" not in found


def test_the_doctor_tells_when_nobody_answers(fake: FakeBoard) -> None:
    found = findings(fake, baud=0)["firmware"]
    assert (found.status, found.text) == (Status.WRONG, "nobody answers, at 115200 / 38400 baud")
    assert "dispenser firmware flash" in found.remedy


def test_the_doctor_finds_a_microcontroller_that_speaks_at_another_speed(fake: FakeBoard) -> None:
    found = findings(fake, baud=38400)
    assert found["line"].status is Status.WRONG
    assert "at 38400 baud, and not at 115200" in found["line"].text
    assert "baud = 38400 under [driver]" in found["line"].remedy
    assert "lid" in found


def test_the_doctor_leaves_a_running_launcher_alone(fake: FakeBoard) -> None:
    assert list(findings(fake, runs=True)) == ["line"]


@pytest.mark.parametrize(("cell_mv", "status"), [(3000, Status.NOTE), (0, Status.NOTE), (4400, Status.GOOD)])
def test_low_cells_are_noted(fake: FakeBoard, cell_mv: int, status: Status) -> None:
    fake.cell_mv = cell_mv
    assert findings(fake)["cells"].status is status
