"""``dispenser evenings``: who played what, for people, for programs, for a spreadsheet; and to have one forgotten."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.journal import Journal
from dispenser.service.settings import WebSettings
from tests.table.played import Line, evening
from tests.web.served import served


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env={"LANGUAGE": "en", **environment}, catch_exceptions=False)


def written(path: Path, *evenings: list[Line]) -> str:
    with Journal.open(path) as journal:
        for lines in evenings:
            journal.append("table", [(line.type, line.data) for line in lines])
    return str(path)


@pytest.fixture
def journal(tmp_path: Path) -> str:
    first = evening("one", "uno-extreme", steps=40, names=("Léa", "Tom")).lines
    second = evening("two", "uno", steps=40, names=("Léa", "-1")).lines
    return written(tmp_path / "journal.db", first, second)


def test_they_are_listed_the_newest_first(journal: str) -> None:
    done = run("evenings", "--journal", journal)
    newest, oldest = done.stdout.splitlines()
    assert newest.endswith("Léa, -1, 1 bot: Uno")
    assert oldest.endswith("Léa, Tom, 1 bot: Uno Extrême")
    assert done.exit_code == 0


def test_by_name(journal: str) -> None:
    assert len(run("evenings", "--journal", journal, "--name", "TOM").stdout.splitlines()) == 1


def test_as_json_with_all_rounds(journal: str) -> None:
    newest, oldest = map(json.loads, run("evenings", "--journal", journal, "--json").stdout.splitlines())
    assert newest["people"] == ["Léa", "-1"]
    assert oldest["matches"][0]["rounds"]


def test_as_a_spreadsheet_without_formulas(journal: str) -> None:
    table = io.StringIO(run("evenings", "--journal", journal, "--csv").stdout, newline="")
    assert {row["name"] for row in csv.DictReader(table)} == {"Léa", "Tom", "'-1", "Robo"}


def test_a_journal_that_is_not_there(tmp_path: Path) -> None:
    assert run("evenings", "--journal", str(tmp_path / "none")).exit_code == 74


def test_one_is_deleted_by_the_running_launcher(tmp_path: Path) -> None:
    async def scenario() -> tuple[Result, Result]:
        async with served(WebSettings(port=0)) as page:
            lines = evening("gone", steps=20).lines
            page.service.journal.append("table", [(line.type, line.data) for line in lines])
            delete = ("evenings", "delete", lines[0].data["table"], "--url", page.address)
            return await asyncio.to_thread(run, *delete), await asyncio.to_thread(run, *delete)

    done, again = asyncio.run(scenario())
    assert done.exit_code == 0
    assert done.stdout.startswith("Deleted:")
    assert again.exit_code == 1
    assert "no evening" in again.stderr


def test_the_log_tells_them_with_the_names_of_people_from_wherever_it_begins(journal: str) -> None:
    whole = run("log", "--journal", journal, "--last", "1000").stdout
    assert "Tom sits down" in whole
    assert "Tom plays" in whole
    some = run("log", "--journal", journal, "--last", "12").stdout
    assert "-1" in some or "Léa" in some
    assert some.splitlines()[-1].endswith("The evening is over")
    assert "La soirée est finie" in run("log", "--journal", journal, "--last", "1", LANGUAGE="fr").stdout
