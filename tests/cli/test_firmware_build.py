"""``dispenser firmware build`` and ``flash``, with a small Makefile; ``tests/firmware`` tries the true one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from dispenser.cli.firmware import source_folder
from dispenser.drivers.serial.port import SerialPort
from tests.cli.run import run
from tests.firmware.pty_rig import PtyLauncher


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Makefile that writes down what it is asked; avr-gcc and avrdude need not be there."""
    folder = tmp_path / "firmware"
    folder.mkdir()
    note = "@echo $@ CLOCK=$(CLOCK) PORT=$(PORT) >> asked"
    (folder / "Makefile").write_text(
        f"BAUD := $(if $(CLOCK),38400,115200)\nall size flash usual:\n\t{note}\nbaud:\n\t@echo $(BAUD)\n"
        "options:\n\t@echo Options: CLOCK=$(CLOCK)\n"
    )
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("avr-gcc", "avrdude"):
        (tools / tool).write_text("#!/bin/sh\n")
        (tools / tool).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    return folder


def asked(source: Path) -> list[str]:
    return (source / "asked").read_text().splitlines()


@pytest.mark.parametrize("first", [[], ["usual"]], ids=["as before", "without the options of earlier builds"])
def test_build_builds_and_tells_the_size(source: Path, first: list[str]) -> None:
    done = run("firmware", "build", "CLOCK=8", *first, "--source", source)
    assert done.exit_code == 0, done.output
    assert asked(source) == [f"{goal} CLOCK=8 PORT=" for goal in (*first, "all", "size")]


def test_flash_writes_to_the_port_and_asks_who_is_there(source: Path, board: PtyLauncher) -> None:
    done = run("firmware", "flash", "--serial-port", board.port, "--source", source)
    assert done.exit_code == 0, done.output
    assert asked(source) == [f"flash CLOCK= PORT={board.port}"]
    assert "firmware: " in done.output
    assert done.output.splitlines()[-1] == "Options: CLOCK=", "where it is seen"
    assert "baud" not in done.output


def test_flash_says_what_it_wrote_though_nobody_answers(
    source: Path, board: PtyLauncher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dispenser.drivers.serial.handshake.MAX_HELLOS", 1)
    board.deaf = True
    done = run("firmware", "flash", "CLOCK=8", "--serial-port", board.port, "--source", source)
    assert done.exit_code == 69
    assert "does not answer at 38400 baud" in done.stderr
    assert "Options: CLOCK=8" in done.stdout
    assert "baud = 38400 under [driver]" in done.stdout


def test_flash_does_not_write_into_a_running_launchers_line(source: Path, board: PtyLauncher) -> None:
    running = SerialPort(board.port)
    running.open()
    done = run("firmware", "flash", "--serial-port", board.port, "--source", source)
    running.close()
    assert done.exit_code == 69
    assert "another program uses it" in done.output
    assert not (source / "asked").exists()


def test_a_make_that_fails_is_said(source: Path) -> None:
    (source / "Makefile").write_text("all:\n\t@false\n")
    done = run("firmware", "build", "--source", source)
    assert done.exit_code == 1
    assert "failed" in done.output


def test_the_sources_beside_the_program_are_found() -> None:
    assert (source_folder(None) / "wire" / "messages.toml").exists()


def test_missing_tools_are_named_with_their_packages(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(source))
    done = run("firmware", "build", "--source", source)
    assert done.exit_code == 69
    assert "make, avr-gcc missing: sudo apt install make gcc-avr avr-libc" in done.output
    assert "avrdude" not in done.output, "nobody needs it to build"
