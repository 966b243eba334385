"""``dispenser evenings``: who played what, for people, for programs, for a spreadsheet; and to have one forgotten."""

from __future__ import annotations

import asyncio
import csv
import json
from pathlib import Path

import pytest
from typer.testing import Result

from dispenser.journal import Journal
from dispenser.service.settings import WebSettings
from tests.cli.run import run
from tests.table.played import Line, evening
from tests.web.served import served


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


def test_they_are_listed_for_people_for_programs_and_for_a_spreadsheet(journal: str, tmp_path: Path) -> None:
    def lines(*options: str) -> list[str]:
        return run("evenings", "--journal", journal, *options).stdout.splitlines()

    newest, oldest = lines()
    assert newest.endswith("Léa, -1, 1 bot: Uno")
    assert oldest.endswith("Léa, Tom, 1 bot: Uno Extrême")
    assert lines("--name", "TOM") == [oldest]
    assert [json.loads(line)["people"] for line in lines("--json")] == [["Léa", "-1"], ["Léa", "Tom"]]
    assert {row["name"] for row in csv.DictReader(lines("--csv"))} == {"Léa", "Tom", "'-1", "Robo"}
    assert run("evenings", "--journal", tmp_path / "none").exit_code == 74
    assert "No evening yet." in run("evenings", "--journal", written(tmp_path / "new.db", [])).stderr


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
    assert "La soirée est finie" in run("log", "--journal", journal, "--last", "1", language="fr").stdout
