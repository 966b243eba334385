"""The same evenings on the real service: journal, session, machine, driver and the simulated launcher, in virtual time.

A power cut copies the journal's files as they are at that moment, forgets everything else and starts on the copy.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dispenser import Service, simulated_launcher
from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import Record
from dispenser.launcher import messages as launcher
from dispenser.launcher.commands import Load, Reset
from dispenser.odds.audit import audit
from dispenser.service.settings import Settings
from dispenser.simulator import Toy, ToyFault
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.errors import TableRefusal
from dispenser.table.table import Table
from tests.nightly.search.people.evening import People
from tests.nightly.search.people.figures import Figures
from tests.nightly.search.people.sitting import fingerprint
from tests.service.story import Story
from tests.service.test_service import with_settings

FAULTS = {"double": ToyFault.DOUBLE_FEED, "misfeed": ToyFault.MISFEED, "jam": ToyFault.ROLLER_JAM}
MOST_IN_STACK = 100


class Here(set[int]):
    """Whose phones listen, as the evening says and nobody else."""

    anybody = True
    idle_s = 0.0

    def active(self) -> None:
        """Somebody always is."""

    def expect(self, persons: Iterable[int]) -> None:
        """Who has spoken is here anyway."""


class WholeTable:
    """What ``Sitting`` is for a pure table, on the service."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.present: set[int] = set()
        self.stack: Callable[[], int] = lambda: MOST_IN_STACK
        self.refusal: TableRefusal | None = None
        self._seed, self._folder, self._starts = seed, folder, 0
        quick = {"suspense_min_s": 0.05, "suspense_max_s": 0.1}
        self._settings: Settings = with_settings(odds={"preset": "wild"}, launcher=quick)
        self.path = folder / "journal 0.sqlite3"
        self._start(MOST_IN_STACK)

    def _start(self, cards: int) -> None:
        self.loop = VirtualLoop()
        self.loop.run_until_complete(self._begin(cards))

    async def _begin(self, cards: int) -> None:
        self.service: Service = simulated_launcher(
            replace(self._settings), journal=self.path, seed=f"{self._seed}-{self._starts}", cards=cards
        )
        self._starts += 1
        assert self.service.toy is not None
        self.toy: Toy = self.service.toy
        self.service.start()
        self.out = self.toy.view().cards_out

    @property
    def table(self) -> Table:
        return self.service.evening.table

    def run(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    # --- as Sitting does it ---

    def say(
        self, tell: c.Command, person: int | None = None, *, owner: bool = False, at: int | None = None
    ) -> list[e.Event]:
        self.refusal = None
        self.load()
        self.service.evening.present = Here(self.present)
        before = self.table.at
        try:
            self.loop.run_until_complete(self._tell(tell, person, owner, at))
        except TableRefusal as refusal:
            assert self.table.at == before
            self.refusal = refusal
            return []
        self.run(0.001)
        return [news.event for news in self.table.news if news.at > before] or [e.Closed()]

    async def _tell(self, tell: c.Command, person: int | None, owner: bool, at: int | None) -> None:
        self.service.tell(tell, person=person, owner=owner, at=at)

    def said(self, tell: c.Command, person: int | None = None, **more: Any) -> list[e.Event]:
        entries = self.say(tell, person, **more)
        assert self.refusal is None, f"{tell}: {self.refusal}"
        return entries

    def refused(self, tell: c.Command, person: int | None = None, **more: Any) -> str:
        entries = self.say(tell, person, **more)
        assert self.refusal is not None, f"{tell} was not refused: {entries}"
        return self.refusal.word

    def hear(self, _: launcher.Notice) -> list[e.Event]:
        """The service has told the launcher itself, and that the table."""
        self.run(0.01)
        return []

    def check(self) -> None:
        assert self.service.works, self.service.why_not
        table = self.table
        assert not table.pushes.keys() - table.asked.keys() or self.busy, "the table waits for a press that has ended"

    # --- power cuts and the end ---

    def dies(self, seen: int = 0) -> None:  # noqa: ARG002 - the sensor knows it
        """The power is cut; the next start has the journal as it was."""
        before, old = fingerprint(self.table), self.path
        self.path = self._folder / f"journal {self._starts}.sqlite3"
        for end in ("", "-wal"):
            if (file := Path(f"{old}{end}")).exists():
                shutil.copy(file, f"{self.path}{end}")
        inside = self.toy.view().cards_in_stack + self.toy.view().cards_in_path
        self._let_go()
        under_way = {press for press in before["presses"][0] if press not in before["presses"][1]}
        self._start(max(1, min(MOST_IN_STACK, inside)))
        if self.table.paused:
            self.service.tell(c.Continue(), owner=True)
        after = fingerprint(self.table)
        for known in (before, after):  # that it paused and went on is told
            del known["at"], known["news"]
        if not under_way:
            assert after == before, "after a power cut the table is another"
        elif self.table.playing and self.table.playing.telling is e.TrackingMode.CARDS:
            assert not under_way & self.table.pushes.keys(), f"presses {under_way} are lost"
        else:
            assert under_way <= self.table.asked.keys(), f"presses {under_way} are lost, and nobody asks"
            assert after["match"] == before["match"], "after a power cut the match is another"

    def _let_go(self) -> None:
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.toy.close()
        self.service.driver.close()
        if self.service.session is not None:
            self.service.session.abandon()
        self.loop.close()

    def close(self) -> None:
        """Stop in order."""
        self.loop.run_until_complete(self.service.stop())
        self.loop.close()

    # --- the launcher ---

    def load(self) -> None:
        """What lies in the stack is what people have put there."""
        wanted = min(MOST_IN_STACK, self.stack())
        if self.busy:
            return
        self.out = self.toy.view().cards_out
        if self.toy.view().cards_in_stack != wanted:
            self.toy.unload()
            self.toy.load(wanted)
            self.loop.run_until_complete(self.service.handle(Load(wanted)))

    @property
    def busy(self) -> bool:
        snapshot = self.service.snapshot()
        return snapshot["burst_press"] is not None or snapshot["state"] in {"suspense", "feeding", "retracting"}

    @property
    def entries(self) -> list[Record]:
        return list(self.service.journal.read())


class WholeLauncher:
    """The simulated launcher; people's real cards are those of its stack, in their order."""

    killed_after_a_tell = 0.0  # a start takes a second; pushes are cut short often enough
    bots = False

    def __init__(self, evening: People) -> None:
        self._evening = evening
        whole: WholeTable = evening.sitting  # type: ignore[assignment]
        whole.stack = lambda: len(evening.hands.stack)

    def press(self, person: int) -> None:
        evening, dice = self._evening, self._evening.dice
        whole: WholeTable = evening.sitting  # type: ignore[assignment]
        whole.load()
        last = whole.service.snapshot()["presses"]
        how = dice.choice(("well",) * 20 + ("double", "misfeed", "jam", "lid", "lid", "killed"))
        if how in FAULTS:
            whole.toy.switch_fault(FAULTS[how])
        if not whole.busy:
            whole.toy.push_button()
            whole.run(0.12)
        if how == "lid":
            whole.run(dice.uniform(0.0, 0.5))
            whole.toy.open_lid()
            whole.run(0.3)
        elif how == "killed" and whole.busy:
            whole.run(dice.uniform(0.0, 0.6))
        snapshot = whole.service.snapshot()
        press = snapshot["burst_press"] or snapshot["presses"]
        assert press > last or press in evening.sitting.table.pushes or press not in evening.real, (
            "a push was not heard"
        )
        if how == "killed" and whole.busy:
            came = self._came()
            evening.hands.come_out(person, came)
            evening.came(press, came, how)
            whole.dies()
            return
        self._until_idle(whole)
        came = self._came()
        self._repair(whole)
        assert evening.hands.come_out(person, came) == came
        ended = next(
            entry for entry in reversed(whole.entries)
            if entry.type == launcher.BurstEnded.type and entry.data["press"] == press
        )  # fmt: skip
        sure = ended.data["cause"] in {"dud", "complete"} and (evening.virtual or not ended.data["suspected_doubles"])
        evening.came(press, came, how, believed=ended.data["delivered"] if sure else None)

    def _until_idle(self, whole: WholeTable) -> None:
        for _ in range(400):
            whole.run(0.1)
            if not whole.busy:
                break
        whole.run(0.1)

    def _came(self) -> int:
        whole: WholeTable = self._evening.sitting  # type: ignore[assignment]
        whole.toy.take_card()
        return whole.toy.view().cards_out - whole.out

    def _repair(self, whole: WholeTable) -> None:
        for fault in FAULTS.values():
            whole.toy.switch_fault(fault, on=False)
        if whole.service.snapshot()["state"] != "ready" or whole.toy.view().jammed:
            whole.toy.open_lid()
            whole.run(0.3)
            whole.toy.clear_jam()
            whole.toy.take_card()
            whole.toy.close_lid()
            whole.run(0.3)
            whole.loop.run_until_complete(whole.service.handle(Reset()))
            whole.run(0.1)
        assert whole.service.snapshot()["state"] == "ready", whole.service.snapshot()


def evening(seed: int) -> Figures:
    """One evening from its seed.

    :raises AssertionError: something is wrong; it names the seed.
    """
    with TemporaryDirectory() as folder:
        people = People(seed, WholeLauncher, lambda: WholeTable(seed, Path(folder)))
        whole: WholeTable = people.sitting  # type: ignore[assignment]
        label = f"whole evening {seed}, {people.game_id}, {people.telling.value}, {people.options}"
        try:
            figures = people.play()
            entries = whole.entries
            assert not (wrong := Story().read(entries).problems), wrong[:3]
            assert not (unfair := audit(entries, whole.service.journal.verify_chain()).problems), unfair[:3]
        except Exception as error:
            raise AssertionError(f"{label}: {type(error).__name__}: {error}") from error
        finally:
            whole.close()
    return figures
