"""People's requests: one answer each, and the same id always gets the same one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dispenser.journal import Record
from dispenser.launcher import messages as m
from dispenser.service.requests import (
    MAX_WAITING,
    Inbox,
    RequestReusedError,
    Requests,
    ServiceBusyError,
    answer,
)
from tests.service.test_service import in_virtual_time, scripted, toy_of

PRESS, LOADED = "launcher.press.", "launcher.cards.loaded"


def entry(seq: int, request: str | None, type_: str = "launcher.press.accepted") -> Record:
    return Record(seq, "2026-11-20T12:00:00.000000Z", "launcher", type_, {"press": seq, "cards": 1, "request": request})


class Desk:
    """Requests, and what was handed on to the machine."""

    def __init__(self) -> None:
        self.journal: dict[str, Record] = {}
        self.inbox: Inbox = asyncio.Queue()
        self.requests = Requests(self.inbox, self.journal.get)
        self._handed_on: list[asyncio.Future[Record]] = []

    @property
    def handed_on(self) -> list[asyncio.Future[Record]]:
        while not self.inbox.empty():
            _, future = self.inbox.get_nowait()
            self._handed_on += [] if future is None else [future]
        return self._handed_on

    def answer(self, number: int, entries: list[Record]) -> None:
        """The machine's answer to what was handed on as number so and so, written down first."""
        self.journal |= {entry.data["request"]: entry for entry in entries if entry.data["request"] is not None}
        answer(self.handed_on[number], entries, None)

    async def ask(self, request: str | None = None, kind: str = PRESS, cards: int = 1) -> asyncio.Task[Record]:
        """Somebody has asked and waits for the answer."""
        event = m.Press(cards=cards, request=request) if kind == PRESS else m.Load(cards, request)
        asked = asyncio.ensure_future(self.requests.ask(event, kind, cards=cards))
        await asyncio.sleep(0)
        return asked


@in_virtual_time
async def test_the_same_id_is_handed_on_once_and_answered_alike_even_for_who_hung_up_and_asks_again() -> None:
    desk = Desk()
    hasty = await desk.ask("r1")
    hasty.cancel()
    await asyncio.sleep(0)
    asked = [await desk.ask("r1") for _ in range(3)]
    assert len(desk.handed_on) == 1
    desk.answer(0, [entry(1, "r1")])
    assert [answer.seq for answer in await asyncio.gather(*asked)] == [1, 1, 1]
    assert (await (await desk.ask("r1"))).seq == 1
    assert len(desk.handed_on) == 1


@pytest.mark.parametrize(("kind", "cards"), [(LOADED, 1), (PRESS, 2)], ids=["another kind", "another number"])
@in_virtual_time
async def test_an_id_of_another_request_is_refused_before_and_after_its_answer(kind: str, cards: int) -> None:
    desk = Desk()
    asked = await desk.ask("r1")
    other = await desk.ask("r1", kind, cards)
    desk.answer(0, [entry(1, "r1")])
    await asked
    for late in (other, await desk.ask("r1", kind, cards)):
        with pytest.raises(RequestReusedError, match='"r1" was used before'):
            await late
    assert len(desk.handed_on) == 1


@in_virtual_time
async def test_too_many_are_turned_away_but_an_old_answer_is_still_given() -> None:
    desk = Desk()
    desk.journal["old"] = entry(1, "old")
    for _ in range(MAX_WAITING):
        desk.inbox.put_nowait((m.Tick(), None))
    with pytest.raises(ServiceBusyError, match=f"{MAX_WAITING} requests wait already; try again"):
        await (await desk.ask())
    assert (await (await desk.ask("old"))).seq == 1
    assert desk.handed_on == []


@in_virtual_time
async def test_a_request_that_is_repeated_after_a_restart_moves_nothing_again(tmp_path: Path) -> None:
    async with scripted(1, journal=tmp_path / "journal.sqlite3") as service:
        first = await service.press(request="r1")
        await service.outcome(first)
    async with scripted(1, journal=tmp_path / "journal.sqlite3") as service:
        assert await service.press(request="r1") == first
        with pytest.raises(RequestReusedError, match="used before"):
            await service.load(5, request="r1")
        await asyncio.sleep(3.0)
        assert toy_of(service).view().cards_out == 0


@in_virtual_time
async def test_a_push_is_answered_once_whatever_was_ordered_meanwhile() -> None:
    async with scripted(0) as service:
        service.order(4)
        first = await service.press(request="r1")
        assert (first.data["cards"], first.data["draw"], first.data["ordered"]) == (4, None, True)
        assert (await service.outcome(first)).data["delivered"] == 4
        service.order(2)
        await asyncio.sleep(0.1)
        assert await service.press(request="r1") == first, "nothing moves twice"
        with pytest.raises(RequestReusedError, match='"r1" was used before'):
            await service.eject(4, request="r1")
        assert service.snapshot()["order"] == {"cards": 2, "why": None}
