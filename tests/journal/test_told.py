"""What of an entry may leave the house: no ``secret``, by whichever way it goes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.journal import Journal
from dispenser.service.assembly import simulated_launcher
from tests.web.rig import Listener, in_virtual_time, launcher

HASH = "5eed" * 16
JOINED = ("table.joined", {"person": 3, "name": "Léa", "bot": False, "secret": HASH})
SHOWN = {"person": 3, "name": "Léa", "bot": False}


def test_an_entry_is_told_without_its_secret_and_the_journal_keeps_it() -> None:
    with Journal.open(":memory:") as journal:
        (entry,) = journal.append("table", [JOINED])
        assert entry.told().data == SHOWN
        assert (entry.told().seq, entry.told().type) == (entry.seq, entry.type)
        assert HASH.encode() not in entry.json()
        assert [each.data for each in journal.read()] == [JOINED[1]]


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """The journal of a launcher at whose table somebody sat down."""
    path = tmp_path / "journal.sqlite3"

    async def scenario() -> None:
        async with simulated_launcher(journal=path, seed="told") as service:
            service.note(*JOINED, source="table")
            await service.press()

    in_virtual_time(scenario)
    return path


def as_text(output: str) -> None:
    assert "Léa" in output


def as_json(output: str) -> None:
    assert SHOWN in [json.loads(line)["data"] for line in output.splitlines()]


def as_csv(output: str) -> None:
    assert json.dumps(SHOWN, ensure_ascii=False, separators=(",", ":")) in [
        row[-1] for row in csv.reader(io.StringIO(output))
    ]


@pytest.mark.parametrize(("how", "looks"), [((), as_text), (("--json",), as_json), (("--csv",), as_csv)])
def test_no_export_has_a_secret(evening: Path, how: tuple[str, ...], looks: Callable[[str], None]) -> None:
    told = CliRunner().invoke(app, ["log", "--journal", str(evening), *how])
    assert told.exit_code == 0, told.output
    looks(told.stdout)
    assert HASH not in told.stdout


def test_no_scenario_made_of_an_evening_has_a_secret(evening: Path) -> None:
    with Journal.read_only(evening) as journal:
        seq = next(journal.read(types=["table.joined"])).seq
    made = CliRunner().invoke(app, ["log", "--journal", str(evening), "--scenario", str(seq)])
    assert "entry" in made.output, "nothing happened there that a launcher could play again"
    assert HASH not in made.output


def test_neither_the_stream_nor_a_page_of_the_journal_has_a_secret() -> None:
    async def scenario() -> None:
        async with launcher() as on:
            seq = on.service.note(*JOINED, source="table").seq
            listener = Listener(on.app, f"after={seq - 1}")
            on.service.note(*JOINED, source="table")
            await on.settle(1)
            await listener.leave()
            page = await on.client.get("/api/v1/journal", params={"type": "table"})
            assert [entry["data"] for entry in listener.entries] == [SHOWN, SHOWN]
            assert [entry["data"] for entry in page.json()["entries"]] == [SHOWN, SHOWN]
            assert HASH not in listener.text + page.text

    in_virtual_time(scenario)
