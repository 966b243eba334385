"""``dispenser scenario`` and ``dispenser log --scenario`` as people use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.journal import Journal
from tests.scenario.rig import Rig, parse

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


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Two scenarios, one of which does not hold; and no settings of this machine."""
    (tmp_path / "settings").write_text("", encoding="utf-8")
    monkeypatch.setenv("DISPENSER_CONFIG", str(tmp_path / "settings"))
    (tmp_path / "good.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.toml").write_text(BAD, encoding="utf-8")
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_what_holds_ends_with_0_and_what_does_not_with_1_and_says_why(folder: Path) -> None:
    good, all_of_them = run("scenario", folder / "good.toml", "--timeline"), run("scenario", folder)
    (folder / "bad.toml").write_text(BAD.replace("at = 1.0", "at = { from = 1, to = 3, by = 1 }"), encoding="utf-8")
    takes = run("scenario", folder / "bad.toml")
    assert (good.exit_code, all_of_them.exit_code, takes.exit_code) == (0, 1, 1)
    for told, lines in (
        (good, ("✓ A press brings two cards", '✓ notice = "launcher.burst.ended", with = {delivered = 2}')),
        (good, ("    1.000  * press button hold=0.15", "motor forward", "launcher.card.left press=1 number=2")),
        (all_of_them, ("✗ A press brings three cards", '✗ notice = "launcher.burst.ended", with = {delivered = 3}')),
        (
            all_of_them,
            ("seen:     the nearest came at 2.4", "but delivered was 2", "1 of 2 scenarios passed, 1 failed"),
        ),
        (takes, ("(3 takes)", "in 3 of 3 takes; the first is shown", "[[expect]] 1 did not hold (with at = 1)")),
    ):
        for line in lines:
            assert told.output.count(line) == 1, line


def test_a_file_that_cannot_be_played_ends_with_2_and_the_others_are_played(folder: Path) -> None:
    (folder / "wrong.toml").write_text(
        'title = "t"\n[[step]]\nat = "x"\ndo = "pres"\n[[never]]\nmotor = "on"', encoding="utf-8"
    )
    (folder / "worse.toml").write_text("title", encoding="utf-8")
    (folder / "killed.toml").write_text(f'{GOOD}[[step]]\nat = 9\ndo = "kill the service"\n', encoding="utf-8")
    result = run("scenario", folder)
    assert result.exit_code == 2
    assert "1 of 2 scenarios passed, 1 failed" in result.stdout
    assert [line.split("/")[-1] for line in result.stderr.strip().splitlines()] == [
        'killed.toml: [[step]] 2: do = "kill the service": only the project’s own tests can do that',
        "worse.toml: not valid TOML: end of the file: write key = value; a table begins with its name in [brackets]",
        'wrong.toml: [[step]] 1: do = "pres": did you mean "press"?',
        'wrong.toml: [[never]] 1: motor = "on": known are off, forward, backward',
    ]


def test_a_folder_without_files_ends_with_2(tmp_path: Path) -> None:
    assert run("scenario", tmp_path / "nothing").exit_code == 2
    result = run("scenario", tmp_path)
    assert result.exit_code == 2
    assert "no *.toml in this folder" in result.output


def test_json_is_for_programs(folder: Path) -> None:
    result = run("scenario", folder, "--json", "--timeline")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert [(each["title"], each["passed"]) for each in told["scenarios"]] == [
        ("A press brings three cards", False),
        ("A press brings two cards", True),
    ]
    take = told["scenarios"][0]["takes"][0]
    assert (take["findings"][0]["name"], take["findings"][0]["passed"]) == ("[[expect]] 1", False)
    assert take["timeline"][0]["type"] == "service.started"


def test_a_log_record_becomes_a_scenario_that_holds(folder: Path) -> None:
    journal, file = folder / "journal", folder / "report.toml"
    Rig(parse(GOOD).takes[0], journal).run()
    with Journal.read_only(journal) as reader:
        (end,) = reader.read(types=["launcher.burst.ended"])
    around = ("--seconds-before", 5, "--seconds-after", 2)
    file.write_text(run("log", "--journal", journal, "--scenario", end.seq, *around).output, encoding="utf-8")
    assert run("scenario", file).exit_code == 0
    missing = run("log", "--journal", journal, "--scenario", 999)
    assert missing.exit_code == 2
    assert "there is no record 999" in missing.output
