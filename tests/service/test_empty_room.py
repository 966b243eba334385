"""Nobody there, nothing moves: bots need a phone or a screen of the table, and an evening that all have left ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dispenser import Service
from dispenser.service.presence import RECENT_S
from dispenser.table import messages as t
from dispenser.table.common import Around
from dispenser.table.errors import TableRefusal
from dispenser.table.views import Viewer, view
from dispenser.web.table.door import Door
from tests.service.test_evening import sit_down, table_of
from tests.service.test_service import play, scripted, toy_of

HOUR_S = 3600.0


def only_bots(service: Service) -> None:
    """A match of three bots and of one who has left."""
    sit_down(service, "Léa")
    for _ in range(3):
        service.tell(t.Bot(), person=1)
    service.tell(t.Start("uno-extreme", telling=t.Telling.CARDS), person=1)
    service.tell(t.Leave(), person=1)


def pressed(service: Service) -> int:
    return len(list(service.journal.read(types=["launcher.press.accepted"])))


def test_bots_play_only_while_a_phone_or_a_screen_shows_the_table() -> None:
    async def evening() -> None:
        async with scripted(*[0] * 200) as service:
            await asyncio.sleep(0.5)
            only_bots(service)
            await asyncio.sleep(HOUR_S)
            assert pressed(service) == 0
            door = Door(service)
            door.connect()
            await asyncio.sleep(20.0)
            before = pressed(service)
            assert before
            door.disconnect()
            await asyncio.sleep(RECENT_S + 5.0)
            seq = service.journal.last_seq
            await asyncio.sleep(HOUR_S)
            assert service.journal.last_seq == seq
            door.connect()
            await asyncio.sleep(20.0)
            assert pressed(service) > before

    play(evening)


def test_after_a_restart_bots_wait_until_somebody_goes_on(tmp_path: Path) -> None:
    async def evening() -> None:
        async with scripted(*[0] * 200, journal=tmp_path / "journal") as service:
            await asyncio.sleep(0.5)
            only_bots(service)
        async with scripted(*[0] * 200, journal=tmp_path / "journal") as service:
            await asyncio.sleep(0.5)
            Door(service).connect()
            await asyncio.sleep(HOUR_S)
            assert pressed(service) == 0
            shown = view(table_of(service), Viewer(None, owner=True, language="en"), Around(frozenset(), None, None))
            assert shown["sentence"] == "The launcher restarted. Go on?"
            assert [choice["send"] for choice in shown["choices"]] == [{"do": "continue"}]
            service.tell(t.Continue(), owner=True)
            with pytest.raises(TableRefusal, match="goes on already"):
                service.tell(t.Continue(), owner=True)
            await asyncio.sleep(20.0)
            assert pressed(service)

    play(evening)


def test_an_evening_that_everybody_has_left_ends_after_four_hours() -> None:
    async def evening() -> None:
        async with scripted(*[0] * 20) as service:
            await asyncio.sleep(0.5)
            sit_down(service, "Léa")
            door = Door(service)
            door.connect()
            await asyncio.sleep(5 * HOUR_S)
            assert table_of(service).is_open, "a screen shows it"
            door.disconnect()
            await asyncio.sleep(3 * HOUR_S)
            toy_of(service).push_button()
            await asyncio.sleep(3 * HOUR_S)
            assert table_of(service).is_open, "somebody has pushed the button"
            await asyncio.sleep(HOUR_S + 2.0)
            assert not table_of(service).is_open

    play(evening)
