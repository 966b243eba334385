"""The event bus: every listener gets every entry once, in order, and nobody waits for the slowest or for the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import Journal, JournalReader, Record
from dispenser.service.event_bus import EventBus, SubscriberTooSlowError, Subscription

_T = TypeVar("_T")


class Rig:
    """A journal, its event bus, and a loop to listen in."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        self.journal = Journal.open(":memory:")
        self.event_bus = EventBus(self.journal)

    def write(self, *types: str) -> list[Record]:
        """What happened, in the journal and not yet told."""
        return self.journal.append("test", [(type_, {}) for type_ in types])

    def tell(self, *types: str) -> list[Record]:
        entries = self.write(*types)
        for entry in entries:
            self.event_bus.publish([entry])
        return entries

    def run(self, what: Coroutine[Any, Any, _T]) -> _T:
        return self.loop.run_until_complete(what)

    def take(self, subscription: Subscription) -> list[int]:
        """Numbers of all entries that it gives without waiting."""

        async def taken() -> list[int]:
            numbers: list[int] = []
            try:
                while True:
                    async with asyncio.timeout(1.0):
                        numbers.append((await anext(subscription)).seq)
            except (TimeoutError, StopAsyncIteration):
                return numbers

        return self.run(taken())

    def close(self) -> None:
        self.event_bus.close()
        self.journal.close()
        self.loop.close()


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.close()


@pytest.mark.parametrize("after", [0, 250, 499, 500, None, 9999])
def test_one_that_comes_back_gets_the_rest_first_and_then_the_news(rig: Rig, after: int | None) -> None:
    for _ in range(100):
        rig.tell("a", "b", "c", "d", "e")
    subscription = rig.event_bus.subscribe(after)
    rig.tell("f")
    assert rig.take(subscription) == list(range(min(500 if after is None else after, 500) + 1, 502))
    rig.tell("g")
    assert rig.take(subscription) == [502]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4)), max_size=30), st.integers(0, 20))
def test_nothing_is_missed_or_told_twice_however_reading_and_writing_mix(
    steps: list[tuple[int, int, int]], after: int
) -> None:
    """Each step: so many entries in one transaction, so many such transactions, so many read."""
    rig = Rig()
    for _ in range(after):
        rig.tell("old")
    subscription = rig.event_bus.subscribe(after // 2)
    seen: list[int] = []

    async def read(count: int) -> None:
        for _ in range(count):
            if rig.journal.last_seq > (seen[-1] if seen else after // 2):
                seen.append((await anext(subscription)).seq)

    for entries, times, reads in steps:
        for _ in range(times):
            rig.tell(*["new"] * entries)
        rig.run(read(reads))
    seen += rig.take(subscription)
    assert seen == list(range(after // 2 + 1, rig.journal.last_seq + 1))
    rig.close()


def test_one_that_subscribes_while_entries_are_being_told_gets_each_once(rig: Rig) -> None:
    """Inside a callback: the transaction is written, and only its first entry was told so far."""
    born: list[Subscription] = []
    end = rig.event_bus.on("a", lambda _: born.extend([rig.event_bus.subscribe(0), rig.event_bus.subscribe()]))
    rig.tell("a", "b", "c")
    end()
    rig.tell("d")
    assert rig.take(born[0]) == [1, 2, 3, 4]
    assert rig.take(born[1]) == [4], "from now on: what was in the journal already is not news"


def test_one_that_falls_behind_is_dropped_and_says_so(rig: Rig) -> None:
    lazy, keen = rig.event_bus.subscribe(max_queue=3), rig.event_bus.subscribe()
    rig.tell("a", "b", "c")
    assert len(rig.event_bus) == 2
    rig.tell("d")
    assert len(rig.event_bus) == 1
    with pytest.raises(SubscriberTooSlowError, match="more than 3 records waited"):
        rig.run(anext(lazy))
    assert rig.take(keen) == rig.take(rig.event_bus.subscribe(0)) == [1, 2, 3, 4]


def test_a_stream_ends_when_it_is_closed_from_either_side(rig: Rig) -> None:
    mine, theirs = rig.event_bus.subscribe(), rig.event_bus.subscribe()

    async def listen(subscription: Subscription) -> list[int]:
        return [entry.seq async for entry in subscription]

    async def both() -> list[list[int]]:
        listening = [asyncio.ensure_future(listen(mine)), asyncio.ensure_future(listen(theirs))]
        await asyncio.sleep(0)
        rig.tell("a")
        mine.close()
        mine.close()
        rig.tell("b")
        rig.event_bus.close()
        return await asyncio.gather(*listening)

    assert rig.run(both()) == [[1], [1, 2]]


def test_callbacks_are_called_in_order_by_prefix_until_they_are_ended(rig: Rig) -> None:
    heard: list[tuple[str, str]] = []
    rig.event_bus.on("", lambda entry: heard.append(("all", entry.type)))
    end = rig.event_bus.on("launcher.press", lambda entry: heard.append(("press", entry.type)))
    rig.event_bus.on("launcher.lid", lambda _: end())  # one may end another, and twice
    rig.tell("launcher.press.accepted", "launcher.lid.opened")
    end()
    rig.tell("launcher.press.refused")
    assert heard == [
        ("all", "launcher.press.accepted"),
        ("press", "launcher.press.accepted"),
        ("all", "launcher.lid.opened"),
        ("all", "launcher.press.refused"),
    ]


def test_an_entry_that_a_callback_causes_is_heard_after_those_before_it(rig: Rig) -> None:
    rig.event_bus.on("a", lambda _: rig.tell("of a callback"))
    heard: list[int] = []
    rig.event_bus.on("", lambda entry: heard.append(entry.seq))
    rig.event_bus.publish(rig.write("a", "b"))
    assert heard == [1, 2, 3]


def test_a_callback_that_raises_is_logged_with_the_entry(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[int] = []
    rig.event_bus.on("", lambda _: 1 / 0)
    rig.event_bus.on("", lambda entry: heard.append(entry.seq))
    rig.tell("a", "b")
    assert heard == [1, 2]
    assert "a callback for a (seq 1) failed" in caplog.text


# --- questions to the journal -------------------------------------------------------------------------------------


def test_questions_are_answered_on_another_thread_while_the_journal_is_written(tmp_path: Path) -> None:
    def look(journal: JournalReader) -> list[Record]:
        assert threading.current_thread() is not threading.main_thread()
        return list(journal.read())

    async def story() -> None:
        with Journal.open(tmp_path / "journal.sqlite3") as journal:
            bus = EventBus(journal)
            written = journal.append("test", [("a", {})])
            asked = [asyncio.create_task(bus.ask_journal(look)) for _ in range(20)]
            await asyncio.sleep(0)
            written += journal.append("test", [("b", {})])
            for answer in await asyncio.gather(*asked):
                assert answer in (written[:1], written)
        assert await bus.ask_journal(look) == written, "when the writer has gone, too"

    asyncio.run(story())
