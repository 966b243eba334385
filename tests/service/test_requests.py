"""People's requests: one answer each, and the same id always the same one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from dispenser.clocks.virtual import VirtualLoop
from dispenser.i18n import Text
from dispenser.journal import JournalError, Record
from dispenser.launcher import messages as m
from dispenser.service.requests import (
    MAX_WAITING,
    Inbox,
    NoSessionError,
    RequestReusedError,
    Requests,
    ServiceBusyError,
    ServiceError,
    answer,
)

_T = TypeVar("_T")
PRESS, LOADED = "launcher.press.", "launcher.cards.loaded"


def entry(seq: int, request: str | None, type_: str = "launcher.press.accepted") -> Record:
    return Record(seq, "2026-11-20T12:00:00.000000Z", "launcher", type_, {"press": seq, "request": request})


def run(what: Coroutine[Any, Any, _T]) -> _T:
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(what)
    finally:
        loop.close()


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

    def ask(self, request: str | None = None, kind: str = PRESS) -> asyncio.Task[Record]:
        event = m.Press(request=request) if kind == PRESS else m.Load(1, request)
        return asyncio.ensure_future(self.requests.ask(event, kind))


def test_a_request_is_answered_with_its_entry() -> None:
    async def story() -> None:
        desk = Desk()
        asked = desk.ask()
        await asyncio.sleep(0)
        others = [entry(1, None, "launcher.lid.opened"), entry(2, None), entry(3, None, "launcher.state.changed")]
        desk.answer(0, others)
        assert (await asked).seq == 2

    run(story())


def test_the_same_id_is_handed_on_once_and_answered_alike_now_and_later() -> None:
    async def story() -> None:
        desk = Desk()
        asked = [desk.ask("r1") for _ in range(3)]
        await asyncio.sleep(0)
        assert len(desk.handed_on) == 1
        desk.answer(0, [entry(1, "r1")])
        assert [answer.seq for answer in await asyncio.gather(*asked)] == [1, 1, 1]
        assert (await desk.ask("r1")).seq == 1
        assert len(desk.handed_on) == 1

    run(story())


def test_requests_without_an_id_are_each_handed_on() -> None:
    async def story() -> None:
        desk = Desk()
        asked = [desk.ask() for _ in range(3)]
        await asyncio.sleep(0)
        for number, future in enumerate(desk.handed_on, 1):
            answer(future, [entry(number, None)], None)
        assert [answer.seq for answer in await asyncio.gather(*asked)] == [1, 2, 3]

    run(story())


def test_an_id_is_for_one_kind_of_request() -> None:
    async def story() -> None:
        desk = Desk()
        asked = desk.ask("r1")
        other = desk.ask("r1", LOADED)
        await asyncio.sleep(0)
        desk.answer(0, [entry(1, "r1")])
        await asked
        for late in (other, desk.ask("r1", LOADED)):
            with pytest.raises(RequestReusedError, match='"r1" was used before'):
                await late

    run(story())


def test_too_many_are_turned_away_but_an_old_answer_is_still_given() -> None:
    async def story() -> None:
        desk = Desk()
        desk.journal["old"] = entry(1, "old")
        for _ in range(MAX_WAITING):
            desk.inbox.put_nowait((m.Tick(), None))
        with pytest.raises(ServiceBusyError, match=f"{MAX_WAITING} requests wait"):
            await desk.ask()
        assert (await desk.ask("old")).seq == 1
        assert desk.handed_on == []

    run(story())


def test_what_could_not_be_written_down_is_an_error_and_may_be_asked_again() -> None:
    async def story() -> None:
        desk = Desk()
        asked = desk.ask("r1")
        await asyncio.sleep(0)
        answer(desk.handed_on[0], [], Text("the disk is full"))
        with pytest.raises(NoSessionError, match="the disk is full"):
            await asked
        again = desk.ask("r1")
        await asyncio.sleep(0)
        desk.answer(1, [entry(7, "r1")])
        assert (await again).seq == 7

    run(story())


def test_whoever_hangs_up_does_not_take_the_answer_from_the_others() -> None:
    async def story() -> None:
        desk = Desk()
        hasty, patient = desk.ask("r1"), desk.ask("r1")
        await asyncio.sleep(0)
        hasty.cancel()
        await asyncio.sleep(0)
        desk.answer(0, [entry(1, "r1")])
        assert (await patient).seq == 1
        assert (await desk.ask("r1")).seq == 1
        assert len(desk.handed_on) == 1

    run(story())


def test_whoever_hangs_up_and_asks_again_before_the_answer_is_not_handed_on_twice() -> None:
    async def story() -> None:
        desk = Desk()
        hasty = desk.ask("r1")
        await asyncio.sleep(0)
        hasty.cancel()
        await asyncio.sleep(0)
        again = desk.ask("r1")
        await asyncio.sleep(0)
        assert len(desk.handed_on) == 1, "the same id may not press twice"
        desk.answer(0, [entry(1, "r1")])
        assert (await again).seq == 1

    run(story())


def test_at_the_end_nobody_is_left_waiting() -> None:
    async def story() -> None:
        desk = Desk()
        asked = [desk.ask("r1"), desk.ask("r1"), desk.ask()]
        await asyncio.sleep(0)
        desk.requests.give_up(Text("the service has stopped"))
        for told in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(told, ServiceError)
            assert str(told) == "the service has stopped"

    run(story())


def test_an_id_is_answered_alike_for_as_long_as_the_journal_remembers_it() -> None:
    async def story() -> None:
        desk = Desk()
        desk.journal |= {f"r{number}": entry(number, f"r{number}") for number in range(5000)}
        assert [(await desk.ask(f"r{number}")).seq for number in (0, 1, 4999)] == [0, 1, 4999]
        assert desk.handed_on == []

    run(story())


def test_when_the_journal_cannot_be_asked_nothing_is_handed_on() -> None:
    async def story() -> None:
        def broken(_: str) -> Record:
            raise JournalError("the disk refuses")

        desk = Desk()
        desk.requests = Requests(desk.inbox, broken)
        with pytest.raises(NoSessionError, match="the disk refuses"):
            await desk.ask("r1")
        assert desk.handed_on == []

    run(story())
