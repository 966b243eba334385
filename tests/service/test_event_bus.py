"""The event bus: every listener gets every record once, in order, and nobody waits for the slowest or for the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.journal import Journal, JournalReader, Record
from dispenser.service.event_bus import EventBus, Subscription
from tests.service.test_service import play


class Bus(EventBus):
    """An event bus with a journal of its own."""

    def __init__(self) -> None:
        self.written = Journal.open(":memory:")
        super().__init__(self.written)

    def write(self, *types: str) -> list[Record]:
        """What happened, in the journal and not yet told."""
        return self.written.append("test", [(type_, {}) for type_ in types])

    def write_and_publish(self, *types: str) -> None:
        for record in self.write(*types):
            self.publish([record])


@pytest.fixture
def bus() -> Iterator[Bus]:
    bus = Bus()
    yield bus
    bus.close()
    bus.written.close()


async def taken(subscription: Subscription) -> list[int]:
    """Numbers of all records that it gives without waiting."""
    numbers: list[int] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            async for record in subscription:
                numbers.append(record.seq)  # noqa: PERF401 - those before the time is up
    return numbers


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4)), max_size=30), st.integers(0, 20))
def test_nothing_is_missed_or_told_twice_however_reading_and_writing_mix(
    steps: list[tuple[int, int, int]], after: int
) -> None:
    """Each step: so many records in one transaction, so many such transactions, so many batches read."""

    async def listen() -> None:
        bus = Bus()
        bus.write_and_publish(*["old"] * after)
        subscription = bus.subscribe(after // 2)
        seen: list[int] = []
        for records, times, reads in steps:
            for _ in range(times):
                bus.write_and_publish(*["new"] * records)
            for _ in range(reads):
                if bus.published > (seen[-1] if seen else after // 2):
                    seen += [record.seq for record in await subscription.batch()]
        seen += await taken(subscription)
        assert seen == list(range(after // 2 + 1, bus.written.last_seq + 1))
        bus.written.close()

    sizes = {"KEPT_RECORDS": 5, "BATCH_RECORDS": 2}
    with mock.patch.multiple("dispenser.service.event_bus", **sizes):
        play(listen)


async def test_one_that_subscribes_while_records_are_being_told_gets_each_once(bus: Bus) -> None:
    """Inside a callback: the transaction is written, and only its first record was told so far."""
    born: list[Subscription] = []
    end = bus.on("a", lambda _: born.extend([bus.subscribe(0), bus.subscribe()]))
    bus.write_and_publish("a", "b", "c")
    end()
    bus.write_and_publish("d")
    assert await taken(born[0]) == [1, 2, 3, 4]
    assert await taken(born[1]) == [4], "from now on: what was in the journal already is not news"


async def test_a_closed_stream_ends_with_what_it_was_told_before_and_nothing_of_another_journal(bus: Bus) -> None:
    async def listen(subscription: Subscription) -> list[int]:
        return [record.seq async for record in subscription]

    mine, theirs = bus.subscribe(), bus.subscribe()
    listening = [asyncio.ensure_future(listen(each)) for each in (mine, theirs)]
    await asyncio.sleep(0)
    bus.write_and_publish("a")
    mine.close()
    bus.write_and_publish("b")
    behind = bus.subscribe(1)
    bus.close()
    assert await asyncio.gather(*listening) == [[1], [1, 2]]
    with Journal.open(":memory:") as another:
        bus.use(another)
        bus.publish(another.append("test", [("a", {})]))
        assert await taken(behind) == []


def test_callbacks_are_called_by_prefix_until_they_are_ended_whatever_another_one_raises(
    bus: Bus, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []
    bus.on("launcher.lid", lambda _: 1 / 0)
    end = bus.on("launcher.press", lambda record: heard.append(record.type))
    bus.on("launcher.lid", lambda _: end())  # one may end another
    bus.write_and_publish("launcher.press.accepted", "launcher.lid.opened", "launcher.press.refused")
    assert heard == ["launcher.press.accepted"]
    assert "a callback for launcher.lid.opened (seq 2) failed" in caplog.text


def test_a_record_that_a_callback_causes_is_heard_after_those_before_it(bus: Bus) -> None:
    bus.on("a", lambda _: bus.write_and_publish("of a callback"))
    heard: list[int] = []
    bus.on("", lambda record: heard.append(record.seq))
    bus.publish(bus.write("a", "b"))
    assert heard == [1, 2, 3]


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
