"""The Makefile: what it builds when somebody mistypes, forgets an option, or has built for another board before."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.firmware.toolchain import FIRMWARE, BuildError, run

UPLOAD = "./upload.sh"
QUICK_TOOLS = {
    "avr-gcc": 'while [ "$1" != -o ]; do shift; done; : > "$2"',
    "avr-objcopy": 'for last; do :; done; : > "$last"',
    "avr-size": "echo quick",
}


def make(build: Path, *words: str) -> str:
    return run("make", "--no-print-directory", "-C", FIRMWARE, f"BUILD={build}", *words)


@pytest.fixture(scope="module")
def quick_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compiler that writes empty files: which options it is called with is the Makefile's affair."""
    folder = tmp_path_factory.mktemp("tools")
    for name, script in QUICK_TOOLS.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def _quick(quick_tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{quick_tools}:{os.environ['PATH']}")


quick = pytest.mark.usefixtures("_quick")


def defines(build: Path, clock_mhz: int) -> str:
    """What the last build was compiled with."""
    return (build / f"atmega328p-{clock_mhz}mhz" / "options").read_text()


@pytest.mark.parametrize(
    "word",
    [
        *("BRIGDE=0", "clock=8", "CLOCK=12", "BRIDGE=2", "BRIDGE=no", "BRIDGE=", "EXIT_SENSOR=-1"),
        *("EXIT_BLOCKED_HIGH=low", "BANDGAP_MV=0", "BANDGAP_MV=1.1", "BAUD=1200", "UPLOAD_BAUD=fast"),
        "SHELL=/bin/false",
    ],
)
def test_what_is_not_understood_is_refused_by_name(tmp_path: Path, word: str) -> None:
    with pytest.raises(BuildError, match=word.partition("=")[0]):
        make(tmp_path, word)
    assert list(tmp_path.iterdir()) == []


@quick
def test_a_flash_writes_what_was_built_for_this_launcher(tmp_path: Path) -> None:
    """With the usual options a board with a MOSFET would turn its motor forward to retract and to brake."""
    make(tmp_path, "BRIDGE=0", "CLOCK=8", "UPLOAD_BAUD=57600")
    told = make(tmp_path, "-n", "flash", "PORT=/dev/ttyUSB7")
    upload = next(line for line in told.splitlines() if UPLOAD in line)
    assert "atmega328p-8mhz" in upload
    assert "/dev/ttyUSB7 57600 " in upload
    assert "BRIDGE=0" in make(tmp_path, "size")
    assert "-DBOARD_BRIDGE=0" in defines(tmp_path, 8)
    assert make(tmp_path, "baud").strip() == "38400"


@quick
def test_an_option_that_is_given_anew_counts_and_clean_forgets(tmp_path: Path) -> None:
    make(tmp_path, "BRIDGE=0", "CLOCK=8", "size")
    make(tmp_path, "BRIDGE=1", "size")
    assert "-DBOARD_BRIDGE=1" in defines(tmp_path, 8)
    make(tmp_path, "CLOCK=16", "EXIT_SENSOR=0", "size")
    make(tmp_path, "size")
    assert "-DBOARD_EXIT_SENSOR=0" in defines(tmp_path, 16)
    make(tmp_path, "clean")
    assert "Options: as usual" in make(tmp_path, "size")
    assert "-DBOARD_EXIT_SENSOR=1" in defines(tmp_path, 16)


@quick
def test_a_baud_is_kept_for_its_clock_only(tmp_path: Path) -> None:
    make(tmp_path, "CLOCK=8", "BAUD=9600", "size")
    assert make(tmp_path, "baud").strip() == "9600"
    assert "-DBOARD_BAUD=9600UL" in defines(tmp_path, 8)
    assert make(tmp_path, "CLOCK=8", "baud").strip() == "9600"
    assert make(tmp_path, "CLOCK=16", "baud").strip() == "115200"
    make(tmp_path, "CLOCK=16", "size")
    assert "-DBOARD_BAUD=115200UL" in defines(tmp_path, 16)
    assert make(tmp_path, "CLOCK=8", "baud").strip() == "38400", "another clock has been chosen since"


def test_a_build_tells_a_line_for_each_file(tmp_path: Path) -> None:
    told = make(tmp_path, "all", "size")
    assert "avr-gcc core/brain.c" in told.splitlines()
    assert "-Wall" not in told
    assert "Program:" in told
    assert (tmp_path / "atmega328p-16mhz" / "launcher.hex").stat().st_size > 10_000


# --- upload.sh, with an avrdude of our own --------------------------------------------------------------------------

AVRDUDE = """#!/bin/sh
case "$*" in
*nowhere*) echo 'avrdude: setting number of retry attempts to 3' >&2; exit 1 ;;
esac
echo "$*" >> "$CALLS"
case "$*" in
*"-P $PORT -b $SPEAKS "*) echo 'avrdude: 14088 bytes of flash verified' >&2 ;;
*"-P $PORT "*) echo 'avrdude: attempt 3 of 3: not in sync: resp=0x00' >&2; exit 1 ;;
*) echo "avrdude: can't open device: No such file or directory" >&2; exit 1 ;;
esac
"""


class Upload:
    """A board whose boot loader speaks at one speed, and ``upload.sh``."""

    def __init__(self, folder: Path, speaks: int) -> None:
        self.kept = folder / "kept"
        self.kept.write_text("CLOCK ?= 8\n")
        self._calls = folder / "calls"
        self._calls.touch()
        program = folder / "avrdude"
        program.write_text(AVRDUDE)
        program.chmod(0o755)
        self._environment = {
            "PATH": f"{folder}:{os.environ['PATH']}",
            "CALLS": str(self._calls),
            "SPEAKS": str(speaks),
            "PORT": "/dev/right",
        }

    def at(self, baud: int, port: str = "/dev/right") -> subprocess.CompletedProcess[str]:
        words = [FIRMWARE / "upload.sh", "atmega328p", port, str(baud), "launcher.hex", self.kept]
        return subprocess.run(words, env=self._environment, capture_output=True, text=True, check=False)

    @property
    def tried(self) -> list[int]:
        return [int(call.split("-b ")[1].split()[0]) for call in self._calls.read_text().splitlines()]

    @property
    def calls(self) -> str:
        return self._calls.read_text()


def test_an_upload_at_the_right_speed_is_one_upload(tmp_path: Path) -> None:
    board = Upload(tmp_path, 115200)
    done = board.at(115200)
    assert (done.returncode, board.tried) == (0, [115200])
    assert "verified" in done.stdout
    assert "-p atmega328p -c arduino -P /dev/right -b 115200 -x attempts=3 -D -U flash:w:launcher.hex:i" in board.calls
    assert board.kept.read_text() == "CLOCK ?= 8\n"


def test_an_upload_at_the_wrong_speed_goes_on_at_the_other_and_keeps_that(tmp_path: Path) -> None:
    """The old boot loader of many Nanos and Pro Minis."""
    board = Upload(tmp_path, 57600)
    done = board.at(115200)
    assert (done.returncode, board.tried) == (0, [115200, 57600])
    assert "Trying 57600" in done.stdout
    assert "kept as UPLOAD_BAUD=57600" in done.stdout
    assert board.kept.read_text() == "CLOCK ?= 8\nUPLOAD_BAUD ?= 57600\n"
    newer = Upload(tmp_path, 115200)
    newer.kept.write_text("UPLOAD_BAUD ?= 57600\n")
    assert newer.at(57600).returncode == 0
    assert newer.kept.read_text() == "UPLOAD_BAUD ?= 115200\n"


def test_an_upload_that_nobody_answers_says_what_to_do(tmp_path: Path) -> None:
    board = Upload(tmp_path, 1200)
    done = board.at(115200)
    assert (done.returncode, board.tried) == (1, [115200, 57600])
    assert "at none of 115200 57600 baud" in done.stderr
    assert "make isp" in done.stderr
    assert "UPLOAD_BAUD" not in board.kept.read_text()


def test_an_upload_that_fails_for_another_reason_is_not_tried_again(tmp_path: Path) -> None:
    board = Upload(tmp_path, 57600)
    done = board.at(115200, port="/dev/wrong")
    assert (done.returncode, board.tried) == (1, [115200])
    assert "No such file" in done.stdout


@quick
def test_flash_needs_a_port(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="PORT is missing"):
        make(tmp_path, "flash")
