"""The computer on the stage: it runs the service, and can kill it, lack disk space, or tell a wrong time.

The journal is the real one, on a disk that can fill up or become read-only.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Literal

from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.pins.driver import GpioDriver
from dispenser.journal import Entry, Journal
from dispenser.journal.errors import full, read_only
from dispenser.launcher.chimes import MELODIES
from dispenser.launcher.settings import MachineSettings
from dispenser.scenario.launcher.pins import StageFactory
from dispenser.scenario.launcher.process import Process, StageLoop
from dispenser.scenario.launcher.setup import PlannedOdds, Setup
from dispenser.service.answers import JournalUnavailableError
from dispenser.service.assembly import named_seed, service_on
from dispenser.service.service import Service
from dispenser.toy import Toy

CLOCK_BEGINS_S = 1_796_148_000.0
"""What the clock shows when a scenario begins: 2026-12-01 18:00 UTC."""
MOTOR_OFF_AFTER_KILL_S = 0.1
"""How soon after a kill systemd's ``ExecStopPost=`` turns the motor off (assumed)."""


class Disk:
    """The disk under the journals of a stage."""

    state: Literal["works", "full", "read-only"] = "works"

    def check(self, name: str) -> None:
        """:raises JournalError: nothing can be written, and why."""
        if self.state != "works":
            raise full(name) if self.state == "full" else read_only(name)


class StageJournal(Journal):
    """A journal that meets the troubles of its disk at every transaction, and shows what is in it when it is closed."""

    disk = Disk()
    on_close: Callable[[Journal], object] | None = None

    def probe(self) -> None:
        self.disk.check(self._name)
        super().probe()

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        self.disk.check(self._name)
        with super()._transaction() as db:
            yield db

    def close(self) -> None:
        tell, self.on_close = self.on_close, None
        if tell is not None:
            tell(self)
        super().close()


class Computer:
    """Starts, stops and kills the real service on the stage's pins.

    :param folder: where the journals are; ``None`` keeps the journal in memory, and then no service may be killed.
    :ivar service: the service that can be asked for something now.
    :ivar written: what is in the journal, once it is closed.
    :ivar misfit: the first of them that does not fit the chain.
    """

    def __init__(
        self, setup: Setup, seed: str, toy: Toy, pins: StageFactory, loop: StageLoop, *, folder: Path | None
    ) -> None:
        self.disk = Disk()
        self.clock_set_by_s = 0.0
        self.service: Service | None = None
        self.service_is: Literal["running", "stopped", "killed"] = "stopped"
        self.written: list[Entry] = []
        self.misfit: int | None = None
        self.machine_settings: MachineSettings = setup.launcher
        self.kills = 0
        self._setup = setup
        self._seed = seed
        self._toy = toy
        self._pins = pins
        self._loop = loop
        self._folder = folder
        self._process = Process(loop)
        self._cards: int | None = setup.cards_at_first
        self._draws = count(1)
        self._killed: list[tuple[Process, Service]] = []  # kept: devices that Python collects close their pins

    @property
    def journal_path(self) -> Path | None:
        """The file of the service that runs, or ran last; ``None``: in memory."""
        return None if self._folder is None else self._folder / f"journal-{self.kills}.sqlite3"

    def start(self) -> None:
        """A new process, on the same journal, pins and toy.

        :raises PinsUnavailableError: it ends at once, for it cannot have its pins.
        """
        self._process = process = Process(self._loop)
        settings, pins = self._setup.settings, StageFactory(self._pins)
        driver = GpioDriver(settings.pins, pins, process, MELODIES, timing=settings.timing, clock=process)
        cards, self._cards = self._cards, None  # then the journal knows
        new_seed = partial(named_seed, self._seed)
        self.service = service = service_on(
            settings,
            driver,
            self._open_journal,
            new_seed,
            toy=self._toy,
            cards_inside=cards,
            make_odds=self._planned_odds if self._setup.planned else None,
        )
        self.service_is = "running"
        self.machine_settings = service.settings
        try:
            process.enter(service.start)
        except PinsUnavailableError:
            self.service, self.service_is = None, "stopped"
            raise

    def _open_journal(self) -> StageJournal:
        path = self.journal_path or ":memory:"
        self.disk.check(str(path))
        journal = StageJournal.open(path, wall_clock=self._wall_clock)
        journal.disk = self.disk
        journal.on_close = partial(self._journal_closed, self.kills)
        return journal

    def _journal_closed(self, kills: int, journal: Journal) -> None:
        if kills == self.kills:  # else it is one that a killed service left behind
            self.written, self.misfit = list(journal.read()), journal.verify_chain()

    def _wall_clock(self) -> float:
        return CLOCK_BEGINS_S + self._loop.time() + self.clock_set_by_s

    def _planned_odds(self, _: bytes) -> PlannedOdds:
        return PlannedOdds(self._setup.plan, self._draws, self._setup.launcher)

    async def stop(self) -> None:
        """Orderly, as by SIGTERM (nothing happens when none runs)."""
        service, self.service = self.service, None
        if service is not None:
            await self._process.enter(lambda: self._loop.create_task(service.stop()))
            self.service_is = "stopped"

    def kill(self) -> None:
        """``kill -9``: none of it runs any more, and its files stay as they are.

        The outputs stay as they are, too, until systemd sees to them.
        """
        if self.service is None:
            return
        self._process.alive = False
        self._pins.deafen()
        self._killed.append((self._process, self.service))
        before, self.kills = self.journal_path, self.kills + 1
        for suffix in ("", "-wal"):
            if Path(f"{before}{suffix}").exists():
                shutil.copy(f"{before}{suffix}", f"{self.journal_path}{suffix}")
        self.service, self.service_is = None, "killed"
        self._loop.call_later(MOTOR_OFF_AFTER_KILL_S, self._motor_off_after_kill)

    def _motor_off_after_kill(self) -> None:
        if self.service is None:
            self._pins.let_go()

    def bury(self) -> None:
        """Let what was killed end, now that the play is over: its tasks can be cancelled, its files are closed."""
        for process, service in self._killed:
            process.alive = True
            with suppress(JournalUnavailableError):
                service.journal.close()
        self._killed.clear()
