"""``dispenser scenario`` and ``dispenser log --scenario`` as people use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.journal import Journal
from tests.scenario.rig import parse, play_take

GOOD = """
title = "A press brings two cards"
[setup]
planned = [2]
[[step]]
at = 1.0
do = "press button"
[[expect]]
notice = "launcher.burst.ended"
with = { delivered = 2 }
"""
BAD = GOOD.replace("delivered = 2", "delivered = 3").replace("two", "three")


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("", encoding="utf-8")
    monkeypatch.setenv("DISPENSER_CONFIG", str(settings))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    (folder / "good.toml").write_text(GOOD, encoding="utf-8")
    (folder / "bad.toml").write_text(BAD, encoding="utf-8")
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_what_holds_ends_with_0(folder: Path) -> None:
    result = run("scenario", folder / "good.toml")
    assert result.exit_code == 0
    assert "✓ A press brings two cards" in result.output
    assert '✓ notice = "launcher.burst.ended", with = {delivered = 2}' in result.output


def test_what_does_not_hold_ends_with_1_and_says_why(folder: Path) -> None:
    result = run("scenario", folder)
    assert result.exit_code == 1
    assert "✗ A press brings three cards" in result.output
    assert '✗ notice = "launcher.burst.ended", with = {delivered = 3}' in result.output
    assert "seen:     the nearest came at 2.4" in result.output
    assert "but delivered was 2" in result.output
    assert "1 of 2 scenarios hold, 1 do not" in result.output


def test_a_file_that_cannot_be_played_ends_with_2_and_the_others_are_played(folder: Path) -> None:
    (folder / "wrong.toml").write_text(
        'title = "t"\n[[step]]\nat = "x"\ndo = "pres"\n[[never]]\nmotor = "on"', encoding="utf-8"
    )
    (folder / "worse.toml").write_text("title", encoding="utf-8")
    (folder / "killed.toml").write_text(
        f'{GOOD}[[step]]\nat = 9\ndo = "kill the service"\n[[step]]\nat = 9\ndo = "disk full"\n', encoding="utf-8"
    )
    result = run("scenario", folder)
    assert result.exit_code == 2
    assert "1 of 2 scenarios hold, 1 do not" in result.stdout
    assert [line.split("/")[-1] for line in result.stderr.strip().splitlines()] == [
        'killed.toml: [[step]] 2: do = "kill the service": only the project’s own tests can do that',
        'killed.toml: [[step]] 3: do = "disk full": only the project’s own tests can do that',
        "worse.toml: not valid TOML: end of the file: write key = value; a table begins with its name in [brackets]",
        'wrong.toml: [[step]] 1: do = "pres": did you mean "press"?',
        'wrong.toml: [[never]] 1: motor = "on": known are off, forward, backward',
    ]


def test_a_folder_without_files_ends_with_2(tmp_path: Path) -> None:
    result = run("scenario", tmp_path / "nothing")
    assert result.exit_code == 2
    (tmp_path / "empty").mkdir()
    result = run("scenario", tmp_path / "empty")
    assert result.exit_code == 2
    assert "no *.toml in this folder" in result.output


def test_the_timeline_shows_all_that_happened(folder: Path) -> None:
    result = run("scenario", folder / "good.toml", "--timeline")
    assert "    1.000  * press button hold=0.15" in result.output
    assert "motor forward" in result.output
    assert "launcher.card.left press=1 number=2" in result.output


def test_takes_are_told_together(folder: Path) -> None:
    (folder / "bad.toml").write_text(BAD.replace("at = 1.0", "at = { from = 1, to = 3, by = 1 }"), encoding="utf-8")
    result = run("scenario", folder / "bad.toml")
    assert "(3 takes)" in result.output
    assert "in 3 of 3 takes" in result.output
    assert "[[expect]] 1 did not hold (with at = 1)" in result.output
    assert result.output.count("did not hold") == 1


def test_json_is_for_programs(folder: Path) -> None:
    result = run("scenario", folder, "--json", "--timeline")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["passed"] is False
    assert [(each["title"], each["passed"]) for each in told["scenarios"]] == [
        ("A press brings three cards", False),
        ("A press brings two cards", True),
    ]
    finding = told["scenarios"][0]["takes"][0]["findings"][0]
    assert (finding["name"], finding["passed"]) == ("[[expect]] 1", False)
    assert told["scenarios"][0]["takes"][0]["timeline"][0]["type"] == "service.started"


def test_a_log_entry_becomes_a_scenario_that_holds(tmp_path: Path) -> None:
    journal, file = tmp_path / "journal", tmp_path / "report.toml"
    play_take(parse(GOOD).takes[0], keep_journal=journal)
    with Journal.read_only(journal) as reader:
        (end,) = reader.read(types=["launcher.burst.ended"])
    around = ("--seconds-before", 5, "--seconds-after", 2)
    exported = run("log", "--journal", journal, "--scenario", end.seq, *around)
    assert exported.exit_code == 0
    file.write_text(exported.output, encoding="utf-8")
    assert run("scenario", file).exit_code == 0


def test_a_log_entry_that_is_not_there_is_told(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    play_take(parse(GOOD).takes[0], keep_journal=journal)
    result = run("log", "--journal", journal, "--scenario", 999)
    assert result.exit_code == 2
    assert "there is no entry 999" in result.output
