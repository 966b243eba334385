"""Questions to the journal are answered beside the loop, one at a time."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import Journal, JournalReader, Record
from dispenser.service.event_bus import Reading


def everything(journal: JournalReader) -> list[Record]:
    return list(journal.read())


def test_a_question_to_a_file_is_answered_on_another_thread_while_the_journal_is_written(tmp_path: Path) -> None:
    threads: list[threading.Thread] = []

    def look(journal: JournalReader) -> list[Record]:
        threads.append(threading.current_thread())
        return everything(journal)

    async def story() -> None:
        with Journal.open(tmp_path / "journal.sqlite3") as journal:
            reading = Reading(journal)
            first = journal.append("test", [("a", {})])
            asked = asyncio.create_task(reading.ask(look))
            await asyncio.sleep(0)
            second = journal.append("test", [("b", {})])
            assert await asked in (first, first + second)
            assert await reading.ask(look) == first + second

    asyncio.run(story())
    assert len(threads) == 2
    assert threading.main_thread() not in threads


def test_questions_are_answered_one_at_a_time(tmp_path: Path) -> None:
    under_way: list[int] = []
    most: list[int] = []

    def look(_: JournalReader) -> None:
        under_way.append(1)
        most.append(len(under_way))
        under_way.pop()

    async def story() -> None:
        with Journal.open(tmp_path / "journal.sqlite3") as journal:
            reading = Reading(journal)
            await asyncio.gather(*(reading.ask(look) for _ in range(20)))

    asyncio.run(story())
    assert most == [1] * 20


def test_the_last_entries_can_be_read_when_the_writer_has_gone(tmp_path: Path) -> None:
    async def story() -> None:
        with Journal.open(tmp_path / "journal.sqlite3") as journal:
            reading = Reading(journal)
            written = journal.append("test", [("a", {})])
        assert await reading.ask(everything) == written

    asyncio.run(story())


def test_a_journal_in_memory_is_asked_at_once() -> None:
    async def story() -> None:
        with Journal.open(":memory:") as journal:
            written = journal.append("test", [("a", {})])
            assert await Reading(journal).ask(everything) == written

    loop = VirtualLoop()
    loop.run_until_complete(story())
    loop.close()
