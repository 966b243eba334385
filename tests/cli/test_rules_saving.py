"""Leaving a match of ``dispenser rules play``: however one leaves, it is saved, and no other file is lost by it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import keyboard
from dispenser.cli.rules import rules_app
from dispenser.rules import from_json
from tests.cli.rules_at_terminal import Table, uno

PLAY = "from dispenser.cli import main; main()"


def run(*arguments: str, typed: str = "") -> Result:
    surroundings = {"COLUMNS": "80", "LC_ALL": "C", "NO_COLOR": "1", "FORCE_COLOR": None}
    return CliRunner().invoke(rules_app, ("play", *arguments), input=typed, env=surroundings)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where matches are saved when nobody says where."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_q_saves_a_match_that_can_be_played_on(folder: Path) -> None:
    file = folder / "match.json"
    done = run("uno-extreme", "--seed", "3", "--seats", "2", "--save", str(file), typed="press\n\n\n\n\nq\n")
    assert done.exit_code == 0, done.output
    assert str(file) in done.stdout.replace("\n", "")
    saved = json.loads(file.read_text())
    assert (saved["game"], saved["seats"], saved["seed"]) == ("uno-extreme", 2, 3)
    before = from_json(file.read_text())
    assert before.log
    again = run(str(file), typed="h\nq\n")
    assert again.exit_code == 0, again.output
    assert from_json(file.read_text()).log[: len(before.log)] == before.log
    assert list(folder.iterdir()) == [file]


def test_the_end_of_the_input_saves_as_well(folder: Path) -> None:
    done = run("uno", "--seed", "3", typed="draw\n")
    assert done.exit_code == 0, done.output
    assert "Seed 3: the same seed deals the same cards." in done.stdout
    assert "The match is in uno-3.json." in done.stdout
    assert ("play", 0) in {action[:2] for action in from_json((folder / "uno-3.json").read_text()).log}


def test_an_earlier_match_is_not_replaced(folder: Path) -> None:
    for name in ("uno-7.json", "uno-7-2.json", "uno-7-3.json"):
        done = run("uno", "--seed", "7", typed="q\n")
        assert f"The match is in {name}." in done.stdout
    assert len(list(folder.iterdir())) == 3
    done = run("uno", "--seed", "8", "--save", "uno-7.json", typed="q\n")
    assert "The match is in uno-7-4.json." in done.stdout
    assert from_json(Path("uno-7-4.json").read_text()).chance.seed == 8  # type: ignore[union-attr]


def test_names_and_odds_are_kept(folder: Path) -> None:
    file = str(folder / "match.json")
    first = run("uno", "--name", "Ana", "--name", "Zoé", "--odds", "wild", "--save", file, typed="q\n")
    assert first.exit_code == 0, first.output
    assert json.loads(Path(file).read_text())["table"] == {"names": ["Ana", "Zoé", "Chloé"], "odds": "wild"}
    again = run(file, typed="q\n")
    assert "Ana\u00a0" in again.stdout
    assert "Zoé\u00a0" in again.stdout
    assert json.loads(Path(file).read_text())["table"]["odds"] == "wild"
    told = CliRunner().invoke(rules_app, ["replay", file, "--lang", "en"])
    assert told.exit_code == 0
    assert "Seat" not in told.stdout
    renamed = run(file, "--name", "Bea", typed="q\n")
    assert "Bea\u00a0" in renamed.stdout
    assert "Zoé\u00a0" in renamed.stdout


def test_you_are_called_you_in_the_language_of_today(folder: Path) -> None:
    run("uno", "--seed", "3", "--lang", "fr", typed="q\n")
    assert "You\u00a0" in run("uno-3.json", "--lang", "en", typed="q\n").stdout


@pytest.mark.parametrize("table", [[], {"names": ["A"], "odds": "toy"}, {"names": ["A", "B", "\x1b"], "odds": "toy"}])
def test_a_damaged_table_is_refused(folder: Path, table: object) -> None:
    run("uno", "--seed", "3", typed="q\n")
    file = folder / "uno-3.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"table": table}))
    for command in ("play", "replay"):
        done = CliRunner().invoke(rules_app, [command, str(file)])
        assert done.exit_code == 74
        assert '"table" should have "names"' in done.stderr


def test_when_saving_fails_at_q_the_match_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(uno())
    table.file.full = True
    page = table.lines(monkeypatch, "q", "red 7", "q elsewhere.json")
    assert "could not be saved in not-saved.json: there is no room left." in page.replace("\n", " ")
    assert "You play the red 7." in page
    assert "The match is in elsewhere.json." in page


def test_a_file_that_cannot_be_written_at_the_end_is_exit_code_74(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", no_room)
    done = run("uno", "--seed", "3", typed="draw\n")
    assert done.exit_code == 74
    assert done.stderr == "dispenser: uno-3.json: the match could not be saved: there is no room left\n"


@pytest.mark.parametrize(("path", "told"), [("none.json", "there is no such file"), (".", "that is a folder")])
def test_a_file_that_cannot_be_read_is_told_in_words(path: str, told: str, folder: Path) -> None:
    if path == ".":
        (folder / "folder.json").mkdir()
        path = "folder.json"
    done = run(path)
    assert done.exit_code == 74
    assert told in done.stderr
    assert "Errno" not in done.stderr


@pytest.mark.parametrize("call", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_call_to_end_saves_the_match(folder: Path, call: signal.Signals) -> None:
    surroundings = os.environ | {"COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        [sys.executable, "-c", PLAY, "rules", "play", "uno", "--seed", "3"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=surroundings,
        text=True,
    ) as game:
        assert game.stdout is not None
        printed = ""
        while not printed.endswith("You> "):
            sign = game.stdout.read(1)
            assert sign, printed
            printed += sign
        game.send_signal(call)
        printed += game.stdout.read()
        assert game.wait() == 0
    assert "The match is in uno-3.json." in printed
    assert from_json((folder / "uno-3.json").read_text()).log


def test_a_call_comes_only_where_the_program_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(uno())
    with table.match._keyboard.heeding_calls():
        signal.raise_signal(signal.SIGTERM)  # nothing happens in the middle of a move
        with pytest.raises(keyboard.Leaving), table.match._keyboard.waiting():
            raise AssertionError("no waiting any more")


def test_a_folder_that_cannot_be_written_is_told_before_there_is_anything_to_lose(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dispenser.cli.rules_saved.os.access", lambda *_: False)
    done = run("uno", "--save", str(folder / "match.json"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"nothing can be written in {folder}" in done.stderr


def test_bytes_that_are_no_text_are_no_move(folder: Path) -> None:
    done = CliRunner().invoke(rules_app, ["play", "uno", "--seed", "3", "--lang", "en"], input=b"\xff\nd\xffraw\nq\n")
    assert done.exit_code == 0, done.output
    assert done.stdout.count("annot read") == 2
    assert (folder / "uno-3.json").exists()
