"""Bots play while somebody is there; nobody there, nothing moves, and an evening that all have left ends."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from dispenser import Service, simulated_launcher
from dispenser.journal import Record
from dispenser.rules.registry import GAMES
from dispenser.service.auto_operator import AutoOperator
from dispenser.service.bots import THINKS_S
from dispenser.service.evening import Evening
from dispenser.service.presence import RECENT_S
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.common import Around
from dispenser.table.errors import TableRefusal
from dispenser.table.views import Viewer, view
from tests.service.test_evening import match_of, sit_down, table_of
from tests.service.test_service import scripted, simulator_of
from tests.table.evening import values_of

HOUR_S = 3600.0


def only_bots(service: Service, game: str = "uno-extreme") -> None:
    """A match of three bots and of one who has left, for whom a bot plays."""
    sit_down(service, "Léa")
    for _ in range(3):
        service.execute(c.Bot(), person=1)
    service.execute(c.Start(game, tracking_mode=e.TrackingMode.CARDS), person=1)
    service.execute(c.Leave(), person=1)


def show_table(service: Service) -> None:
    """A phone or a screen begins to show the table."""
    service.present.connect()
    service.session.bots.look()


def pressed(service: Service) -> int:
    return len(list(service.journal.read(types=["launcher.press.accepted"])))


async def test_bots_play_only_while_a_phone_or_a_screen_shows_the_table() -> None:
    async with scripted(*[0] * 200) as service:
        await asyncio.sleep(0.5)
        only_bots(service)
        await asyncio.sleep(HOUR_S)
        assert pressed(service) == 0
        show_table(service)
        await asyncio.sleep(20.0)
        before = pressed(service)
        assert before
        service.present.disconnect()
        await asyncio.sleep(RECENT_S + 5.0)
        seq = service.journal.last_seq
        await asyncio.sleep(HOUR_S)
        assert service.journal.last_seq == seq
        show_table(service)
        await asyncio.sleep(20.0)
        assert pressed(service) > before


async def test_after_a_restart_bots_wait_until_somebody_goes_on(tmp_path: Path) -> None:
    async with scripted(*[0] * 200, journal=tmp_path / "journal") as service:
        await asyncio.sleep(0.5)
        only_bots(service)
    async with scripted(*[0] * 200, journal=tmp_path / "journal") as service:
        await asyncio.sleep(0.5)
        show_table(service)
        await asyncio.sleep(HOUR_S)
        assert pressed(service) == 0
        shown = view(table_of(service), Viewer(None, owner=True, language="en"), Around(frozenset(), None, None))
        assert shown["sentence"] == "The launcher restarted. Go on?"
        assert [choice["send"] for choice in shown["choices"]] == [{"do": "continue"}]
        service.execute(c.Continue(), owner=True)
        with pytest.raises(TableRefusal, match="goes on already"):
            service.execute(c.Continue(), owner=True)
        await asyncio.sleep(20.0)
        assert pressed(service)


async def test_an_evening_that_everybody_has_left_ends_after_four_hours() -> None:
    async with scripted(*[0] * 20) as service:
        await asyncio.sleep(0.5)
        sit_down(service, "Léa")
        show_table(service)
        await asyncio.sleep(5 * HOUR_S)
        assert table_of(service).is_open, "a screen shows it"
        service.present.disconnect()
        await asyncio.sleep(3 * HOUR_S)
        simulator_of(service).push_button()
        await asyncio.sleep(3 * HOUR_S)
        assert table_of(service).is_open, "somebody has pushed the button"
        await asyncio.sleep(HOUR_S + 2.0)
        assert not table_of(service).is_open


@pytest.mark.parametrize("game", GAMES)
async def test_bots_play_a_round_of_each_game_one_thing_at_a_time_while_a_hand_helps_the_simulated_launcher(
    game: str,
) -> None:
    async with simulated_launcher(seed=f"bots {game}", cards=30) as service:
        AutoOperator(service, 112)
        service.present.connect()
        only_bots(service, game)
        laid_s: list[float] = []

        def laid(record: Record) -> None:
            if record.data["action"][0] == "play" and record.data.get("press") is None:
                laid_s.append(asyncio.get_running_loop().time())

        service.on("table.acted", laid)
        match = match_of(service)
        for _ in range(4000):
            await asyncio.sleep(5.0)
            for press, asked in list(table_of(service).asked.items()):
                service.execute(c.SetCount(press, asked.likely), owner=True)
            if match.rounds_played or match.over:
                break
        assert match.rounds_played, (match.game.phase, match.game.log[-3:], service.snapshot())
        thought_s = [then - before for before, then in pairwise(laid_s)]
        assert min(thought_s) > THINKS_S - 0.01, "people must see what the one before did"
        refused = service.journal.read(types=["launcher.press.refused"])
        assert not [record for record in refused if record.data["reason"] == "busy"], "bots wait for the burst"
        replayed = Evening(service.journal, 12, service.present).table
        assert values_of(replayed) == values_of(table_of(service))


async def test_a_bot_waits_with_its_push_until_the_lid_is_down() -> None:
    async with scripted() as service:
        service.present.connect()
        await asyncio.sleep(0.5)
        only_bots(service)
        simulator_of(service).open_lid()
        await asyncio.sleep(600.0)
        seq = service.journal.last_seq
        await asyncio.sleep(HOUR_S)
        assert service.journal.last_seq == seq
        assert not list(service.journal.read(types=["launcher.press"])), "nobody hears it refused all evening"
        simulator_of(service).close_lid()
        await asyncio.sleep(60.0)
        assert pressed(service)
