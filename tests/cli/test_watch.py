"""``dispenser watch``: the screen, and the entries as they come."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.cli.screen import View, screen
from dispenser.cli.sentences import printable
from dispenser.cli.watch import all_entries
from dispenser.client import LauncherClient
from dispenser.journal import Record
from dispenser.launcher.messages import State
from tests.cli.fake_launcher import FakeLauncher, serving
from tests.cli.test_sentences import ended


@pytest.fixture
def launcher() -> FakeLauncher:
    return FakeLauncher()


@pytest.fixture
def url(launcher: FakeLauncher) -> Iterator[str]:
    with serving(launcher) as url:
        yield url


# --- watch: the screen ---


def view(**changes: Any) -> View:
    snapshot = FakeLauncher().snapshot() | changes
    return View("http://127.0.0.1:8112", snapshot)


def shown(view: View, width: int = 80, height: int = 24) -> str:
    return "\n".join(line.plain.rstrip() for line in screen(view, width, height))


def test_the_screen_at_80_columns() -> None:
    now = view(cards_inside=84, presses=3, dud_streak=2)
    for number, entry in enumerate([ended(1), ended(2, cause="dud", delivered=0), ended(3, cause="lid", delivered=1)]):
        now.take(Record(number + 1, entry.time, entry.source, entry.type, entry.data))
    lines = shown(now).splitlines()
    assert lines[0] == "dispenser  simulated  http://127.0.0.1:8112"
    assert lines[2] == "1 of 3: the lid was lifted."
    assert "Lid      shut" in lines
    assert f"Stack    {'█' * 30}{'░' * 10} about 84 cards" in lines
    assert "Bursts   1 of 3  dud  3" in lines
    assert lines[-1] == "Ctrl-C ends"
    assert any("Press 1: 3 of 3 (all out)" in line for line in lines)


@pytest.mark.parametrize("state", list(State))
def test_every_state_has_a_sentence(state: State) -> None:
    sentence = shown(view(state=state.value), width=300).splitlines()[2]
    assert sentence[0].isupper()
    assert sentence[-1] in ".!?…"


@pytest.mark.parametrize(
    ("refusal", "sentence", "exit_"),
    [
        ("card_in_exit", "Take the card that sticks out.", "A card sticks out of the exit."),
        ("exit_dark", "Something darkens my exit. Clear it, or wipe the sensor.", "The exit is dark"),
    ],
)
def test_ready_is_said_only_when_a_press_would_count(refusal: str, sentence: str, exit_: str) -> None:
    refused = view(state="ready", exit_blocked=True, refusal=refusal)
    text = shown(refused)
    assert text.splitlines()[2] == sentence
    assert exit_ in text
    refused.take(ended())
    assert shown(refused).splitlines()[2] == f"Three cards! {sentence}"
    assert shown(view(state="ready", refusal=None)).splitlines()[2] == "Ready. Press!"


def test_a_lost_connection_is_said_and_the_rest_stays() -> None:
    lost = view()
    lost.trouble = "nothing answers at http://127.0.0.1:8112"
    text = shown(lost)
    assert "Connection lost" in text
    assert "nothing answers at" in text
    assert "about 100 cards" in text


def test_an_outcome_lasts_until_something_else_happens() -> None:
    now = view()
    now.take(ended())
    assert "Three cards!" in shown(now)
    now.take(Record(9, "2026-11-20T12:00:00.000000Z", "launcher", "launcher.lid.opened", {}))
    assert "Three cards!" not in shown(now)


_DATA = st.dictionaries(st.sampled_from(["press", "word", "detail"]), st.text(max_size=60) | st.integers(), max_size=3)


@given(
    width=st.integers(1, 140),
    height=st.integers(1, 60),
    cards=st.none() | st.integers(0, 999),
    state=st.sampled_from([state.value for state in State]),
    detail=st.text(max_size=300),
    entries=st.lists(st.tuples(st.sampled_from(["toy.word", "launcher.press.accepted"]), _DATA), max_size=30),
)
def test_the_screen_never_overflows(
    width: int, height: int, cards: int | None, state: str, detail: str, entries: list[tuple[str, dict[str, Any]]]
) -> None:
    now = view(cards_inside=cards, state=state, detail=detail, exit_blocked=bool(height % 2))
    for number, (type_, data) in enumerate(entries, 1):
        now.take(Record(number, "2026-11-20T12:00:00.000000Z", "toy", type_, data))
        now.take(ended(number))
    lines = screen(now, width, height)
    assert len(lines) == height
    for line in lines:
        assert line.cell_len <= width
        assert printable(line.plain) == line.plain


# --- watch: as a program ---


def start(name: str, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    code = f"import typer; from dispenser.cli.watch import {name}; typer.run({name})"
    return subprocess.Popen([sys.executable, "-c", code, *arguments], **options)


def test_watch_as_json_prints_every_entry_and_ends_with_0_on_ctrl_c(url: str, launcher: FakeLauncher) -> None:
    for number in range(3):
        launcher.note("test.entry", number=number)
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
    assert lines == [entry.json() + b"\n" for entry in launcher.journal[1:]]


def test_watch_as_json_goes_on_with_another_journal_from_its_start(url: str, launcher: FakeLauncher) -> None:
    for number in range(3):
        launcher.note("test.old", number=number)
    entries = all_entries(LauncherClient(url, sleep=lambda _: None), 1)
    launcher.cuts = [2]
    assert [next(entries).seq, next(entries).seq] == [2, 3]
    with launcher.changed:
        launcher.journal.clear()
    first = launcher.note("test.new")
    assert next(entries) == first
    entries.close()


def test_watch_in_a_pipe_prints_lines_to_read(url: str, launcher: FakeLauncher) -> None:
    watching = start("watch", "--url", url, stdout=subprocess.PIPE)
    assert watching.stdout is not None
    with watching:
        with launcher.changed:
            assert launcher.changed.wait_for(lambda: launcher.starts, 20)
        launcher.note("launcher.lid.opened")
        assert b"2026" in watching.stdout.readline()
        assert b"Lid lifted" in watching.stdout.readline()
        watching.send_signal(signal.SIGINT)
        assert watching.wait(10) == 0


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_watch_in_a_terminal_draws_and_puts_the_terminal_right_at_the_end(
    url: str, launcher: FakeLauncher, ending: signal.Signals
) -> None:
    launcher.note("launcher.lid.closed")
    ours, theirs = pty.openpty()
    terminal = {"stdin": theirs, "stdout": theirs, "stderr": theirs, "env": os.environ | {"TERM": "xterm"}}
    watching = start("watch", "--url", url, start_new_session=True, **terminal)
    os.close(theirs)
    try:
        _until(ours, b"Lid shut")
        launcher.state = "open"
        launcher.note("launcher.lid.opened")
        _until(ours, b"Lid lifted")
        watching.send_signal(ending)
        rest = _until(ours, b"\x1b[?1049l")
        assert watching.wait(10) == 0
    finally:
        watching.kill()
        watching.wait()
        os.close(ours)
    assert b"\x1b[?25h" in rest, "the cursor is back"


def _until(terminal: int, wanted: bytes) -> bytes:
    read = b""
    while wanted not in read:
        ready, _, _ = select.select([terminal], [], [], 20)
        assert ready, f"{wanted!r} did not come; what came: {read!r}"
        read += os.read(terminal, 65536)
    return read
