"""What goes wrong around a table: the disk, the clock, a kill, bots that nobody looks after. Nothing is lost."""

from __future__ import annotations

import asyncio
import gc
import os
from pathlib import Path

import pytest

from dispenser import Service, simulated_launcher
from dispenser.journal import Journal
from dispenser.odds.audit import audit
from dispenser.service.evening import Evening
from dispenser.service.evenings import Evenings
from dispenser.simulator import ToyParameters
from dispenser.table import messages as t
from tests.service.test_evening import (
    TELL,
    as_killed,
    begin,
    drawing_two,
    match_of,
    pushed,
    sit_down,
    table_of,
)
from tests.service.test_service import play, scripted, toy_of
from tests.table.evening import told

HOUR_S = 3600.0
DAY_S = 86_400.0
GROWN_OBJECTS = 200
"""What Python itself may come by in an hour."""


# --- bots that nobody looks after -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lid_open", [False, True], ids=["at the end of a round", "with the lid up"])
def test_bots_alone_cost_nothing_however_long(lid_open: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # the evening's secret: with another one the round may be over before the lid is opened
    monkeypatch.setattr(os, "urandom", lambda size: b"\1" * size)

    async def evening() -> None:
        async with simulated_launcher(seed="bots", parameters=ToyParameters.flawless()) as service:
            service.present.connect()
            await asyncio.sleep(0.5)
            service.tell(t.Open("Léa"), owner=True)
            for _ in range(3):
                service.tell(t.Bot(), person=1)
            service.tell(t.Start("uno-extreme", telling=TELL.CARDS), person=1)
            service.tell(t.Leave(), person=1)
            await asyncio.sleep(20.0)
            if lid_open:
                while table_of(service).pushes:  # noqa: ASYNC110 - virtual time
                    await asyncio.sleep(0.1)
                toy_of(service).open_lid()
            await asyncio.sleep(HOUR_S)
            seq, at, objects = service.journal.last_seq, table_of(service).at, counted()
            await asyncio.sleep(HOUR_S)
            assert (service.journal.last_seq, table_of(service).at) == (seq, at)
            assert counted() <= objects + GROWN_OBJECTS
            if lid_open:
                toy_of(service).close_lid()
                await asyncio.sleep(60.0)
                assert table_of(service).at > at, "they go on by themselves"

    play(evening)


def counted() -> int:
    gc.collect()
    return len(gc.get_objects())


def cards_seen(service: Service) -> int:
    view = toy_of(service).view()
    return view.cards_out + view.card_in_exit


async def in_a_burst(service: Service) -> None:
    """A push, until the first card is seen."""
    toy_of(service).push_button()
    while not cards_seen(service):  # noqa: ASYNC110 - virtual time
        await asyncio.sleep(0.01)


async def set_right(service: Service) -> None:
    """The launcher is made ready, what came is counted, and what is still due is paid."""
    toy_of(service).take_card()
    await asyncio.sleep(0.5)
    await service.reset()
    for press in list(table_of(service).asked):
        service.tell(t.TellCount(press, cards_seen(service)), person=2)
    await asyncio.sleep(0.5)
    while match_of(service).game.demand is not None:
        await pushed(service)


# --- killed, and asked again ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", [True, False], ids=["the answer was lost", "the question was lost"])
def test_what_is_asked_again_after_a_kill_is_done_once(tmp_path: Path, written: bool) -> None:
    async def evening() -> None:
        path = tmp_path / "journal.sqlite3"
        red_seven = t.Act(["play", 0, {"act": "lay", "card": "red 7"}])
        async with scripted(journal=path) as service:
            await asyncio.sleep(0.5)
            sit_down(service, "Léa", "Tom")
            begin(service, "uno")
            at = table_of(service).at
            copies = [as_killed(path, tmp_path / "before.sqlite3")]
            service.tell(red_seven, person=1, at=at, request="red seven")
            zoe = service.tell(t.Join("Zoé"), request="Zoé sits down, once")
            copies.append(as_killed(path, tmp_path / "after.sqlite3"))
        async with scripted(journal=copies[written]) as service:
            for _ in range(2):
                service.tell(red_seven, person=1, at=at, request="red seven")
                assert match_of(service).game.state.sizes == [6, 7]
                assert match_of(service).game.turn == 1
                assert service.tell(t.Join("Zoé"), request="Zoé sits down, once").secret == zoe.secret
            assert len(table_of(service).people.order) == 3

    play(evening)


# --- the clock ------------------------------------------------------------------------------------------------------


def test_a_clock_that_is_set_back_and_forward_changes_nothing_at_the_table() -> None:
    async def evening() -> None:
        clock = [1.8e9]
        service = scripted(9, 9)
        service.session_config.open_journal = lambda: Journal.open(":memory:", wall_clock=lambda: clock[0])
        async with service:
            await asyncio.sleep(0.5)
            secrets = sit_down(service, "Léa", "Tom")
            clock[0] -= DAY_S
            drawing_two(service)
            clock[0] += 2 * DAY_S
            await in_a_burst(service)
            clock[0] -= 3 * DAY_S
            await set_right(service)
            assert match_of(service).game.state.sizes[1] == 9
            replayed = Evening(service.journal, 12, service.present).table
            assert told(replayed) == told(table_of(service))
            assert service.evening is not None
            assert [service.evening.person_of(each) for each in secrets] == [1, 2]
            service.tell(t.Close(), person=1)
            clock[0] -= DAY_S
            sit_down(service, "Zoé")
            listed = Evenings().listed(service.journal)
            assert [each.people for each in listed] == [["Zoé"], ["Léa", "Tom"]]
            assert audit(list(service.journal.read())).problems == []

    play(evening)
