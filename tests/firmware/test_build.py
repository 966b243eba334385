"""The Makefile keeps the options of a launcher, and ``upload.sh`` finds the speed of its boot loader."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.firmware.toolchain import FIRMWARE, run

TOOLS = {
    "avr-gcc": 'while [ "$1" != -o ]; do shift; done; : > "$2"',
    "avr-objcopy": 'for last; do :; done; : > "$last"',
    "avr-size": "echo quick",
    "avrdude": 'echo "$*" >> "$CALLS"; case "$*" in *"-b $SPEAKS "*) ;; *) echo "not in sync:" >&2; exit 1; esac',
}
"""A compiler that writes empty files, and a board whose boot loader speaks at one speed."""


@pytest.fixture(autouse=True)
def _tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, script in TOOLS.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_flash_writes_what_was_built_for_this_launcher(tmp_path: Path) -> None:
    """With the usual options a board with a MOSFET would turn its motor forward to retract and to brake."""
    build = tmp_path / "build"

    def make(*words: str) -> str:
        return run("make", "--no-print-directory", "-C", FIRMWARE, f"BUILD={build}", *words)

    make("BRIDGE=0", "CLOCK=8", "UPLOAD_BAUD=57600")
    upload = next(line for line in make("-n", "flash", "PORT=/dev/ttyUSB7").splitlines() if "./upload.sh" in line)
    assert "atmega328p-8mhz" in upload
    assert "/dev/ttyUSB7 57600 " in upload
    assert "BRIDGE=0" in make("size")
    assert "-DBOARD_BRIDGE=0" in (build / "atmega328p-8mhz" / "options").read_text()
    assert make("baud").strip() == "38400"


def test_an_upload_at_the_wrong_speed_goes_on_at_the_other_and_keeps_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old boot loader of many Nanos and Pro Minis."""
    kept, calls = tmp_path / "kept", tmp_path / "calls"
    kept.write_text("CLOCK ?= 8\n")
    monkeypatch.setenv("CALLS", str(calls))
    monkeypatch.setenv("SPEAKS", "57600")
    words = [FIRMWARE / "upload.sh", "atmega328p", "/dev/ttyUSB7", "115200", "launcher.hex", kept]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert re.findall(r"-b (\d+)", calls.read_text()) == ["115200", "57600"]
    assert "kept as UPLOAD_BAUD=57600" in done.stdout
    assert kept.read_text() == "CLOCK ?= 8\nUPLOAD_BAUD ?= 57600\n"
