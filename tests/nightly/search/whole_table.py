"""The same on the real service: journal, session, machine, driver and the simulated launcher, in virtual time.

A power cut copies the journal's files as they are at that moment, forgets everything else and starts on the copy.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from dispenser import Service, simulated_launcher
from dispenser.clocks.virtual import VirtualLoop
from dispenser.launcher import messages as launcher
from dispenser.launcher.commands import Load, Reset
from dispenser.odds.audit import audit
from dispenser.simulator import Simulator, SimulatorFault
from dispenser.table import commands as c
from dispenser.table import events as e
from tests.nightly.search.pure_table import Came, PureTable, state_of
from tests.service.story import Story
from tests.service.test_service import with_settings

FAULTS: Final = {
    "double": SimulatorFault.DOUBLE_FEED,
    "misfeed": SimulatorFault.MISFEED,
    "jam": SimulatorFault.ROLLER_JAM,
}
MOST_IN_STACK: Final = 100


class Here(dict[int, int]):
    """Whose phones listen, as the evening says and nobody else."""

    anybody = True
    idle_s = 0.0

    def active(self) -> None:
        """Somebody always is."""

    def expect(self, persons: Iterable[int]) -> None:
        """Who has spoken is here anyway."""


class WholeTable(PureTable):
    """See the module."""

    bots = False

    def __init__(self, seed: int, folder: Path) -> None:
        self.present = Here()
        self._seed, self._folder, self._starts = seed, folder, 0
        self._settings = with_settings(
            odds={"preset": "wild"}, launcher={"suspense_min_s": 0.05, "suspense_max_s": 0.1}
        )
        self.path = folder / "journal 0.sqlite3"
        self._start(MOST_IN_STACK)

    def _start(self, cards: int) -> None:
        self.loop = VirtualLoop()
        self.loop.run_until_complete(self._begin(cards))
        self.table = self.evening.table

    async def _begin(self, cards: int) -> None:
        self.service: Service = simulated_launcher(
            replace(self._settings), journal=self.path, seed=f"{self._seed}-{self._starts}", cards=cards
        )
        self._starts += 1
        assert self.service.simulator is not None
        self.simulator: Simulator = self.service.simulator
        self.service.start()
        assert self.service.evening is not None
        self.evening = self.service.evening
        self.evening.present = self.present

    def run(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def execute(
        self, command: c.Command, person: int | None = None, *, at: int | None = None, owner: bool = False, **_: Any
    ) -> list[e.Event]:
        async def do() -> None:
            self.service.execute(command, person=person, owner=owner, at=at)

        self._load()  # where a tap says that one draws, the launcher begins at once
        self.loop.run_until_complete(do())
        self.run(0.001)
        assert self.service.works, self.service.why_not
        return []

    # --- the launcher ---

    @property
    def busy(self) -> bool:
        snapshot = self.service.snapshot()
        return snapshot["burst_press"] is not None or snapshot["state"] in {"suspense", "feeding", "retracting"}

    def _load(self) -> None:
        """What lies in the stack is what people have put there."""
        cards = min(MOST_IN_STACK, self.stack())
        if not self.busy:
            self.out = self.simulator.view().cards_out
            if self.simulator.view().cards_in_stack != cards:
                self.simulator.unload()
                self.simulator.load(cards)
                self.loop.run_until_complete(self.service.handle(Load(cards)))

    def push(self, dice: Random, meanwhile: Callable[[], None]) -> Came:
        """A push of the simulated launcher's button, with a fault, a lifted lid or a power cut at times."""
        self._load()
        how = dice.choice(("well",) * 20 + ("double", "misfeed", "jam", "lid", "lid", "killed"))
        if how in FAULTS:
            self.simulator.switch_fault(FAULTS[how])
        if not self.busy:
            pressed = self.service.snapshot()["presses"]
            self.simulator.push_button()
            self.run(0.12)
            assert self.service.snapshot()["presses"] == pressed + 1, "a push was not heard"
        press = self.service.snapshot()["presses"]
        if self.busy and dice.random() < 0.05:
            meanwhile()
        if how in {"lid", "killed"}:
            self.run(dice.uniform(0.0, 0.5))
        if how == "lid":
            self.simulator.open_lid()
            self.run(0.3)
        if how == "killed" and self.busy:
            self.simulator.take_card()
            came = self.simulator.view().cards_out - self.out
            self.dies()
            return Came(press, came, None)
        while self.busy:
            self.run(0.1)
        self.run(0.1)
        self.simulator.take_card()
        came = self.simulator.view().cards_out - self.out
        self._repair()
        (ended,) = (
            record.data
            for record in self.service.journal.read(types=[launcher.BurstEnded.type])
            if record.data["press"] == press
        )
        sure = ended["cause"] in {"dud", "complete"} and not ended["suspected_doubles"]
        return Came(press, came, ended["delivered"] if sure else None)

    def _repair(self) -> None:
        for fault in FAULTS.values():
            self.simulator.switch_fault(fault, on=False)
        if self.service.snapshot()["state"] != "ready" or self.simulator.view().jammed:
            self.simulator.open_lid()
            self.run(0.3)
            self.simulator.clear_jam()
            self.simulator.take_card()
            self.simulator.close_lid()
            self.run(0.3)
            self.loop.run_until_complete(self.service.handle(Reset()))
            self.run(0.1)
        assert self.service.snapshot()["state"] == "ready", self.service.snapshot()

    # --- power cuts and the end ---

    def dies(self) -> None:
        """The power is cut; the next start has the journal as it was, and asks about a burst that was under way."""
        before, old = state_of(self.table), self.path
        under_way = self.table.pushes.keys() - self.table.asked.keys()
        self.path = self._folder / f"journal {self._starts}.sqlite3"
        for end in ("", "-wal"):
            if (file := Path(f"{old}{end}")).exists():
                shutil.copy(file, f"{self.path}{end}")
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.simulator.close()
        self.service.driver.close()
        if self.service.session is not None:
            self.service.session.abandon()
        self.loop.close()
        self._start(MOST_IN_STACK)
        if self.table.paused:
            self.execute(c.Continue(), owner=True)
        after = state_of(self.table)
        if self.table.playing and self.table.playing.tracking_mode is e.TrackingMode.CARDS:
            assert not under_way & self.table.pushes.keys(), f"presses {under_way} are lost"
            return
        assert under_way <= self.table.asked.keys(), f"presses {under_way} are lost, and nobody asks"
        del before["presses"], after["presses"]
        assert after == before, "after a power cut the table is another"

    def close(self) -> None:
        """Stop in order, and read the journal."""
        self.loop.run_until_complete(self.service.safe())
        records, chain = list(self.service.journal.read()), self.service.journal.verify_chain()
        self.loop.run_until_complete(self.service.stop())
        self.loop.close()
        assert not (wrong := Story().read(records).problems), wrong[:3]
        assert not (unfair := audit(records, chain).problems), unfair[:3]
