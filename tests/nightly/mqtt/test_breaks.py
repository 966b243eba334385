"""After whatever breaks, every public record of the journal is at the broker, in order."""

from __future__ import annotations

import asyncio
import json
import time
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Self

import pytest

from dispenser.journal import Journal
from dispenser.launcher.commands import Press
from dispenser.mqtt import publisher
from dispenser.mqtt.outbox import FILE
from dispenser.table import commands as c
from tests.mqtt.conftest import Broker, Link, MakeBroker
from tests.mqtt.test_publisher import PREFIX, published
from tests.nightly.mqtt.paced import LONGEST_S, Subscriber, paced
from tests.nightly.seed import SEED

RUNS = 100
LOST, OLDER = 0.1, 0.2  # How often the position is lost, or an older one is put back, when the launcher starts anew


class Trouble:
    """What goes wrong between a launcher and its broker, as a seed says.

    The launcher never reaches a new broker before the subscriber, whose own losses are not what is proved.
    """

    def __init__(self, dice: Random, broker: Broker) -> None:
        self.dice, self.broker = dice, broker
        self.link = Link(broker)
        self.subscriber = Subscriber(f"{PREFIX}/journal")

    async def __aenter__(self) -> Self:
        await self._subscribe()
        await self.link.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.link.close()
        await asyncio.to_thread(self.subscriber.close)

    async def run(self) -> None:
        for _ in range(self.dice.randint(1, 4)):
            await self.pause()
            kinds = [self.link.cut, self.link.stall, self.broker.kill]
            for happen in self.dice.sample(kinds, self.dice.choice([1, 1, 2])):
                happen()
            await self.pause()
            if not self.broker.runs:
                self.link.cut()
                self.broker.start()
                await self._subscribe()
            self.link.mend()

    async def _subscribe(self) -> None:
        await asyncio.to_thread(self.subscriber.connect, self.broker.port)

    async def pause(self) -> None:
        await asyncio.sleep(self.dice.uniform(0, 4))


class Positions:
    """The file that says how far the broker has the journal: lost, or older, when the launcher starts anew."""

    def __init__(self, file: Path, dice: Random) -> None:
        self._file, self._dice, self._older = file, dice, list[str]()

    def change(self) -> bool:
        """Whether it was lost."""
        if not self._file.exists():
            return False
        self._older.append(self._file.read_text())
        chance = self._dice.random()
        if chance < LOST:
            self._file.unlink()
            self._older.clear()
        elif chance < LOST + OLDER:
            self._file.write_text(self._dice.choice(self._older))
        return chance < LOST


@pytest.fixture(autouse=True)
def _impatient_with_a_wild_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "RETRY_S", (0.5, 2.0))
    monkeypatch.setattr(publisher, "KEEPALIVE_S", 1)
    dice = Random(SEED)
    wild = partial(Journal.open, wall_clock=lambda: time.time() + dice.uniform(-1e6, 1e6))
    monkeypatch.setattr(Journal, "open", wild)


@pytest.mark.parametrize("number", range(RUNS))
@paced
async def test_no_break_loses_a_record_or_changes_the_order(
    number: int, make_broker: MakeBroker, tmp_path: Path
) -> None:
    dice = Random(f"{SEED} {number}")
    async with Trouble(Random(f"{SEED} {number} trouble"), make_broker()) as trouble:
        expected = await live(tmp_path, trouble, dice)
    seen = trouble.subscriber.seen
    got = {each["seq"]: each for each in reversed(seen)}
    assert [got.get(each["seq"]) for each in expected] == expected, f"seed {SEED}"
    assert all(one < two for one, two in pairwise(dict.fromkeys(each["seq"] for each in seen))), f"seed {SEED}"


async def live(folder: Path, trouble: Trouble, dice: Random) -> list[dict[str, Any]]:
    """A launcher that starts anew some times; the messages that must have come."""
    files, first = (folder / "journal.sqlite3", folder / FILE), 0
    going_wrong = asyncio.create_task(trouble.run())
    positions, lives = Positions(files[1], dice), dice.randint(1, 3)
    for life in range(lives):
        was_lost = positions.change()
        async with published(trouble.broker, *files, port=trouble.link.port) as (service, _):
            await asyncio.sleep(0)  # the publisher has begun
            if life == 0 or was_lost:
                first = service.journal.last_seq + 1
            if life == 0:
                service.execute(c.Open("Ana"), owner=True)
            for _ in range(dice.randint(1, 4)):
                await asyncio.sleep(dice.uniform(0, 3))
                await service.handle(Press())
            if life == lives - 1:
                await going_wrong
                newest = (await service.handle(Press())).seq
                async with asyncio.timeout(LONGEST_S):
                    while not any(each["seq"] == newest for each in trouble.subscriber.seen):  # noqa: ASYNC110
                        await asyncio.sleep(0.1)
                journal = service.journal.id
                records = service.journal.read(after=first - 1, before=newest + 1)
                return [{"journal": journal, **json.loads(each.json())} for each in records]
    raise AssertionError
