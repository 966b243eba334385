"""Ids of what is said at the table: the same is done once, something else is refused, and everybody has their own."""

from __future__ import annotations

import pytest

from dispenser.service.requests import RequestReusedError
from dispenser.table import messages as t
from dispenser.table.errors import TableRefusal
from tests.service.test_evening import sit_down, table_of
from tests.service.test_service import play, scripted

ID = "the id of one request"


def test_an_id_is_for_one_thing_that_somebody_says() -> None:
    async def evening() -> None:
        async with scripted() as service:
            sit_down(service, "Léa", "Tom")
            service.tell(t.Guest("Mamie"), person=2, request=ID)
            before = service.journal.last_seq
            assert service.tell(t.Guest("Mamie"), person=2, request=ID).entries == []
            for tell in (t.Guest("Papi"), t.Bot()):
                with pytest.raises(RequestReusedError, match="take a new one"):
                    service.tell(tell, person=2, request=ID)
            assert service.journal.last_seq == before

    play(evening)


def test_ids_of_two_people_are_two() -> None:
    async def evening() -> None:
        async with scripted() as service:
            sit_down(service, "Léa", "Tom")
            for person in (1, 2, 1, 2):
                service.tell(t.Bot(), person=person, request="1")
            service.tell(t.Guest("Mamie"), owner=True, request="1")
            assert len(table_of(service).people.order) == 5

    play(evening)


def test_of_two_who_sit_down_with_one_id_each_has_a_seat() -> None:
    async def evening() -> None:
        async with scripted() as service:
            sit_down(service, "Léa")
            service.tell(t.Bot(), owner=True, request=ID)
            tom, zoe = (service.tell(t.Join(name), request=ID) for name in ("Tom", "Zoé"))
            assert tom.secret not in {None, zoe.secret}
            assert (tom.seated, zoe.seated) == (3, 4)
            assert service.tell(t.Join("Tom"), request=ID).secret == tom.secret
            claimed = service.tell(t.Claim(3), request=ID)
            assert claimed.secret not in {None, tom.secret, zoe.secret}

    play(evening)


def test_an_id_of_an_evening_that_is_over_is_new_again() -> None:
    async def evening() -> None:
        async with scripted() as service:
            sit_down(service, "Léa")
            service.tell(t.Bot(), person=1, request=ID)
            service.tell(t.Close(), person=1, request="at the end")
            assert service.tell(t.Close(), owner=True, request="at the end").entries == [], "the answer was lost"
            with pytest.raises(TableRefusal, match="Nobody is playing"):
                service.tell(t.Guest("Mamie"), owner=True, request="at the end")
            sit_down(service, "Tom")
            service.tell(t.Bot(), person=1, request=ID)
            assert len(table_of(service).people.order) == 2

    play(evening)


def test_who_has_left_is_told_the_same_again() -> None:
    async def evening() -> None:
        async with scripted() as service:
            sit_down(service, "Léa", "Tom")
            service.tell(t.Leave(), person=2, request=ID)
            assert service.tell(t.Leave(), request=ID).entries == []

    play(evening)
