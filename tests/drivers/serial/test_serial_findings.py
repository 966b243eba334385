"""What the doctor finds at a microcontroller: here the core on this computer."""

from __future__ import annotations

import pytest

from dispenser.drivers.kinds import DriverSettings
from dispenser.drivers.serial import kind
from dispenser.drivers.serial import tables as wire
from dispenser.service.settings import Settings
from dispenser.system.doctor import Finding, Status
from tests.contract.serial_bench import SerialBench
from tests.drivers.serial.world_link import WorldLink, all_lost, undisturbed
from tests.firmware.host import motor_starts


@pytest.fixture
def bench() -> SerialBench:
    bench = SerialBench(boot_s=None)
    bench.run(0.5)
    return bench


def findings(bench: SerialBench, *, runs: bool = False, baud: int = wire.BAUD) -> dict[str, Finding]:
    """:param baud: how fast the board speaks; what is asked at another speed is not heard."""

    def at(_: str, speed: int) -> WorldLink:
        bench.link.baud, bench.link.disturb = speed, undisturbed if speed == baud else all_lost
        return bench.link

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "SerialPort", at)
        found = list(kind.examine(Settings(driver=DriverSettings(kind="serial")), runs=runs))
    by_name = {each.check: each for each in found}
    assert runs == (bench.link.opened == 0)
    return by_name


def test_the_doctor_finds_a_healthy_microcontroller_and_leaves_it_alone(bench: SerialBench) -> None:
    found = findings(bench)
    assert list(found) == ["line", "firmware", "start", "lid", "button", "exit", "cells"]
    assert {finding.status for finding in found.values()} == {Status.GOOD}
    assert f"on host, dictionary {wire.DICTIONARY:08x}" in found["firmware"].text
    bench.run(0.1)
    assert not bench.device.hosted
    assert motor_starts(bench.device.happenings("motor")) == 0


def test_the_doctor_tells_what_is_not_at_rest(bench: SerialBench) -> None:
    bench.lift_lid()
    bench.hold_exit(True)
    bench.press(60.0)
    bench.run(0.5)
    found = findings(bench)
    assert [found[name].status for name in ("lid", "button", "exit")] == [Status.NOTE] * 3
    assert all(found[name].remedy for name in ("lid", "button", "exit"))


def test_the_doctor_tells_of_a_lock_and_leaves_it(bench: SerialBench) -> None:
    bench.link.restart(wire.ResetCause.WATCHDOG)
    for _ in range(2):
        assert findings(bench)["motor"].status is Status.WRONG


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (wire.ResetCause.BROWN_OUT, "voltage"),
        (wire.ResetCause.WATCHDOG, "hung"),
        (wire.ResetCause.UNKNOWN, "boot loaders hide it"),
    ],
)
def test_the_doctor_tells_of_a_bad_start(bench: SerialBench, cause: wire.ResetCause, words: str) -> None:
    bench.link.restart(cause)
    found = findings(bench)["start"]
    assert found.status is Status.NOTE
    assert words in found.text


def test_the_doctor_tells_of_another_firmware(bench: SerialBench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "DICTIONARY", wire.DICTIONARY ^ 1)
    found = findings(bench)
    assert found["firmware"].status is Status.WRONG
    assert "dispenser firmware flash" in found["firmware"].text
    assert "lid" not in found


def test_the_doctor_tells_when_nobody_answers(bench: SerialBench) -> None:
    found = findings(bench, baud=0)["firmware"]
    assert (found.status, found.text) == (Status.WRONG, "nobody answers, at 115200 / 38400 baud")
    assert "dispenser firmware flash" in found.remedy


def test_the_doctor_finds_a_microcontroller_that_speaks_at_another_speed(bench: SerialBench) -> None:
    found = findings(bench, baud=38400)
    assert found["line"].status is Status.WRONG
    assert "at 38400 baud, and not at 115200" in found["line"].text
    assert "baud = 38400 under [driver]" in found["line"].remedy
    assert "lid" in found


def test_the_doctor_leaves_a_running_launcher_alone(bench: SerialBench) -> None:
    assert list(findings(bench, runs=True)) == ["line"]


@pytest.mark.parametrize(("cell_mv", "status"), [(3000, Status.NOTE), (0, Status.NOTE), (4400, Status.GOOD)])
def test_low_cells_are_noted(bench: SerialBench, cell_mv: int, status: Status) -> None:
    bench.device.cells(cell_mv)
    bench.link.restart(wire.ResetCause.POWER_ON)
    bench.run(1.0)
    assert findings(bench)["cells"].status is status
