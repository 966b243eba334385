"""``dispenser firmware info`` and ``monitor``, and which port is asked: a fake one, often on a true port."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dispenser.cli.firmware import watch
from dispenser.drivers.serial import tables as wire
from tests.cli.run import run
from tests.cli.test_serve import PATIENCE_S, started
from tests.conftest import FakeScheduler
from tests.drivers.serial.fake_board import FakeBoard, FakeLink
from tests.drivers.serial.pty_board import PtyBoard


def test_info_tells_version_and_dictionary_what_sensors_see_and_a_lock_that_it_leaves(board: PtyBoard) -> None:
    board.do(lambda: board.board.lid(up=True))
    board.do(lambda: board.board.exit(blocked=True))
    board.board.latches = wire.Latch.MOTOR_GUARD
    told = run("firmware", "info", "--serial-port", board.port)
    assert told.exit_code == 0, told.output
    assert {
        *(f"firmware: 1.2.3 on host, dictionary {wire.DICTIONARY:08x}", "last start: power on"),
        *("can: exit sensor, retract", "lid: open", "exit: blocked", "button: up", "supply: 4.50 V"),
    } <= set(told.output.splitlines())
    assert "motor: locked: motor guard" in told.output
    assert not re.search("True|False|None", told.output)
    assert board.board.latches == wire.Latch.MOTOR_GUARD


def test_a_firmware_that_does_not_fit_is_shown_and_said_to_be_wrong(board: PtyBoard) -> None:
    board.board.dictionary ^= 1
    told = run("firmware", "info", "--serial-port", board.port)
    assert told.exit_code == 1
    assert f"{wire.DICTIONARY ^ 1:08x}" in told.output
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
    link = FakeLink(FakeBoard(FakeScheduler()))
    link.open()
    link.mute = True
    lines = watch(link)
    assert "38400" in next(lines)
    link.mute = False
    assert "at rest" in next(lines)


def test_monitor_of_a_pulled_plug_ends_with_one_clear_line(board: PtyBoard) -> None:
    with started("firmware", "monitor", "--serial-port", board.port) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert "at rest" in process.stdout.readline()
        board.unplug()
        assert process.wait(PATIENCE_S) == 69
        assert process.stderr is not None
        (line,) = process.stderr.read().splitlines()
    assert "plug was pulled" in line
    assert "device" not in line


def test_monitor_tells_what_changes_and_takes_no_session() -> None:
    scheduler = FakeScheduler()
    board = FakeBoard(scheduler)
    link = FakeLink(board)
    link.open()
    lines = watch(link)
    assert next(lines).endswith("at rest; 0 presses, 0 cards, 0 times lid up; no run; odds toy; 4.5 V")
    board.lid(up=True)
    assert "lid open; 0 presses, 0 cards, 1 times lid up" in next(lines)
    board.press()
    board.exit(blocked=True)
    assert "lid open, exit blocked" in next(lines)
    assert not board.hosted
    assert board.alone_presses == 1
    board.odds = wire.Odds.COUNTDOWN
    assert "odds countdown" in next(lines)
