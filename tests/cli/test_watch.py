"""``dispenser status`` and ``dispenser watch``: how the launcher is, and the records as they come."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import pytest

from dispenser.cli.watch import all_records
from dispenser.client import LauncherClient
from dispenser.launcher.messages import State
from tests.cli.fake_launcher import FakeLauncher
from tests.cli.run import run

# --- status ---


def test_status_says_how_the_launcher_is(url: str) -> None:
    assert run("status", "--url", url).stdout.splitlines() == [
        "Ready. Press!",
        "Lid: shut",
        "Cards inside: 100",
        "Odds: toy",
        f"Address: {url}/ (simulated)",
    ]


def test_status_as_json_is_the_snapshot(url: str, launcher: FakeLauncher) -> None:
    assert json.loads(run("status", "--url", url, "--json").stdout) == launcher.snapshot()


@pytest.mark.parametrize("state", list(State))
def test_every_state_has_a_sentence(url: str, launcher: FakeLauncher, state: State) -> None:
    launcher.state = state.value
    sentence = run("status", "--url", url).stdout.splitlines()[0]
    assert sentence[0].isupper()
    assert sentence[-1] in ".!?…"
    launcher.refusal_now = "card_in_exit"  # ready is said only when a press would count
    taken = run("status", "--url", url).stdout.startswith("Take the card that sticks out.\n")
    assert taken is (state is State.READY)


# --- watch ---


def start(name: str, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    code = f"import typer; from dispenser.cli.watch import {name}; typer.run({name})"
    return subprocess.Popen([sys.executable, "-c", code, *arguments], **options)


def test_watch_as_json_prints_every_record_and_ends_with_0_on_ctrl_c(url: str, launcher: FakeLauncher) -> None:
    for number in range(3):
        launcher.note("test.record", number=number)
    launcher.cuts = [1]
    watching = start("watch", "--url", url, "--json", "--after", "1", stdout=subprocess.PIPE)
    assert watching.stdout is not None
    with watching:
        lines = [watching.stdout.readline() for _ in range(2)]
        launcher.note("test.late")
        lines.append(watching.stdout.readline())
        watching.send_signal(signal.SIGINT)
        assert watching.stdout.read() == b""
        assert watching.wait(10) == 0
    assert lines == [record.json() + b"\n" for record in launcher.journal[1:]]


def test_watch_as_json_goes_on_with_another_journal_from_its_start(url: str, launcher: FakeLauncher) -> None:
    for number in range(3):
        launcher.note("test.old", number=number)
    records = all_records(LauncherClient(url, sleep=lambda _: None), 1)
    launcher.cuts = [2]
    assert [next(records).seq, next(records).seq] == [2, 3]
    with launcher.changed:
        launcher.journal.clear()
    first = launcher.note("test.new")
    assert next(records) == first
    records.close()


def test_watch_says_how_it_is_and_prints_a_line_for_each_event(url: str, launcher: FakeLauncher) -> None:
    watching = start("watch", "--url", url, stdout=subprocess.PIPE)
    assert watching.stdout is not None
    with watching:
        with launcher.changed:
            assert launcher.changed.wait_for(lambda: launcher.starts, 20)
        launcher.note("launcher.lid.opened")
        lines = [watching.stdout.readline().decode() for _ in range(7)]
        watching.send_signal(signal.SIGINT)
        assert watching.wait() == 0
    assert lines[0] == "Ready. Press!\n"
    assert lines[5].startswith("2026-11-20")
    assert "Lid lifted" in lines[6]


def test_watch_says_once_that_the_connection_is_lost(
    url: str, launcher: FakeLauncher, capsys: pytest.CaptureFixture[str]
) -> None:
    launcher.cuts = [0, 0, 1]
    record = launcher.note("launcher.lid.opened")
    records = all_records(LauncherClient(url, sleep=lambda _: None), 0)
    assert next(records) == record
    records.close()
    assert capsys.readouterr().err.count("Connection lost") == 2, "for each time"


def test_after_a_record_that_is_not_there_yet(url: str) -> None:
    done = run("watch", "--url", url, "--after", "3")
    assert (done.exit_code, "ends at record 0" in done.stderr) == (2, True)
