"""The evenings that were: looked at, taken along, deleted."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from dispenser.journal import Journal
from dispenser.table import commands as c
from tests.table.played import evening
from tests.web.rig import Launcher, launcher

DAYS = {"first": ("Léa", "Tom"), "second": ("=1+2", "Léa"), "third": ("Ana", "Bob")}


@asynccontextmanager
async def launcher_after_evenings(folder: Path) -> AsyncIterator[Launcher]:
    """A launcher whose journal has three evenings that are over."""
    path = folder / "journal.db"
    with Journal.open(path) as journal:
        for day, names in DAYS.items():
            lines = evening(day, "uno-extreme", steps=60, names=names).lines
            journal.append("table", [(line.type, line.data) for line in lines])
    async with launcher(journal=path) as on:
        yield on


async def ids(on: Launcher, **query: str) -> list[str]:
    return [each["id"] for each in (await on.get("/table/evenings", params=query))["evenings"]]


async def test_they_are_listed_the_newest_first_a_page_at_a_time_and_each_is_told_whole(tmp_path: Path) -> None:
    async with launcher_after_evenings(tmp_path) as on:
        for query, people, more in (
            ({"limit": "2"}, [["Ana", "Bob"], ["=1+2", "Léa"]], True),
            ({"name": "léa"}, [["=1+2", "Léa"], ["Léa", "Tom"]], False),
            ({"skip": "2"}, [["Léa", "Tom"]], False),
        ):
            page = await on.get("/table/evenings", params=query)
            assert ([each["people"] for each in page["evenings"]], page["more"]) == (people, more)
        told = await on.get(f"/table/evenings/{page['evenings'][0]['id']}")
        assert (told["people"], told["bots"]) == (["Léa", "Tom"], ["Robo"])
        assert sum(each["presses"] for each in told["luck"]) > 0
        assert (await on.client.get("/api/v1/table/evenings/none")).json()["error"] == "unknown_evening"
        stories = await on.get("/table/evenings.json")
        assert [each["people"] for each in stories] == [["Ana", "Bob"], ["=1+2", "Léa"], ["Léa", "Tom"]]
        response = await on.client.get("/api/v1/table/evenings.csv")
        assert response.headers["content-disposition"] == 'attachment; filename="evenings.csv"'
        names = {row["name"] for row in csv.DictReader(io.StringIO(response.text))}
        assert names == {"Léa", "Tom", "Ana", "Bob", "Robo", "'=1+2"}, "a spreadsheet gets no formulas"


async def test_a_deleted_one_is_told_nowhere_any_more(tmp_path: Path) -> None:
    async with launcher_after_evenings(tmp_path) as on:
        (id_,) = await ids(on, name="Tom")
        told = await on.post("/table/evenings/delete", evening=id_, id="delete-1")
        assert told.status_code == 200
        assert (told.json()["type"], told.json()["data"]["table"]) == ("service.journal.erased", id_)
        assert (await on.post("/table/evenings/delete", evening=id_)).status_code == 404
        on.service.tell(c.Open("Zoé"), owner=True)
        under_way = (await ids(on))[0]
        assert (await on.get(f"/table/evenings/{under_way}"))["ended"] is None
        refused = await on.post("/table/evenings/delete", evening=under_way)
        assert (refused.status_code, refused.json()["reason"]) == (409, "under_way")
        assert id_ not in await ids(on)
        assert (await on.client.get(f"/api/v1/table/evenings/{id_}")).status_code == 404
        for path in ("/table/evenings.csv", "/journal?limit=500"):
            assert "Tom" not in (await on.client.get(f"/api/v1{path}")).text
