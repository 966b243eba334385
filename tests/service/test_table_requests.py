"""Ids of what is said at the table: the same is done once, something else is refused, and everybody has their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from dispenser.service.evening import LEAST_ID, CommandResult
from dispenser.service.requests import RequestReusedError
from dispenser.table import commands as c
from dispenser.table.errors import TableRefusal
from tests.service.test_evening import as_killed, begin, match_of, sit_down, table_of
from tests.service.test_service import scripted

ID = "the id of one request"


async def test_an_id_is_for_one_thing_that_somebody_says() -> None:
    async with scripted() as service:
        sit_down(service, "Léa", "Tom")
        service.execute(c.Guest("Mamie"), person=2, request=ID)
        before, table = service.journal.last_seq, table_of(service)
        assert service.execute(c.Guest("Mamie"), person=2, request=ID).events == []
        for command in (c.Guest("Papi"), c.Bot()):
            with pytest.raises(RequestReusedError, match="take a new one"):
                service.execute(command, person=2, request=ID)
        assert service.journal.last_seq == before
        assert table_of(service) is table, "that costs no reading of the whole evening"

        for person in (1, 2, 1, 2):
            service.execute(c.Bot(), person=person, request="1")
        service.execute(c.Guest("Papi"), owner=True, request="1")
        assert len(table_of(service).people.order) == 6, "ids of two people are two"
        service.execute(c.Leave(), person=2, request="last")
        assert service.execute(c.Leave(), request="last").events == [], "who has left is told the same again"


async def test_who_sits_down_again_with_the_same_id_gets_the_same_secret_unless_somebody_might_guess_the_id() -> None:
    async with scripted() as service:
        sit_down(service, "Léa")
        service.execute(c.Bot(), owner=True, request=ID)
        tom, zoe = (service.execute(c.Join(name), request=ID) for name in ("Tom", "Zoé"))
        assert (tom.seated, zoe.seated) == (3, 4)
        assert service.execute(c.Join("Tom"), request=ID) == CommandResult([], tom.secret, "", 3)
        claimed = service.execute(c.Claim(3), request=ID)
        short = "1" * (LEAST_ID - 1)
        max_ = service.execute(c.Join("Max"), request=short)
        with pytest.raises(TableRefusal, match="There is a Max already"):
            service.execute(c.Join("Max"), request=short)
        assert len({each.secret for each in (tom, zoe, claimed, max_)} - {None}) == 4


async def test_an_id_of_an_evening_that_is_over_is_new_again() -> None:
    async with scripted() as service:
        sit_down(service, "Léa")
        service.execute(c.Bot(), person=1, request=ID)
        service.execute(c.Close(), person=1, request="at the end")
        assert service.execute(c.Close(), owner=True, request="at the end").events == [], "the answer was lost"
        with pytest.raises(TableRefusal, match="Nobody is playing"):
            service.execute(c.Guest("Mamie"), owner=True, request="at the end")
        sit_down(service, "Tom")
        service.execute(c.Bot(), person=1, request=ID)
        assert len(table_of(service).people.order) == 2


@pytest.mark.parametrize("written", [True, False], ids=["the answer was lost", "the question was lost"])
async def test_what_is_asked_again_after_a_kill_is_done_once(tmp_path: Path, written: bool) -> None:
    path = tmp_path / "journal.sqlite3"
    red_seven = c.Act(["play", 0, {"act": "lay", "card": "red 7"}])
    async with scripted(journal=path) as service:
        sit_down(service, "Léa", "Tom")
        begin(service, "uno")
        at = table_of(service).at
        copies = [as_killed(path, tmp_path / "before.sqlite3")]
        service.execute(red_seven, person=1, at=at, request="red seven")
        zoe = service.execute(c.Join("Zoé"), request=ID)
        copies.append(as_killed(path, tmp_path / "after.sqlite3"))
    async with scripted(journal=copies[written]) as service:
        for _ in range(2):
            service.execute(red_seven, person=1, at=at, request="red seven")
            assert (match_of(service).game.state.sizes, match_of(service).game.turn) == ([6, 7], 1)
            assert service.execute(c.Join("Zoé"), request=ID).secret == zoe.secret
        assert len(table_of(service).people.order) == 3
