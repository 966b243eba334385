"""Leaving a match of ``dispenser rules play``: however one leaves, it is saved, and no other file is lost by it."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from dispenser.cli.match import keyboard
from dispenser.cli.match import saved as rules_saved
from dispenser.cli.rules import rules_app
from dispenser.rules import Game, from_json, new_game
from dispenser.rules.engine.history import Deed
from tests.cli.rules_at_terminal import Table, flat, uno

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


def test_the_home_of_a_user_whom_nobody_knows_is_no_place_to_save(folder: Path) -> None:
    """And the match goes on: it is saved where one says then."""
    done = run("uno", "--seed", "3", typed="q ~nobody_here/match.json\nq match.json\n")
    assert done.exit_code == 0, done.output
    assert "nobody_here" in done.output
    assert (folder / "match.json").exists()


def test_the_end_of_the_input_saves_as_well(folder: Path) -> None:
    done = run("uno", "--seed", "3", typed="draw\n")
    assert done.exit_code == 0, done.output
    assert "Seed 3: the same seed deals the same cards." in done.stdout
    assert "The match is saved in uno-3.json." in done.stdout
    assert (Deed.PLAY, 0) in {action[:2] for action in from_json((folder / "uno-3.json").read_text()).log}


def test_an_earlier_match_is_not_replaced(folder: Path) -> None:
    assert "The match is saved in uno-7.json." in run("uno", "--seed", "7", typed="q\n").stdout
    for name in ("uno-7-2.json", "uno-7-3.json"):
        done = run("uno", "--seed", "7", typed="q\n")
        assert f"uno-7.json is there already: the match is saved in {name}." in done.stdout
    assert len(list(folder.iterdir())) == 3
    done = run("uno", "--seed", "8", "--save", "uno-7.json", typed="q\n")
    assert "uno-7.json is there already: the match is saved in uno-7-4.json." in done.stdout
    assert from_json(Path("uno-7-4.json").read_text()).state.chance.seed == 8  # type: ignore[union-attr]


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
    assert "The match is saved in elsewhere.json." in page


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


@pytest.mark.long
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
    assert "The match is saved in uno-3.json." in printed
    assert from_json((folder / "uno-3.json").read_text()).log


def test_a_call_comes_only_where_the_program_waits() -> None:
    keys = keyboard.Keyboard(Console())
    with keys.heeding_calls():
        signal.raise_signal(signal.SIGTERM)  # nothing happens in the middle of a move
        with pytest.raises(keyboard.Leaving), keys.waiting():
            raise AssertionError("no waiting any more")


def test_a_folder_that_cannot_be_written_is_told_before_there_is_anything_to_lose(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    done = run("uno", "--save", "/proc/match.json")  # the system says that one may write there
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--save /proc/match.json: that is not permitted here" in done.stderr
    monkeypatch.setattr("os.open", denied)
    done = run("uno", "--save", str(folder / "match.json"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"--save {folder / 'match.json'}: that is not permitted here" in done.stderr


def test_a_file_of_that_name_is_left_alone(folder: Path) -> None:
    (folder / "photo.json").write_text("no match at all")
    done = run("uno", "--save", "photo.json", typed="q\n")
    assert "photo.json is there already: the match is saved in photo-2.json." in done.stdout
    assert (folder / "photo.json").read_text() == "no match at all"


def test_bytes_that_are_no_text_are_no_move(folder: Path) -> None:
    done = CliRunner().invoke(rules_app, ["play", "uno", "--seed", "3", "--lang", "en"], input=b"\xff\nd\xffraw\nq\n")
    assert done.exit_code == 0, done.output
    assert done.stdout.count("annot read") == 2
    assert (folder / "uno-3.json").exists()


def over(game_id: str = "uno") -> Game:
    """A match that seat 1 ends with its next card, a red 7."""
    game = new_game(game_id, 3, {"target": 50}, seed=7)
    game.begin(dealer=2, hands=[[7], [52, 53], [30, 31]], first=5)
    return game


def test_a_match_that_is_over_is_kept_where_it_was_to_go(folder: Path) -> None:
    """And replay tells it to its end; played on it cannot be."""
    file = folder / "match.json"
    table = rules_saved.Seating((None, "Bob", "Chloé"), "toy")
    rules_saved.MatchFile(file, table, own=False).write(over())
    told = run(str(file), typed="red 7\n")
    assert told.exit_code == 0, told.output
    assert "You win the match!" in told.stdout
    assert f"{file}.\n" in told.stdout, "whole, however long it is, so that it can be copied"
    replayed = CliRunner().invoke(rules_app, ["replay", str(file), "--lang", "en"])
    assert "Player 1 wins the match!" in replayed.stdout
    assert "2 actions, 1 round: all by the rules" in replayed.stdout
    again = run(str(file), typed="q\n")
    assert (again.exit_code, again.stdout) == (2, "")
    assert f"this match is over; to have it told again: dispenser rules replay {file}" in again.stderr
    assert list(folder.iterdir()) == [file]


@pytest.mark.parametrize(("wanted", "files"), [(True, ["over.json"]), (False, [])])
def test_a_new_match_that_is_over_is_kept_where_somebody_has_named_a_place(
    folder: Path, wanted: bool, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dispenser.rules.new_game", lambda *_, **__: over())
    arguments = ("--save", "over.json") if wanted else ()
    done = run("uno", *arguments, typed="red 7\n")
    assert (done.exit_code, "You win the match!" in done.stdout) == (0, True), done.output
    assert [path.name for path in folder.iterdir()] == files
    assert ("The match is saved in over.json." in done.stdout) is wanted


def test_a_match_whose_folder_has_gone_is_saved_in_this_one(folder: Path) -> None:
    stick = folder / "stick"
    stick.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", PLAY, "rules", "play", "uno", "--seed", "3", "--save", "stick/match.json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"COLUMNS": "200", "LC_ALL": "C.UTF-8"},
        text=True,
    ) as game:
        assert game.stdout is not None
        printed = ""
        while not printed.endswith("You> "):
            sign = game.stdout.read(1)
            assert sign, printed
            printed += sign
        stick.rmdir()
        game.send_signal(signal.SIGINT)
        printed += game.stdout.read()
        assert game.wait() == 0
    assert "stick/match.json cannot be written: there is no such file or folder." in printed
    assert f"saved in {folder / 'match.json'} instead." in flat(printed)
    assert from_json((folder / "match.json").read_text()).log


def test_odds_that_there_are_not_are_told_with_the_name_of_the_file(folder: Path) -> None:
    run("uno", "--seed", "3", typed="q\n")
    file = folder / "uno-3.json"
    file.write_text(file.read_text().replace('"toy"', '"zzz"'))
    for command in ("play", "replay"):
        done = CliRunner().invoke(rules_app, [command, str(file), "--lang", "en"])
        assert done.exit_code == 74
        assert done.stderr.startswith(f'dispenser: {file}: "table": "odds" should be one of toy, ')
        assert done.stderr.endswith(', not "zzz"\n')


def test_a_match_of_version_1_is_played_on(tmp_path: Path) -> None:
    old = Path(__file__).parent.parent / "rules" / "records_v1" / "huit-americain.json"
    left = tmp_path / "old.json"
    left.write_bytes(old.read_bytes())
    done = run(str(left), typed="q\n")
    assert done.exit_code == 0, done.output
    assert json.loads(left.read_text(encoding="utf-8"))["version"] == 2
