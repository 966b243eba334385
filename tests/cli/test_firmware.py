"""``dispenser firmware info`` and ``monitor``, and which port is asked: the core, often on a true port."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dispenser.cli.firmware import watch
from dispenser.drivers.serial import tables as wire
from tests.cli.run import run
from tests.cli.test_serve import PATIENCE_S, started
from tests.contract.serial_bench import SerialBench
from tests.drivers.serial.world_link import mute, undisturbed
from tests.firmware.pty_rig import PtyLauncher


def test_info_tells_version_and_dictionary(board: PtyLauncher) -> None:
    told = run("firmware", "info", "--serial-port", board.port)
    assert told.exit_code == 0, told.output
    assert re.search(rf"^firmware: \d+\.\d+\.\d+ on host, dictionary {wire.DICTIONARY:08x}$", told.output, re.MULTILINE)
    assert "last start: power on" in told.output.splitlines()


def test_info_shows_what_its_sensors_see_in_words(board: PtyLauncher) -> None:
    board.do(board.world.simulator.open_lid, 1.0)
    board.do(lambda: board.world.simulator.drive_line("exit", True), 1.0)
    told = run("firmware", "info", "--serial-port", board.port).output.splitlines()
    assert {"can: exit sensor, retract", "lid: open", "exit: blocked", "button: up", "supply: 4.50 V"} < set(told)
    assert not re.search("True|False|None", " ".join(told))


def test_a_firmware_that_does_not_fit_is_shown_and_said_to_be_wrong(
    board: PtyLauncher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "DICTIONARY", wire.DICTIONARY ^ 1)
    told = run("firmware", "info", "--serial-port", board.port)
    assert told.exit_code == 1
    assert f"{wire.DICTIONARY:08x}" in told.output
    assert "dispenser firmware flash" in told.output


def test_no_port_is_said_on_one_line(tmp_path: Path) -> None:
    for command in ("info", "monitor"):
        told = run("firmware", command, "--serial-port", str(tmp_path / "nothing"))
        assert told.exit_code == 69
        assert len(told.output.splitlines()) == 1
        assert "it is not there" in told.output


@pytest.mark.parametrize("words", [["run", "--no-web"], ["doctor"], ["firmware", "info"], ["firmware", "flash"]])
@pytest.mark.parametrize("others", [[], ["one", "two"]])
def test_without_a_port_the_option_that_names_one_is_named(
    words: list[str], others: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in others:
        (tmp_path / name).touch()
    monkeypatch.setattr("dispenser.drivers.serial.port.BY_ID", tmp_path)
    driver = ["--driver", "serial"] if len(words) == 1 or words[0] == "run" else []
    told = run(*words, *driver)
    assert told.exit_code != 0
    assert '--serial-port /dev/…, or port = "/dev/…" under [driver]' in " ".join(told.output.split())


@pytest.mark.parametrize("words", [["run"], ["doctor"]])
def test_a_port_means_a_microcontroller(words: list[str], tmp_path: Path) -> None:
    told = run(*words, "--serial-port", str(tmp_path / "nothing"))
    assert "it is not there; is the microcontroller plugged in?" in " ".join(told.output.split())
    told = run(*words, "--serial-port", str(tmp_path / "nothing"), "--driver", "gpio")
    assert told.exit_code == 2
    assert "--driver serial" in told.output


def test_monitor_says_when_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    link = SerialBench().link
    link.open()
    link.disturb = mute
    lines = watch(link)
    assert "38400" in next(lines)
    link.disturb = undisturbed
    assert "light on; 0 presses" in next(lines)


def test_monitor_of_a_pulled_plug_ends_with_one_clear_line(board: PtyLauncher) -> None:
    with started("firmware", "monitor", "--serial-port", board.port) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert "light on; 0 presses" in process.stdout.readline()
        board.unplug()
        assert process.wait(PATIENCE_S) == 69
        assert process.stderr is not None
        (line,) = process.stderr.read().splitlines()
    assert "plug was pulled" in line
    assert "device" not in line


def test_monitor_tells_what_changes_and_takes_no_session() -> None:
    bench = SerialBench()
    bench.link.open()
    bench.run(0.5)
    lines = watch(bench.link)
    assert next(lines).endswith("light on; 0 presses, 0 cards, 0 times lid up; no run; odds toy; 4.5 V")
    bench.lift_lid()
    assert "lid open; 0 presses, 0 cards, 1 times lid up" in next(lines)
    bench.hold_exit(True)
    bench.run(0.1)
    assert "lid open, exit blocked" in next(lines)
    assert not bench.device.hosted
    bench.device.put_memory(b"\x01\xa4")  # as the button has chosen them
    bench.link.restart(wire.ResetCause.POWER_ON)
    bench.run(1.0)
    assert "odds memoryless" in next(lines)


def test_info_tells_of_a_lock_and_leaves_it(board: PtyLauncher) -> None:
    board.do(lambda: board.device.start(wire.ResetCause.WATCHDOG), 0.1)
    for _ in range(2):
        assert "motor: locked: watchdog" in run("firmware", "info", "--serial-port", board.port).output


def test_doctor_on_the_command_line(board: PtyLauncher, tmp_path: Path) -> None:
    settings = tmp_path / "dispenser.toml"
    settings.write_text(f'[journal]\npath = "{tmp_path / "j.sqlite3"}"\n[web]\nport = 1\n')
    done = run("doctor", "--json", "--config", str(settings), "--driver", "serial", "--serial-port", board.port)
    found = {finding["check"]: finding for finding in json.loads(done.output)["findings"]}
    assert found["firmware"]["status"] == "good"
    assert "pins" not in found
