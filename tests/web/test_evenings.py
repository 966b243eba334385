"""The evenings that were: looked at, taken along, deleted."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.journal import Journal
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.evenings import EveningStory, MatchStory, PlayerRound
from dispenser.web.pages import render, version
from dispenser.web.table.evenings import PAGE, page_facts, score_lines
from tests.table.played import evening
from tests.web.rig import HERE, PHONE, Launcher, launcher
from tests.web.table import LEA, house, kept
from tests.web.test_pages import Outline

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
        on.service.execute(c.Open("Zoé"), owner=True)
        under_way = (await ids(on))[0]
        assert (await on.get(f"/table/evenings/{under_way}"))["ended"] is None
        refused = await on.post("/table/evenings/delete", evening=under_way)
        assert (refused.status_code, refused.json()["reason"]) == (409, "under_way")
        assert id_ not in await ids(on)
        assert (await on.client.get(f"/api/v1/table/evenings/{id_}")).status_code == 404
        for path in ("/table/evenings.csv", "/journal?limit=500"):
            assert "Tom" not in (await on.client.get(f"/api/v1{path}")).text


# --- their page ---


def match(*rounds: dict[str, int | None], game: str = "uno") -> MatchStory:
    players = list(dict.fromkeys(name for each in rounds for name in each))
    told = [[PlayerRound(name, score, score, 0, 0) for name, score in each.items()] for each in rounds]
    return MatchStory(game, e.TrackingMode.COUNTER, "2026-01-31T18:30:00Z", None, players, told, {}, [])


def titles(page: str) -> list[str]:
    return re.findall(r'<p class="note">([^<·]*?)(?: ·[^<]*)?</p>', page)


async def test_each_has_its_people_and_luck_and_is_found_by_a_name_or_a_page_further(tmp_path: Path) -> None:
    async with launcher_after_evenings(tmp_path) as on:
        page = (await on.client.get("/evenings")).text
        assert titles(page) == ["Ana, Bob, Robo", "=1+2, Léa, Robo", "Léa, Tom, Robo"]
        for part in ("Uno Extrême", "Luck at the launcher", "evenings.csv"):
            assert part in page
        assert page.count('class="handle delete"') == 3
        page = (await on.client.get("/evenings", params={"name": " léa "})).text
        assert titles(page) == ["=1+2, Léa, Robo", "Léa, Tom, Robo"]
        assert "evenings.csv?name=l%C3%A9a" in page
        nobody = (await on.client.get("/evenings", params={"name": "<b>Zoé</b>", "lang": ""})).headers["location"]
        assert nobody == "/evenings?name=%3Cb%3EZo%C3%A9%3C%2Fb%3E"
        assert "No evening with &lt;b&gt;Zoé&lt;/b&gt;" in (await on.client.get(nobody)).text
        wrong = await on.client.get("/evenings", params={"skip": "-1"})
        assert (wrong.status_code, wrong.json()["error"]) == (422, "bad_request")
        for number in range(PAGE - 1):
            on.service.execute(c.Open(f"Zoé {number}"), owner=True)
            on.service.execute(c.Close(), person=1)
        page = (await on.client.get("/evenings")).text
        assert len(titles(page)) == PAGE
        assert (older := re.search(r'href="(/evenings\?skip=\d+)"', page))
        assert titles((await on.client.get(older[1])).text) == ["=1+2, Léa, Robo", "Léa, Tom, Robo"]
        on.service.execute(c.Open("Zoé"), owner=True)
        page = (await on.client.get("/evenings", params={"name": "Zoé"})).text
        assert "under way" in page
        assert "data-evening" not in page, "it cannot be deleted"


async def test_the_owner_alone_deletes() -> None:
    async with house() as on:
        for headers, client, deletes in ((kept(on.table, secret=LEA), PHONE, False), (None, HERE, True)):
            page = await on.ask("GET", "/evenings", headers, client=client)
            assert ('id="delete"' in page.text) is deletes


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_sound(language: str) -> None:
    rounds = ({"Léa": 20, "Tom": 0}, {"Léa": 35, "Tom": None}, {"Léa": 40, "Tom": -8})
    story = EveningStory(
        "5f0c", "2026-01-31T18:30:00Z", "2026-01-31T21:30:00Z", ["Léa", "Tom"], [], [match(*rounds, game="151")], []
    )
    page = render("evenings.html", language, **page_facts(language, (story,), "Léa", 5, may_delete=True))
    assert {"en": "Points of each deal", "fr": "Les points de chaque donne"}[language] in page, "151 has no rounds"
    assert "<td>-" not in page, "a true minus"
    begins = (f"/static/{version()}/", "?lang=", "/table", "/evenings", "/api/v1/table/evenings.")
    Outline(page).check(*begins)


def test_a_chart_has_a_line_for_each_who_may_come_late_and_go_early_from_two_rounds_on() -> None:
    rounds = ({"Léa": 10, "Tom": 5}, {"Léa": 30, "Zoé": None}, {"Léa": 40, "Zoé": 8})
    assert [(line["name"], line["points"]) for line in score_lines(match(*rounds))] == [
        ("Léa", [(0, 0), (1, 10), (2, 30), (3, 40)]),
        ("Tom", [(0, 0), (1, 5)]),
        ("Zoé", [(0, 0), (3, 8)]),
    ]
    assert score_lines(match({"Léa": 10, "Tom": 0})) == []
    assert score_lines(match({"Léa": None}, {"Léa": None})) == []
