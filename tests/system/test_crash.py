"""What is left to be read after a crash, and what is not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.system import crash
from tests.service.test_service import play, scripted

PROGRAM = """
import ctypes, os, signal, sys
from pathlib import Path
from dispenser.system import crash
from dispenser.i18n import SpokenError, Text

def loop_turns():
    exec(sys.argv[2])

with crash.noted(Path(sys.argv[1])):
    loop_turns()
"""


def end(state: Path, how: str) -> int:
    """A program that notes itself and ends in that way; its exit code."""
    command = [sys.executable, "-c", PROGRAM, str(state), how]
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode


def note(state: Path) -> str:
    return (state / crash.FOLDER / crash.RUNNING).read_text()


@pytest.mark.parametrize(
    ("how", "code", "told"),
    [
        ("raise ValueError('on purpose')", 1, ["Traceback", "in loop_turns", "ValueError: on purpose"]),
        ("os.abort()", -signal.SIGABRT, ["Fatal Python error: Aborted", "in loop_turns"]),
        ("ctypes.string_at(0)", -signal.SIGSEGV, ["Fatal Python error: Segmentation fault", "in loop_turns"]),
        ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL, []),
    ],
)
def test_a_crash_leaves_who_when_and_where(how: str, code: int, told: list[str], tmp_path: Path) -> None:
    assert end(tmp_path, how) == code
    text, reports = crash.last(tmp_path, lambda: ["the last entry"]) or ("", [])
    for words in ("dispenser: 0", "python: 3", "system: Linux", "process: ", "started: 20", *told):
        assert words in text
    assert text.endswith(f"{crash.ENTRIES}the last entry\n")
    assert reports == [], "it becomes one at the next start"
    assert crash.keep(tmp_path / crash.FOLDER) == crash.reports(tmp_path / crash.FOLDER) != []
    assert told == [] or told[-1] in crash.reports(tmp_path / crash.FOLDER)[0].read_text()


def test_a_report_that_a_bad_card_has_garbled_keeps_no_launcher_from_starting(tmp_path: Path) -> None:
    folder = tmp_path / crash.FOLDER
    folder.mkdir()
    (folder / "crash-20261123-120000.txt").write_bytes(b"dispenser: \xff\xfe")
    assert end(tmp_path, "pass") == 0
    assert (crash.last(tmp_path, list) or ("",))[0].startswith("dispenser: ")


def test_a_link_in_the_place_of_a_report_is_not_followed(tmp_path: Path) -> None:
    """Root reads them, too, and puts them among what is sent to strangers."""
    folder, treasure = tmp_path / crash.FOLDER, tmp_path / "shadow"
    folder.mkdir()
    treasure.write_text("root:secret")
    for name in ("crash-20261123-120000.txt", crash.RUNNING):
        (folder / name).symlink_to(treasure)
        with pytest.raises(OSError, match="links"):
            crash.last(tmp_path, list)
        (folder / name).unlink()


@pytest.mark.parametrize("how", ["pass", "sys.exit(3)", "raise SpokenError(Text('no pins here'))"])
def test_a_good_end_leaves_nothing(how: str, tmp_path: Path) -> None:
    end(tmp_path, how)
    assert list((tmp_path / crash.FOLDER).iterdir()) == []
    assert crash.last(tmp_path, list) is None


def test_the_power_cord_is_no_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is pulled at the end of many an evening, and the reports of crashes shall not give way to that."""
    end(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    assert crash.last(tmp_path, list) is not None
    (another := tmp_path / "boot_id").write_text("another\n")
    monkeypatch.setattr(crash, "BOOT_ID", another)
    assert crash.last(tmp_path, list) is None
    assert crash.keep(tmp_path / crash.FOLDER) == []
    assert list((tmp_path / crash.FOLDER).iterdir()) == []
    end(tmp_path, "os.abort()")
    assert crash.keep(tmp_path / crash.FOLDER) != [], "but what had crashed before it had crashed"


def test_reports_are_bounded_in_number_and_size(tmp_path: Path) -> None:
    folder = tmp_path / crash.FOLDER
    folder.mkdir()
    for number in range(crash.MOST_REPORTS + 3):
        left = folder / crash.RUNNING
        left.write_text(f"first {number}\n" + "x" * 10 * crash.LARGEST_BYTES + "\nsystemd: core-dump\n" * 10)
        os.utime(left, (number, number))
        crash.keep(folder)
    reports = crash.reports(folder)
    assert len(reports) == crash.MOST_REPORTS
    assert all(report.stat().st_size < crash.LARGEST_BYTES + 100 for report in reports)
    newest = reports[0].read_text()
    assert newest.startswith(f"first {number}\n")
    assert newest.endswith("systemd: core-dump\n")


def test_two_launchers_do_not_take_each_others_notes(tmp_path: Path) -> None:
    with crash.noted(tmp_path):
        ours = note(tmp_path)
        with crash.noted(tmp_path) as untold:
            assert untold == []
        assert note(tmp_path) == ours
        assert crash.last(tmp_path, list) is None, "it runs"


def test_a_state_folder_that_cannot_be_written_stops_no_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for state in (tmp_path / "file", None):
        with crash.noted(state) as untold:
            assert untold == []


def test_the_next_start_adds_what_the_journal_knows_and_the_command_shows_it_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "dispenser.sqlite3"
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))

    async def evening() -> None:
        async with scripted(2, journal=journal) as service:
            await service.outcome(await service.press())

    def shown() -> str:
        done = CliRunner().invoke(app, ["log", "--crash"])
        assert done.exit_code == 0
        return done.stdout

    async def next_evening() -> None:
        with crash.noted(tmp_path) as untold:
            async with scripted(2, journal=journal) as service:
                await crash.complete(untold, service)

    play(evening)
    assert shown() == "No crash is known of.\n"
    end(tmp_path, "os.abort()")
    before = shown()
    assert "Fatal Python error: Aborted" in before
    assert "launcher.burst.ended" in before
    play(next_evening)
    after = shown()
    assert "Fatal Python error: Aborted" in after
    assert [line for line in after.splitlines() if '"seq"' in line] == [
        line for line in before.splitlines() if '"seq"' in line
    ]
    assert str(tmp_path / crash.FOLDER) in after


def test_a_report_that_a_bad_disk_has_garbled_stops_no_start(tmp_path: Path) -> None:
    (tmp_path / "crashes").mkdir()
    (tmp_path / "crashes" / "crash-20260101-000000.txt").write_bytes(b"\xff\xfe\x00 broken")
    with crash.noted(tmp_path):
        started = True
    assert started
    told = crash.last(tmp_path, list)
    assert told is not None
    assert "broken" in told[0]
