"""The power is cut at random moments of an evening: nothing that a client has seen is lost, the table is as before."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from dispenser import Service, simulated_launcher
from dispenser.journal import Journal
from dispenser.service.evening import Evening
from dispenser.service.presence import Presence
from dispenser.service.settings import WebSettings
from dispenser.simulator import ToyParameters
from dispenser.table import messages as t
from dispenser.table.errors import TableRefusal
from dispenser.table.table import Table
from dispenser.web.app import create_app
from dispenser.web.security import Policy
from dispenser.web.stream import Streams
from tests.nightly.search.power import Disk, Files
from tests.nightly.seed import SEED
from tests.service.watched import with_settings
from tests.table.sitting import fingerprint
from tests.web.rig import BASE, Listener, in_virtual_time

EVENINGS = 4
PRESSES = 12
CUTS_AT_NEWS = 0.4
"""Of the times that a client is told something, how often the power is cut at once."""
MOST_CARDS = 12
LAUNCHER = {"suspense_min_s": 0.05, "suspense_max_s": 0.1}


@dataclass
class Seen:
    """What clients were told so far.

    :ivar entries: by number, as JSON.
    :ivar seq: the newest entry that somebody knows of.
    :ivar at: the newest state of the table that a phone has shown.
    :ivar cards: the press and its cards that a phone has told of last.
    """

    entries: dict[int, Any] = field(default_factory=dict)
    seq: int = 0
    at: int = 0
    cards: tuple[int, int] = (0, 0)


@dataclass
class Cut:
    """What the disk had, and what clients had seen, when the power was cut."""

    files: Files
    seen: Seen


class Client(Listener):
    """A client of a stream; whenever it has read something, others hear of that."""

    def __init__(self, *arguments: Any, read: Callable[[Client], object], **more: Any) -> None:
        self._read = read
        super().__init__(*arguments, **more)

    async def _send(self, message: Any) -> None:
        await super()._send(message)
        self._read(self)


class PowerCuts:
    """One evening, and all the cuts in it."""

    def __init__(self, seed: str, folder: Path) -> None:
        self.dice, disks = Random(seed), Random(f"{seed}, disk")  # what people do is not the disk's affair
        self.seed = seed
        self.path = folder / "journal.sqlite3"
        self.disk = Disk(self.path, disks)
        self.disk.on_checkpoint = self._cut
        self.seen = Seen()
        self.cuts: list[Cut] = []
        self.last: tuple[Files, Any] | None = None

    def _cut(self, files: Files) -> None:
        self.cuts.append(Cut(files, replace(self.seen, entries=dict(self.seen.entries))))

    def _told(self, seq: int) -> None:
        self.seen.seq = max(self.seen.seq, seq)
        if self.disk.dice.random() < CUTS_AT_NEWS:
            self._cut(self.disk.cut())

    def _read_entries(self, client: Client) -> None:
        for entry in client.entries[len(self.seen.entries) :]:
            assert entry["seq"] == len(self.seen.entries) + 1, "none missed, none twice"
            self.seen.entries[entry["seq"]] = entry
        self._told(len(self.seen.entries))

    def _read_views(self, client: Client) -> None:
        for event in client.events:
            told = json.loads(event["data"])
            if event["event"] == "view":
                self.seen.at = told["at"]
            elif event["event"] == "launcher" and told["press"]:
                self.seen.cards = told["press"], told["delivered"] or 0
        self._told(0)

    async def play(self, *, waiting: bool) -> None:
        """:param waiting: for the disk, before anything is told."""
        settings = with_settings(odds={"preset": "wild"}, launcher=LAUNCHER)
        flawless = ToyParameters.flawless()  # nobody here frees a jam
        async with simulated_launcher(settings, journal=self.path, seed=self.seed, parameters=flawless) as service:
            streams = Streams(8)
            if not waiting:
                service.disk_waiter = lambda: _at_once  # type: ignore[method-assign]
            app = create_app(service, Policy(WebSettings()), streams)
            clients = [
                Client(app, "after=0", read=self._read_entries),
                Client(app, path="/api/v1/table/views", read=self._read_views),
            ]
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url=BASE) as web:
                await self._presses(service, web)
            await asyncio.sleep(10.0)
            assert service.evening is not None
            self.last = self.disk.cut(), fingerprint(service.evening.table)
            for client in clients:
                await client.leave()

    async def _presses(self, service: Service, web: httpx.AsyncClient) -> None:
        toy = service.toy
        assert toy is not None
        service.tell(t.Open("Léa"), owner=True)
        service.tell(t.Join("Tom"))
        service.tell(t.Start("uno-extreme", telling=t.Telling.COUNTER), person=1)
        for number in range(PRESSES):
            if self.dice.random() < 0.5:
                toy.push_button()
            else:
                answer = (await web.post("/api/v1/press", json={"id": f"press-{number}"})).json()
                self._told(answer.get("entry", answer)["seq"])
            await asyncio.sleep(self.dice.uniform(0.05, 4.0))
            self._told((await web.get("/api/v1/snapshot")).json()["seq"])
            toy.take_card()
            if self.dice.random() < 0.2:
                toy.open_lid()
                await asyncio.sleep(0.3)
                toy.close_lid()
            elif self.dice.random() < 0.2:
                with suppress(TableRefusal):  # there may be nothing to take back
                    service.tell(t.Undo(), person=1)


async def _at_once() -> None:
    """Waits for no disk."""


def opened_after(files: Files, folder: Path) -> Journal:
    """The journal that is found when the power comes back."""
    folder.mkdir()
    path = folder / "journal.sqlite3"
    for end, content in files.items():
        Path(f"{path}{end}").write_bytes(content)
    return Journal.open(path)


def table_in(journal: Journal) -> Table:
    return Evening(journal, MOST_CARDS, Presence(lambda: 0.0)).table


def cards_of(entry: Any) -> tuple[int, int]:
    """The press that an entry tells of, and how many of its cards have come."""
    data = entry["data"]
    return data.get("press") or 0, data.get("number") or data.get("delivered") or 0


def what_is_lost(cut: Cut, folder: Path) -> str:
    """What a client has seen and is not there any more; whatever was left is whole."""
    seen = cut.seen
    with opened_after(cut.files, folder) as journal:
        entries = {entry.seq: json.loads(entry.json()) for entry in journal.read()}
        assert journal.verify_chain() is None
        assert {damage.what for damage in journal.damage} <= {"newest entries"}
        lost = [seq for seq, entry in seen.entries.items() if entries.get(seq) != entry]
        if lost or seen.seq > len(entries):
            return f"entries {lost}, and up to {seen.seq}: there are {len(entries)}"
        assert all(damage.first is not None and damage.first > seen.seq for damage in journal.damage)
        if seen.cards > max(map(cards_of, entries.values())):
            return f"a phone has told of press and cards {seen.cards}"
        at = table_in(journal).at
        return f"the table is at {at}, and a phone has shown {seen.at}" if at < seen.at else ""


def evening_with_cuts(seed: str, folder: Path, *, waiting: bool = True) -> PowerCuts:
    print(f"seed {seed!r}")
    evening = PowerCuts(seed, folder)
    with evening.disk.watched():
        in_virtual_time(lambda: evening.play(waiting=waiting))
    assert len(evening.cuts) > 10, "there were many cuts"
    assert len(evening.seen.entries) > 2 * PRESSES, "there was much to see"
    assert evening.seen.at > 3, "at the table, too"
    assert evening.seen.cards > (1, 0), "and in words"
    return evening


@pytest.mark.parametrize("number", range(SEED, SEED + EVENINGS), ids=lambda number: f"seed {number}")
def test_a_power_cut_takes_nothing_that_a_client_has_seen(number: int, tmp_path: Path) -> None:
    evening = evening_with_cuts(f"power cut {number}", tmp_path)
    for place, cut in enumerate(evening.cuts):
        assert what_is_lost(cut, tmp_path / f"cut {place}") == "", f"seed {evening.seed!r}, cut {place}"
    assert evening.last is not None
    files, table = evening.last
    with opened_after(files, tmp_path / "last") as journal:
        assert fingerprint(table_in(journal)) == table, "when all is quiet the table is as before"


def test_without_waiting_for_the_disk_the_same_cuts_take_what_was_seen(tmp_path: Path) -> None:
    """Else the test above would prove nothing."""
    evening = evening_with_cuts("power cut 0", tmp_path, waiting=False)
    assert any(what_is_lost(cut, tmp_path / f"cut {place}") for place, cut in enumerate(evening.cuts))
