"""The computer on the stage: it runs the service, and can kill it, lack disk space, or tell a wrong time.

The journal is the real one, on a disk that can fill up or become read-only.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Literal

from msgspec import UnsetType

from dispenser.drivers.base import DriverError
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.i18n import Text
from dispenser.journal import Journal, JournalError, Record
from dispenser.journal.errors import FULL, READ_ONLY
from dispenser.launcher.messages import Refusal
from dispenser.scenario.launcher.pins import StageFactory
from dispenser.scenario.launcher.process import Process, StageLoop
from dispenser.scenario.launcher.setup import PlannedOdds, Setup
from dispenser.scenario.launcher.timeline import Timeline
from dispenser.service.assembly import named_seed, service_on
from dispenser.service.event_bus import Subscription
from dispenser.service.requests import NoSessionError, ServiceError
from dispenser.service.service import Service
from dispenser.simulator import Toy

CLOCK_BEGINS_S = 1_796_148_000.0
"""What the clock shows when a scenario begins: 2026-12-01 18:00 UTC."""
MOTOR_OFF_AFTER_KILL_S = 0.1
"""How soon after a kill systemd's ``ExecStopPost=`` turns the motor off (assumed)."""

Request = Callable[[Service, str | None], Coroutine[Any, Any, Record]]


class ListenerMistakeError(Exception):
    """Raised on purpose by the scenario's bad listener."""


class Disk:
    """The disk under the journals of a stage."""

    state: Literal["works", "full", "read-only"] = "works"

    def check(self, name: str) -> None:
        """:raises JournalError: nothing can be written, and why."""
        if self.state != "works":
            raise JournalError((FULL if self.state == "full" else READ_ONLY).filled(name=name))


class StageJournal(Journal):
    """A journal that meets the troubles of its disk at every transaction, and shows what is in it when it is closed."""

    disk = Disk()
    on_close: Callable[[Journal], object] | None = None

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


@dataclass(slots=True)
class Ask:
    """One request of a person or a program, and what became of it.

    :param press: it asks for a press.
    :param request: the id that came with it.
    :param outcome: its entry, or the error as text; ``None`` as long as there is no answer.
    """

    press: bool
    request: str | None
    outcome: Record | str | None = None


class Computer:
    """Starts, stops and kills the real service on the stage's pins.

    :param folder: where the journals are; ``None`` keeps the journal in memory, and then no service may be killed.
    :ivar service: the service that can be asked for something now.
    :ivar written: what is in the journal, once it is closed.
    :ivar misfit: the first of them that does not fit the chain.
    """

    def __init__(
        self,
        loop: StageLoop,
        setup: Setup,
        seed: str,
        timeline: Timeline,
        *,
        toy: Toy,
        pins: StageFactory,
        folder: Path | None,
    ) -> None:
        self.disk = Disk()
        self.clock_set_by_s = 0.0
        self.service: Service | None = None
        self.service_is: Literal["running", "stopped", "killed"] = "stopped"
        self.asks: list[Ask] = []
        self.written: list[Record] = []
        self.misfit: int | None = None
        self.machine_settings = setup.launcher
        self.kills = 0
        self._loop = loop
        self._setup = setup
        self._seed = seed
        self._timeline = timeline
        self._toy = toy
        self._pins = pins
        self._folder = folder
        self._process = Process(loop)
        self._cards: int | None = setup.cards_at_first
        self._draws = count(1)
        self._killed: list[tuple[Process, Service]] = []  # kept: devices that Python collects close their pins
        self._sleepers: list[Subscription] = []
        self._tasks: set[asyncio.Task[None]] = set()

    # --- the service comes and goes ---

    def start(self) -> None:
        """A new process, on the same journal, pins and toy; it ends at once when it cannot have its pins.

        :raises ServiceError: one is running.
        """
        if self.service_is == "running":
            raise ServiceError(Text("a service is running already, or has not stopped yet"))
        self._process = process = Process(self._loop)
        settings = self._setup.settings
        driver = GpioDriver(settings.pins, self._pins, process, timing=settings.timing, clock=process)
        cards, self._cards = self._cards, None  # then the journal knows
        service = service_on(
            settings,
            driver,
            self._open_journal,
            partial(named_seed, self._seed),
            toy=self._toy,
            cards_inside=cards,
            make_odds=self._planned_odds if self._setup.planned else None,
        )
        self.machine_settings = service.settings
        try:
            process.enter(service.start)
            self.service, self.service_is = service, "running"
        except DriverError as error:
            self._answer("start", str(error))

    @property
    def journal_path(self) -> Path | None:
        """The file of the service that runs, or ran last; ``None``: in memory."""
        return None if self._folder is None else self._folder / f"journal-{self.kills}.sqlite3"

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

    def stop(self) -> None:
        """Let it end, in order.

        :raises ServiceError: none is running.
        """
        self._running()
        self._spawn(self.stopped())

    async def stopped(self) -> None:
        """Orderly, as by SIGTERM (nothing happens when none runs)."""
        service, self.service = self.service, None
        if service is not None:
            await self._process.enter(lambda: self._loop.create_task(service.stop()))
            self.service_is = "stopped"

    def kill(self) -> None:
        """``kill -9``: none of it runs any more, and its files stay as they are.

        The outputs stay as they are, too, until systemd sees to them.

        :raises ServiceError: none is running.
        """
        self._killed.append((self._process, self._running()))
        self._process.alive = False
        self._pins.forget_devices()
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
            with suppress(NoSessionError):
                service.journal.close()
        self._killed.clear()

    # --- people and programs at the service ---

    def ask(self, words: str, request: str | UnsetType, do: Request, *, press: bool = False) -> None:
        """Ask the service for something and note the answer when it comes."""
        ask = Ask(press, request or None)
        self.asks.append(ask)
        self._spawn(self._ask(ask, words, do))

    async def _ask(self, ask: Ask, words: str, do: Request) -> None:
        try:
            ask.outcome = await do(self._running(), ask.request)
        except (ServiceError, JournalError, ValueError) as error:
            ask.outcome = str(error)
        self._answer(words, ask.outcome if isinstance(ask.outcome, str) else ask.outcome.type)

    def order(self, cards: int | None, why: Refusal | None) -> None:
        """:raises ServiceError: none is running, or it cannot take orders now.
        :raises MessageError: there is no such order.
        """
        self._running().order(cards, why)

    def _answer(self, words: str, answer: str) -> None:
        self._timeline.note(self._loop.time(), "answer", f"{words}: {answer}", data={"answer": answer})

    def add_raising_listener(self) -> None:
        """:raises ServiceError: nothing to listen to."""

        def stumble(entry: Record) -> None:
            raise ListenerMistakeError(f"raised on purpose at entry {entry.seq}")

        self._running().on("", stumble)

    def add_sleeping_listener(self) -> None:
        """:raises ServiceError: nothing to listen to."""
        self._sleepers.append(self._running().event_bus.subscribe())

    def _running(self) -> Service:
        if self.service is None:
            raise ServiceError(Text("no service is running"))
        return self.service

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
