"""The computer on the stage: it runs the service, and can kill it, lack disk space, or tell a wrong time.

The journal is the real one, on a disk that can fill up or become read-only.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.pins.driver import GpioDriver
from dispenser.journal import Entry, Journal
from dispenser.journal.errors import full, read_only
from dispenser.launcher.chimes import MELODIES
from dispenser.launcher.settings import MachineSettings
from dispenser.luck import fairness
from dispenser.luck.odds import odds_from_settings
from dispenser.scenario.launcher.loop import ContextClock, Process, ProcessClock, StageLoop
from dispenser.scenario.launcher.odds import Planned, PlannedOdds
from dispenser.scenario.launcher.pins import StageFactory
from dispenser.service.answers import JournalUnavailableError
from dispenser.service.service import Service
from dispenser.service.settings import Settings, read_lines
from dispenser.service.start import Beginning
from dispenser.toy import Toy

CLOCK_BEGINS_S = 1_796_148_000.0
"""What the clock shows when a scenario begins: 2026-12-01 18:00 UTC."""
MOTOR_OFF_AFTER_KILL_S = 0.1
"""How soon after a kill systemd's ``ExecStopPost=`` turns the motor off (assumed)."""


@dataclass
class Disk:
    """The disk under the journals of a stage."""

    state: Literal["works", "full", "read-only"] = "works"

    def check(self, name: str) -> None:
        """:raises JournalError: nothing can be written, and why."""
        if self.state == "full":
            raise full(name)
        if self.state == "read-only":
            raise read_only(name)


class StageJournal(Journal):
    """A journal that meets the troubles of its disk at every transaction, and shows what is in it when it is closed."""

    disk: Disk | None = None
    on_close: Callable[[list[Entry], int | None], None] | None = None

    @classmethod
    def open_on(
        cls,
        disk: Disk,
        path: Path | str,
        wall_clock: Callable[[], float],
        on_close: Callable[[list[Entry], int | None], None],
    ) -> StageJournal:
        """Open it; ``on_close`` gets all its entries and the first that does not fit the chain (``None``: all fit)."""
        disk.check(str(path))
        journal = cls.open(path, wall_clock=wall_clock)
        journal.disk = disk
        journal.on_close = on_close
        return journal

    def probe(self) -> None:
        self._check_disk()
        super().probe()

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        self._check_disk()
        with super()._transaction() as db:
            yield db

    def _check_disk(self) -> None:
        if self.disk is not None:
            self.disk.check(self._name)

    def close(self) -> None:
        if self.on_close is not None:
            tell, self.on_close = self.on_close, None
            tell(list(self.read()), self.verify_chain())
        super().close()


class Computer:
    """Starts, stops and kills the real service on the stage's pins.

    :param folder: where the journals are; ``None`` keeps the journal in memory, and then no service may be killed.
    :param after_each: called whenever something of the service has run.
    """

    def __init__(
        self,
        settings: Settings,
        planned: tuple[Planned, ...],
        *,
        seed: str,
        toy: Toy,
        cards: int,
        pins: StageFactory,
        loop: StageLoop,
        folder: Path | None,
        after_each: Callable[[], None],
    ) -> None:
        self.disk = Disk()
        self.clock_set_by_s = 0.0
        self.service: Service | None = None
        """The service that can be asked for something now."""
        self.service_is = "stopped"
        self.written: list[Entry] = []
        """What is in the journal, once it is closed."""
        self.misfit: int | None = None
        """The first of them that does not fit the chain."""
        self.machine_settings: MachineSettings = settings.launcher
        self._settings = settings
        self._planned = planned
        self._seed = seed
        self._toy = toy
        self._cards = cards
        self._pins = pins
        self._loop = loop
        self._folder = folder
        self._after_each = after_each
        self._process = Process(after_each)
        self._starts = 0
        self._draws = 0
        self.kills = 0
        self._killed: list[tuple[Process, Service]] = []  # kept: devices that Python collects close their pins

    @property
    def journal_path(self) -> Path | None:
        """The file of the service that runs, or ran last; ``None``: in memory."""
        return None if self._folder is None else self._folder / f"journal-{len(self._killed)}.sqlite3"

    def start(self) -> None:
        """A new process, on the same journal, pins and toy.

        :raises PinsUnavailableError: it ends at once, for it cannot have its pins.
        """
        self._starts += 1
        self._process = Process(self._after_each)
        self.service = service = self._build(self._process)
        self.service_is = "running"
        try:
            self._process.enter(service.start)
        except PinsUnavailableError:
            self.service, self.service_is = None, "stopped"
            raise

    def _build(self, process: Process) -> Service:
        settings = self._settings
        clock = ContextClock(self._loop, process.context)
        reflexes = ProcessClock(self._loop.world, process)
        pins = StageFactory(self._pins)
        driver = GpioDriver(settings.pins, pins, clock, MELODIES, timing=settings.timing, clock=reflexes)
        self.machine_settings = replace(
            settings.launcher,
            can_retract=driver.capabilities.retract,
            has_exit_sensor=driver.capabilities.exit_sensor,
        )
        beginning = Beginning(
            self.machine_settings,
            self._open_journal,
            self._make_odds,
            self._new_seed,
            cards_inside=self._cards if self._starts == 1 else None,
            simulated=True,
        )
        return Service(driver, beginning, self._toy)

    def _open_journal(self) -> StageJournal:
        path = self.journal_path or ":memory:"
        return StageJournal.open_on(self.disk, path, self._wall_clock, partial(self._journal_closed, self.kills))

    def _journal_closed(self, kills: int, entries: list[Entry], misfit: int | None) -> None:
        if kills == self.kills:  # else it is one that a killed service left behind
            self.written, self.misfit = entries, misfit

    def _new_seed(self, last_seq: int) -> bytes:
        return fairness.named_seed(f"{self._seed} {last_seq}" if last_seq else self._seed)

    def _wall_clock(self) -> float:
        return CLOCK_BEGINS_S + self._loop.time() + self.clock_set_by_s

    def _make_odds(self, seed: bytes) -> Any:
        if self._planned:
            return PlannedOdds(self._planned, self._next_draw, self.machine_settings)
        highest = self._settings.launcher.max_burst_cards
        return odds_from_settings(self._settings.odds, seed, read_lines=read_lines, max_cards=highest)

    def _next_draw(self) -> int:
        self._draws += 1
        return self._draws

    async def stop(self) -> None:
        """Orderly, as by SIGTERM (nothing happens when none runs)."""
        service, self.service = self.service, None
        if service is not None:
            task = self._process.enter(lambda: self._loop.create_task(service.stop()))
            if task is not None:
                await task
            self.service_is = "stopped"

    def kill(self) -> None:
        """``kill -9``: none of it runs any more, and its files stay as they are.

        The outputs stay as they are, too, until systemd sees to them.
        """
        service = self.service
        if service is None:
            return
        self._process.alive = False
        self.kills += 1
        self._pins.deafen()
        before = self.journal_path
        self._killed.append((self._process, service))
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
