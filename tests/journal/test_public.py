"""What of a record may leave the house: no ``secret``, by whichever way it goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from dispenser.cli import app
from dispenser.journal import Journal
from tests.web.rig import Listener, in_virtual_time, launcher

HASH = "5eed" * 16
JOINED = ("table.joined", {"person": 3, "name": "Léa", "bot": False, "secret": HASH})
SHOWN = {"person": 3, "name": "Léa", "bot": False}


def test_a_public_record_is_without_its_secret_and_the_journal_keeps_it() -> None:
    with Journal.open(":memory:") as journal:
        (record,) = journal.append("table", [JOINED])
        assert record.public().data == SHOWN
        assert (record.public().seq, record.public().type) == (record.seq, record.type)
        assert HASH.encode() not in record.json()
        assert [each.data for each in journal.read()] == [JOINED[1]]


@pytest.mark.parametrize("how", [(), ("--json",), ("--csv",), ("--scenario", "1")])
def test_no_export_has_a_secret(tmp_path: Path, how: tuple[str, ...]) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("table", [JOINED])
    shown = CliRunner().invoke(app, ["log", "--journal", str(path), *how])
    assert ("record" if "--scenario" in how else "Léa") in shown.output
    assert HASH not in shown.output


def test_neither_the_stream_nor_a_page_of_the_journal_has_a_secret() -> None:
    async def scenario() -> None:
        async with launcher() as on:
            seq = on.service.note(*JOINED, source="table").seq
            listener = Listener(on.app, f"after={seq - 1}")
            on.service.note(*JOINED, source="table")
            await on.settle(1)
            await listener.leave()
            page = await on.client.get("/api/v1/journal", params={"type": "table"})
            assert [record["data"] for record in listener.records] == [SHOWN, SHOWN]
            assert [record["data"] for record in page.json()["records"]] == [SHOWN, SHOWN]
            assert HASH not in listener.text + page.text

    in_virtual_time(scenario)
