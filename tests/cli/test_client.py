"""``dispenser press`` and ``dispenser watch``."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from dispenser.cli import client as commands
from dispenser.cli.client import press, reset, watch
from dispenser.cli.remarks import in_short, remark, was_cut_short
from dispenser.cli.screen import SENTENCE_LINES, View, screen
from dispenser.client import LauncherClient
from dispenser.journal import Entry, Journal
from dispenser.launcher.messages import BurstEnd, State
from tests.cli.fake_launcher import TOKEN, FakeLauncher, serving
from tests.cli.test_serve import page_of, started

app = typer.Typer()
app.command()(press)
app.command()(reset)
app.command()(watch)


@pytest.fixture
def launcher() -> FakeLauncher:
    return FakeLauncher()


@pytest.fixture
def url(launcher: FakeLauncher) -> Iterator[str]:
    with serving(launcher) as url:
        yield url


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(
        app, list(arguments), env={"DISPENSER_TOKEN": None, **environment}, catch_exceptions=False
    )


def ended(number: int = 1, type_: str = "launcher.burst.ended", **data: Any) -> Entry:
    defaults = {
        "press": number,
        "planned": 3,
        "delivered": 3,
        "cause": "complete",
        "sticking_out": False,
        "suspected_doubles": 0,
        "tries": 1,
        "dud_streak": 0,
    }
    return Entry(number, "2026-11-20T12:00:00.000000Z", "launcher", type_, defaults | data)


# --- remarks ---


@pytest.mark.parametrize(
    ("data", "words", "short"),
    [
        ({}, "Three cards!", "3"),
        ({"planned": 1, "delivered": 1}, "One card!", "1"),
        ({"planned": 13, "delivered": 13}, "13 cards!", "13"),
        ({"planned": 3, "delivered": 4}, "Four cards!", "4 of 3"),
        ({"cause": "dud", "planned": 0, "delivered": 0, "dud_streak": 1}, "Nothing came out.", "dud"),
        ({"cause": "dud", "planned": 0, "delivered": 0, "dud_streak": 2}, "Nothing came out. 2 duds in a row.", "dud"),
        ({"cause": "lid", "delivered": 2, "planned": 5}, "2 of 5 cards: the lid was lifted.", "2 of 5"),
        ({"cause": "jammed", "delivered": 0, "planned": 1}, "0 of 1 card: a card is stuck.", "0 of 1"),
        ({"cause": "empty", "delivered": 1}, "1 of 3 cards: the launcher is empty.", "1 of 3"),
        ({"cause": "lid", "delivered": None}, "? of 3 cards: the lid was lifted.", "about 3"),
        (
            {"cause": "timed", "delivered": None},
            "Three cards! Or so: nobody counted, there is no exit sensor.",
            "about 3",
        ),
        ({"suspected_doubles": 1}, "Three cards! One may be two, stuck together.", "3"),
        ({"suspected_doubles": 2}, "Three cards! Some may be double.", "3"),
        ({"sticking_out": True}, "Three cards, counting the one that sticks out. Take it!", "3"),
    ],
)
def test_what_came_of_a_press_in_words(data: dict[str, Any], words: str, short: str) -> None:
    assert remark(ended(**data)) == words
    assert in_short(ended(**data)) == short


@pytest.mark.parametrize("cause", list(BurstEnd))
def test_every_end_of_a_burst_has_words(cause: BurstEnd) -> None:
    entry = ended(cause=cause.value, delivered=0)
    assert remark(entry)[-1] in ".!"
    assert was_cut_short(entry) == (cause not in {BurstEnd.COMPLETE, BurstEnd.TIMED, BurstEnd.DUD})


def test_a_lost_burst_has_words() -> None:
    entry = Entry(1, "2026-11-20T12:00:00.000000Z", "service", "launcher.burst.lost", {"press": 1, "delivered": 2})
    assert remark(entry) == "Cut off in the middle; until then 2 cards came out."
    assert in_short(entry) == "2 of ?"
    assert was_cut_short(entry)


# --- reset ---


def test_reset_says_what_is_now(url: str, launcher: FakeLauncher) -> None:
    done = run("reset", "--url", url)
    assert (done.exit_code, done.stdout) == (0, "Done: ready.\n")
    assert launcher.journal[-1].type == "launcher.reset"


@pytest.mark.parametrize("state", ["fault", "jammed", "empty"])
def test_what_persists_after_a_reset_is_said_with_what_to_do(url: str, launcher: FakeLauncher, state: str) -> None:
    launcher.state, launcher.detail = state, "Plug it in, then reset."
    done = run("reset", "--url", url)
    assert (done.exit_code, done.stdout) == (1, f"Still: {state}. Plug it in, then reset.\n")
    told = run("reset", "--url", url, "--json")
    assert told.exit_code == 1
    assert json.loads(told.stdout)["data"]["state"] == state


def test_nobody_there_to_reset(unused_port: int) -> None:
    done = run("reset", "--url", f"http://127.0.0.1:{unused_port}")
    assert done.exit_code == 69
    assert "Is a launcher running?" in done.stderr


# --- press ---


def test_press_says_what_came_out(url: str, launcher: FakeLauncher) -> None:
    done = run("press", "--url", url)
    assert (done.exit_code, done.stdout) == (0, "Three cards!\n")
    assert launcher.presses == [{"id": launcher.presses[0]["id"]}]


def test_press_asks_for_a_number_with_ones_own_id(url: str, launcher: FakeLauncher) -> None:
    assert run("press", "--url", url, "--cards", "3", "--id", "mine").exit_code == 0
    assert launcher.presses == [{"id": "mine", "cards": 3}]


def test_press_does_not_wait_when_told_so(url: str, launcher: FakeLauncher) -> None:
    launcher.outcome = None
    done = run("press", "--url", url, "--no-wait")
    assert (done.exit_code, done.stdout) == (0, "Press 1 counts.\n")


def test_press_as_json_prints_the_two_entries(url: str, launcher: FakeLauncher) -> None:
    done = run("press", "--url", url, "--json")
    assert done.stdout.splitlines() == [entry.json().decode() for entry in launcher.journal]
    assert [entry.type for entry in launcher.journal] == ["launcher.press.accepted", "launcher.burst.ended"]


def test_press_waits_for_its_own_burst_and_no_other(url: str, launcher: FakeLauncher) -> None:
    launcher.known["earlier"] = launcher.note("launcher.press.accepted", press=1, cards=None)
    launcher.outcome = None
    said: list[Result] = []
    thread = threading.Thread(target=lambda: said.append(run("press", "--url", url)))
    thread.start()
    with launcher.changed:
        assert launcher.changed.wait_for(lambda: len(launcher.journal) == 2, 10)
    launcher.note(**_burst(press=1, planned=7, delivered=7))
    launcher.note(**_burst(press=2, planned=2, delivered=2))
    thread.join(10)
    assert said[0].stdout == "Two cards!\n"


def _burst(**data: Any) -> dict[str, Any]:
    return {"type_": "launcher.burst.ended", **ended(**data).data, **data}


def test_a_refused_press_says_why_and_exits_with_1(url: str, launcher: FakeLauncher) -> None:
    launcher.refusal = "lid_open"
    done = run("press", "--url", url)
    assert (done.exit_code, done.stdout) == (1, "Refused. The lid is open: nothing can move. Shut the lid.\n")
    as_json = run("press", "--url", url, "--json")
    assert (as_json.exit_code, json.loads(as_json.stdout)["data"]) == (1, {"press": 2, "reason": "lid_open"})


def test_a_burst_cut_short_exits_with_1(url: str, launcher: FakeLauncher) -> None:
    launcher.outcome = {"planned": 5, "delivered": 2, "cause": "lid"}
    done = run("press", "--url", url)
    assert (done.exit_code, done.stdout) == (1, "2 of 5 cards: the lid was lifted.\n")


def test_press_survives_a_lost_answer_and_a_cut_stream(
    url: str, launcher: FakeLauncher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "LauncherClient", lambda url, token: LauncherClient(url, token, sleep=lambda _: None))
    launcher.lost_answers = 1
    launcher.cuts = [0, 1]
    done = run("press", "--url", url)
    assert (done.exit_code, done.stdout) == (0, "Three cards!\n")
    assert len(launcher.known) == 1


def test_a_launcher_that_goes_away_in_the_middle(
    url: str, launcher: FakeLauncher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "LauncherClient", lambda url, token: LauncherClient(url, token, sleep=lambda _: None))
    launcher.outcome = None
    launcher.cuts = [0] * 100
    done = run("press", "--url", url)
    assert done.exit_code == 69
    assert "press 1 counts, but the launcher has gone" in done.stderr
    assert "'dispenser log --type launcher.burst'" in done.stderr


def test_nobody_answers(unused_port: int) -> None:
    for command in ("press", "watch"):
        done = run(command, "--url", f"http://127.0.0.1:{unused_port}")
        assert done.exit_code == 69
        assert len(done.stderr.splitlines()) == 1
        assert "Is a launcher running? 'dispenser demo'" in done.stderr


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_the_token_comes_from_the_option_or_the_environment(url: str, launcher: FakeLauncher) -> None:
    launcher.token = TOKEN
    assert run("press", "--url", url, "--token", TOKEN).exit_code == 0
    assert run("press", "--url", url, DISPENSER_TOKEN=TOKEN).exit_code == 0
    without = run("press", "--url", url)
    assert (without.exit_code, len(without.stderr.splitlines())) == (69, 1)
    assert "give it with --token or in $DISPENSER_TOKEN" in without.stderr


def test_address_and_token_come_from_the_settings(url: str, launcher: FakeLauncher, tmp_path: Path) -> None:
    launcher.token = TOKEN
    config = tmp_path / "dispenser.toml"
    config.write_text(f'[web]\nhost = "0.0.0.0"\nport = {url.rpartition(":")[2]}\ntoken = "{TOKEN}"\n')
    assert run("press", "--config", str(config)).stdout == "Three cards!\n"
    elsewhere = run("press", "--config", str(config), "--url", url)
    assert elsewhere.exit_code == 69, "the token of the settings must not be sent to another address"


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ("[web]\nport = 0\n", 78, "give --url"),
        ("[web]\nprot = 1\n", 78, 'did you mean "port"?'),
    ],
)
def test_settings_that_name_no_address(tmp_path: Path, settings: str, code: int, words: str) -> None:
    config = tmp_path / "dispenser.toml"
    config.write_text(settings)
    done = run("press", "--config", str(config))
    assert done.exit_code == code
    assert words in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["press", "--cards", "0"], ["press", "--cards", "31"], ["press", "--url", "pi"], ["watch", "--after", "3"]],
)
def test_a_wrong_command_line(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


# --- watch: the screen ---


def view(**changes: Any) -> View:
    snapshot = FakeLauncher().snapshot() | changes
    return View("http://127.0.0.1:8112", snapshot)


def shown(view: View, width: int = 80, height: int = 24) -> str:
    return "\n".join(line.plain.rstrip() for line in screen(view, width, height))


def test_the_screen_at_80_columns() -> None:
    now = view(cards_inside=84, presses=3, dud_streak=2)
    for number, entry in enumerate([ended(1), ended(2, cause="dud", delivered=0), ended(3, cause="lid", delivered=1)]):
        now.take(Entry(number + 1, entry.time, entry.source, entry.type, entry.data))
    lines = shown(now).splitlines()
    assert lines[0] == "dispenser  simulated  http://127.0.0.1:8112"
    assert lines[2] == "1 of 3 cards: the lid was lifted."
    assert "Lid      shut" in lines
    assert f"Stack    {'█' * 30}{'░' * 10} about 84 cards" in lines
    assert "Bursts   1 of 3  dud  3" in lines
    assert lines[-1] == "Ctrl-C ends"
    assert any(line.endswith("Press 1: 3 of 3 cards") for line in lines)


@pytest.mark.parametrize("state", list(State))
def test_every_state_has_a_sentence(state: State) -> None:
    sentence = shown(view(state=state.value)).splitlines()[2]
    assert sentence[0].isupper()
    assert sentence[-1] in ".!…"


@pytest.mark.parametrize(
    ("refusal", "sentence", "exit_"),
    [
        ("card_in_exit", "Take the card that sticks out.", "a card is in the exit"),
        ("exit_dark", "Something darkens my exit. Clear it, or wipe the sensor.", "the exit is dark"),
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


def test_what_is_wrong_is_said_in_full() -> None:
    detail = "The pins do not answer. The motor is off. Check the wiring and that no other program uses the pins."
    text = shown(view(state="fault", detail=detail), width=40)
    assert detail in " ".join(text.split())


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
    now.take(Entry(9, "2026-11-20T12:00:00.000000Z", "launcher", "launcher.lid.opened", {}))
    assert "Three cards!" not in shown(now)
    now.forget()
    assert "none yet" in shown(now)


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
        now.take(Entry(number, "2026-11-20T12:00:00.000000Z", "toy", type_, data))
        now.take(ended(number))
    lines = screen(now, width, height)
    assert len(lines) == height
    for line in lines:
        assert line.cell_len <= width
        assert line.plain.isprintable()


def test_the_sentence_keeps_its_lines() -> None:
    one, two = (shown(view(detail=detail, state="fault")).index("Lid  ") for detail in ("Short.", "Long. " * 16))
    assert one < two
    assert SENTENCE_LINES == 2
    assert shown(view(detail="x", state="fault")).splitlines()[5].startswith("Lid")
    assert shown(view(detail="x " * 60, state="fault")).splitlines()[5].startswith("Lid")


# --- watch: as a program ---


def start(name: str, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    code = f"import typer; from dispenser.cli.client import {name}; typer.run({name})"
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
    entries = commands.all_entries(LauncherClient(url, sleep=lambda _: None), 1)
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
        assert b"Lid opened" in watching.stdout.readline()
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
        _until(ours, b"Lid opened")
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


# --- with a real launcher ---


def test_the_real_api_is_the_one_that_the_fake_plays(tmp_path: Path) -> None:
    with started("demo", "--no-browser", "--port", "0", "--journal", str(tmp_path / "journal.sqlite3")) as process:
        url = page_of(process).rstrip("/")
        refused = run("press", "--url", url, "--cards", "30")
        accepted, ending = map(json.loads, run("press", "--url", url, "--cards", "3", "--json").stdout.splitlines())
        again = run("press", "--url", url, "--cards", "3", "--id", accepted["data"]["request"], "--json")
        events = LauncherClient(url).events(0)
        seen = [next(events) for _ in range(ending["seq"])]
        events.close()
        was_reset = run("reset", "--url", url)
        lines = screen(View(url, LauncherClient(url).snapshot()), 80, 24)
    assert was_reset.stdout.startswith(("Done: ", "Still: "))
    assert refused.exit_code == 2
    assert "ask for fewer" in refused.stderr
    assert accepted["type"] == "launcher.press.accepted"
    assert ending["type"] == "launcher.burst.ended"
    assert ending["data"]["press"] == accepted["data"]["press"]
    assert json.loads(again.stdout.splitlines()[0]) == accepted, "the same id pressed twice"
    with Journal.read_only(tmp_path / "journal.sqlite3") as journal:
        assert seen == list(journal.read(before=ending["seq"] + 1))
    assert lines[0].plain.startswith("dispenser  simulated")
