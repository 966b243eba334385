"""A journal that is lost in use or damaged: no press counts without being written down, and it goes on by itself."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from dispenser import Service
from dispenser.journal import DAMAGED, Journal
from dispenser.journal.keeper import put_aside_before
from dispenser.service.answers import JournalUnavailableError, RequestReusedError
from tests.journal import damaged_journals as damage
from tests.journal.test_lock import LOSSES, filled, move, remove
from tests.service.story import Story
from tests.service.test_fails_closed import motor_of
from tests.service.test_service import play, scripted, toy_of


def told(service: Service) -> list[str]:
    return [entry.data["what"] for entry in service.journal.read(types=[DAMAGED])]


@pytest.mark.parametrize("lose", LOSSES, ids=[lose.__name__ for lose in LOSSES])
def test_a_press_after_the_journal_was_lost_moves_nothing(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    async def evening() -> None:
        path = tmp_path / "folder" / "journal.sqlite3"
        async with scripted(5, 3, journal=path) as service:
            await asyncio.sleep(1.5)
            lose(path)
            with pytest.raises(JournalUnavailableError, match="removed, replaced or changed"):
                await service.press()
            assert service.snapshot()["state"] == "fault"
            assert "begins again by itself" in service.snapshot()["detail"]
            assert not toy_of(service).view().light_on
            for _ in range(20):
                assert motor_of(service) == 0
                await asyncio.sleep(0.1)
            assert toy_of(service).view().cards_out == 0

    play(evening)


@pytest.mark.parametrize("lose", LOSSES, ids=[lose.__name__ for lose in LOSSES])
def test_a_journal_that_is_lost_while_nothing_happens_is_noticed_and_another_begun(
    tmp_path: Path, lose: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    async def evening() -> None:
        path = tmp_path / "folder" / "journal.sqlite3"
        async with scripted(3, journal=path) as service:
            await asyncio.sleep(1.5)
            lose(path)
            await asyncio.sleep(1.1)
            assert service.snapshot()["state"] == "fault"
            await asyncio.sleep(1.1)
            assert service.snapshot()["state"] == "ready"
            assert service.snapshot()["cards_inside"] == 112, "what is inside is known, whatever the journal knows"
            assert len(told(service)) == 1
            assert service.journal.still_there() is None
            assert (await service.outcome(await service.press())).data["delivered"] == 3
        with Journal.read_only(path) as reader:
            assert reader.verify_chain() is None
            if reader.answer_to("never") is None and next(reader.read()).type != "a":
                assert Story().read(reader.read()).problems == []

    play(evening)
    assert "removed, replaced or changed while in use" in caplog.text


def test_a_journal_that_comes_back_in_time_is_continued(tmp_path: Path) -> None:
    async def evening() -> None:
        path = tmp_path / "journal.sqlite3"
        async with scripted(3, journal=path) as service:
            await asyncio.sleep(1.5)
            move(path)
            await asyncio.sleep(1.1)
            assert service.snapshot()["state"] == "fault"
            path.with_name("moved").rename(path)
            await asyncio.sleep(1.1)
            assert (await service.reset()).data["state"] == "ready"
            assert told(service) == []
            assert (await service.outcome(await service.press())).data["delivered"] == 3
            assert Story().read(service.journal.read()).problems == []

    play(evening)


def test_a_journal_that_is_lost_in_a_burst_stops_the_motor(tmp_path: Path) -> None:
    async def evening() -> None:
        path = tmp_path / "journal.sqlite3"
        async with scripted(journal=path) as service:
            await asyncio.sleep(1.5)
            await service.press(cards=12)
            await asyncio.sleep(0.2)
            assert motor_of(service) == 1.0
            remove(path)
            await asyncio.sleep(0.3)
            assert motor_of(service) == 0
            out = toy_of(service).view().cards_out
            assert out < 12
            await asyncio.sleep(3.0)
            assert toy_of(service).view().cards_out == out
            assert told(service) == ["gone"]

    play(evening)


def test_another_launchers_journal_in_its_place_is_not_written_to(tmp_path: Path) -> None:
    async def evening() -> None:
        path, other = tmp_path / "journal.sqlite3", tmp_path / "other.sqlite3"
        async with scripted(journal=path) as service, scripted(journal=other) as owner:
            await asyncio.sleep(1.5)
            path.unlink()
            path.symlink_to(other)
            await asyncio.sleep(2.5)
            assert "another launcher" in service.snapshot()["detail"]
            assert owner.snapshot()["state"] == "ready"
            path.unlink()
            await asyncio.sleep(1.5)
            assert service.snapshot()["state"] == "ready"

    play(evening)


# --- an id is remembered for as long as its journal -------------------------------------------------------------------


@pytest.mark.long
def test_an_id_is_answered_alike_after_thousands_of_others_and_over_restarts(tmp_path: Path) -> None:
    async def evening() -> None:
        path = tmp_path / "journal.sqlite3"
        async with scripted(4, journal=path) as service:
            first = await service.press(request="the first")
            for number in range(3000):  # while it is busy, so that each is answered at once
                await service.press(request=f"another {number}")
            assert await service.press(request="the first") == first
            await service.outcome(first)
            assert await service.press(request="the first") == first
            late = await service.press(request="another 2999")
        for _ in range(2):
            async with scripted(4, journal=path) as service:
                assert await service.press(request="the first") == first
                assert await service.press(request="another 2999") == late
                with pytest.raises(RequestReusedError, match="used before"):
                    await service.load(5, request="another 7")
                await asyncio.sleep(3.0)
                assert toy_of(service).view().cards_out == 0

    play(evening)


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(damage.FIRST_SEED, damage.FIRST_SEED + 12))
def test_the_launcher_is_ready_with_a_damaged_journal_and_says_so(tmp_path: Path, seed: int) -> None:
    async def evening() -> None:
        path = damage.write_evening(tmp_path, killed=False)
        where = damage.flip(path, random.Random(seed))
        async with scripted(2, journal=path) as service:
            await asyncio.sleep(0.1)
            assert service.snapshot()["state"] == "ready", where
            assert told(service), f"seed {seed} ({where}) went unsaid"
            assert (await service.outcome(await service.press())).data["delivered"] == 2
            await asyncio.sleep(2.0)
        async with scripted(2, journal=path) as service:
            await asyncio.sleep(0.1)
            assert service.snapshot()["state"] == "ready", where

    play(evening)


def test_damage_that_is_found_after_the_start_is_told_and_what_is_broken_made_anew_while_the_motor_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In real time, for a thread looks."""
    monkeypatch.setattr("dispenser.journal.examined.SMALL_BYTES", 0)
    monkeypatch.setattr("dispenser.journal.examined.NEWEST", 5)
    path = tmp_path / "journal.sqlite3"
    filled(path, 400)
    damage.change(path, "UPDATE entries SET data = '{}' WHERE seq = 100", "DELETE FROM kinds WHERE seq = 200")

    async def evening() -> None:
        async with asyncio.timeout(60), scripted(journal=path) as service:
            while set(told(service)) != {"file", "entries", "index"}:  # noqa: ASYNC110 - a reopening ends subscriptions
                await asyncio.sleep(0.05)
            assert not service.journal.broken
            while service.snapshot()["state"] != "ready":  # noqa: ASYNC110 - it has just begun anew
                await asyncio.sleep(0.05)
            assert list(service.journal.misfits()) == [(100, 100)]

    asyncio.run(evening())


def test_a_journal_that_breaks_in_use_is_put_aside_and_the_evening_goes_on(tmp_path: Path) -> None:
    async def evening() -> None:
        path = tmp_path / "journal.sqlite3"
        async with scripted(3, journal=path) as service:
            await asyncio.sleep(1.5)
            service.journal.ask("PRAGMA writable_schema = ON")
            service.journal.ask("UPDATE sqlite_master SET rootpage = 999 WHERE name = 'entries'")
            service.journal.ask("PRAGMA writable_schema = RESET")
            with pytest.raises(JournalUnavailableError, match="damaged"):
                await service.press()
            await asyncio.sleep(2.5)
            assert service.snapshot()["state"] == "ready"
            assert service.snapshot()["cards_inside"] == 112
            assert told(service) == ["put aside"]
            assert len(put_aside_before(path)) == 1
            assert (await service.outcome(await service.press())).data["delivered"] == 3

    play(evening)
