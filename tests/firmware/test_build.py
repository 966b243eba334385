"""The Makefile: what it builds when somebody mistypes, forgets an option, or has built for another board before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.toolchain import FIRMWARE, BuildError, run

UPLOAD = "flash:w:"


def make(build: Path, *words: str) -> str:
    return run("make", "--no-print-directory", "-C", FIRMWARE, f"BUILD={build}", *words)


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


def test_a_flash_writes_what_was_built_for_this_launcher(tmp_path: Path) -> None:
    """With the usual options a board with a MOSFET would turn its motor forward to retract and to brake."""
    make(tmp_path, "BRIDGE=0", "CLOCK=8", "UPLOAD_BAUD=57600")
    told = make(tmp_path, "-n", "flash", "PORT=/dev/ttyUSB7")
    upload = next(line for line in told.splitlines() if UPLOAD in line)
    assert "atmega328p-8mhz" in upload
    assert "-b 57600" in upload
    assert "BRIDGE=0" in make(tmp_path, "size")
    assert "-DBOARD_BRIDGE=0" in defines(tmp_path, 8)
    assert make(tmp_path, "baud").strip() == "38400"


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


def test_one_word_forgets_what_was_kept(tmp_path: Path) -> None:
    make(tmp_path, "CLOCK=8", "EXIT_SENSOR=0", "size")
    assert "CLOCK=8 EXIT_SENSOR=0" in make(tmp_path, "options")
    assert make(tmp_path, "usual").splitlines() == ["Options: as usual"]
    assert make(tmp_path, "options").splitlines() == ["Options: as usual"]
    assert "-DBOARD_EXIT_SENSOR=1" in defines(tmp_path, 16)


def test_the_same_word_before_another_one_keeps_only_what_is_given_now(tmp_path: Path) -> None:
    make(tmp_path, "CLOCK=8", "EXIT_SENSOR=0", "size")
    assert "Options: BRIDGE=0 (" in make(tmp_path, "usual", "size", "BRIDGE=0")
    assert "-DBOARD_BRIDGE=0 -DBOARD_EXIT_SENSOR=1" in defines(tmp_path, 16)
    assert "Options: BRIDGE=0 (" in make(tmp_path, "options")


@pytest.mark.parametrize("goals", [["all"], ["size"], ["all", "size"], []])
def test_the_options_are_said_once_and_last(tmp_path: Path, goals: list[str]) -> None:
    told = make(tmp_path, *goals, "CLOCK=8").split("\n")
    assert [line for line in told if "Options" in line] == [told[-2]]
    assert told[-2].startswith("Options: CLOCK=8 (kept")


def test_a_flash_says_the_options_before_and_after(tmp_path: Path) -> None:
    """Before: it can still be stopped. After: where it is seen."""
    told = make(tmp_path, "-n", "flash", "PORT=/dev/ttyUSB7", "CLOCK=8").splitlines()
    at = next(n for n, line in enumerate(told) if UPLOAD in line)
    assert told[at - 1] == told[at + 1] == told[-1]
    assert "Options: CLOCK=8 (kept" in told[-1]


def test_a_baud_is_kept_for_its_clock_only(tmp_path: Path) -> None:
    make(tmp_path, "CLOCK=8", "BAUD=9600", "size")
    assert make(tmp_path, "baud").strip() == "9600"
    assert "-DBOARD_BAUD=9600UL" in defines(tmp_path, 8)
    assert make(tmp_path, "CLOCK=8", "baud").strip() == "9600"
    assert make(tmp_path, "CLOCK=16", "baud").strip() == "115200"
    make(tmp_path, "CLOCK=16", "size")
    assert "-DBOARD_BAUD=115200UL" in defines(tmp_path, 16)
    assert make(tmp_path, "CLOCK=8", "baud").strip() == "38400", "another clock has been chosen since"


def test_a_build_tells_a_line_for_each_file_unless_asked_for_more(tmp_path: Path) -> None:
    told = make(tmp_path)
    assert "avr-gcc core/brain.c" in told.splitlines()
    assert "-Wall" not in told
    make(tmp_path, "clean")
    assert "-Wall" in make(tmp_path, "VERBOSE=1")


def test_flash_needs_a_port(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="PORT is missing"):
        make(tmp_path, "flash")
