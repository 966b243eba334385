"""Plays launcher scenarios with what only tests do: kill the service, fill its disk, set its clock, break its pins.

Beside what the file expects, ``promises`` are checked in every play.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from dispenser.config import parse_toml, read_file
from dispenser.drivers.base import DriverError
from dispenser.i18n import Text
from dispenser.journal import Journal, JournalError, Record
from dispenser.journal.errors import FULL, READ_ONLY
from dispenser.launcher.commands import MOVING, Command
from dispenser.scenario.launcher.expectations import Finding
from dispenser.scenario.launcher.format import Scenario, Take
from dispenser.scenario.launcher.format import parse as parse_tables
from dispenser.scenario.launcher.runner import Play, ScenarioRunner
from dispenser.scenario.launcher.steps import ACTS as SHIPPED_ACTS
from dispenser.scenario.launcher.steps import Act
from dispenser.service.event_bus import EventBus, Subscription
from dispenser.service.requests import NoSessionError, ServiceError
from dispenser.service.service import Service
from dispenser.simulator import Happening, SimulatorEvent
from tests.scenario.computer import BreakablePinFactory, JournalOnDisk, LastingSimulator, Process, ProcessLoop
from tests.scenario.promises import PROMISES, Push, Request

CLOCK_BEGINS_S = 1_796_148_000.0
"""What the clock shows when a scenario begins: 2026-12-01 18:00 UTC."""
MOTOR_OFF_AFTER_KILL_S = 0.1
"""How soon after a kill systemd's ``ExecStopPost=`` turns the motor off (assumed)."""
_LOGGERS = ("dispenser", "asyncio")
_NEEDS_FILES = ("kill the service", "stop the service", "start the service", "disk full", "disk read-only")


class ListenerError(Exception):
    """Raised on purpose by the listener that raises."""


class ErrorLog(logging.Handler):
    """Keeps what is logged with a traceback, which is a mistake of the service, and what asyncio logs, one of ours."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[tuple[str, float]] = []
        self._now_s = now_s
        for name in _LOGGERS:
            logging.getLogger(name).addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, ListenerError) or (error is None and record.name != "asyncio"):
            return
        what = record.getMessage()
        words = f"{what.splitlines()[0]} ({type(error).__name__}: {error})" if error else what
        self.errors.append((words, self._now_s()))

    def close(self) -> None:
        for name in _LOGGERS:
            logging.getLogger(name).removeHandler(self)
        super().close()


class Rig(ScenarioRunner):
    """Plays one take.

    :param keep_journal: leave the journal in this new file.
    :ivar written: what is in the journal, once it is closed; ``misfit`` the first record that does not fit the chain.
    :ivar heard: the notices that listeners were told.
    """

    loop_factory = ProcessLoop
    pin_factory = BreakablePinFactory
    simulator_class = LastingSimulator
    pins: BreakablePinFactory

    def __init__(self, take: Take, keep_journal: Path | None = None) -> None:
        super().__init__(take)
        self.disk = "works"
        self.clock_set_by_s = 0.0
        self.kills = 0
        self.machine_settings = take.setup.launcher
        self.cards_put_in = take.setup.cards_at_first
        self.pushes: list[Push] = []
        self.requests: list[Request] = []
        self.heard: list[Record] = []
        self.written: list[Record] = []
        self.misfit: int | None = None
        self.missing_cards: list[tuple[str, float]] = []
        self._keep_journal = keep_journal
        self._folder: Path | None = None
        self._cards: int | None = self.cards_put_in
        self._killed: list[tuple[Process, Service]] = []  # kept: devices that Python collects close their pins
        self._event_bus: EventBus | None = None
        self._sleepers: list[Subscription] = []

    def run(self) -> Play:
        if self._keep_journal is None and not any(step.phrase in _NEEDS_FILES for step in self.take.steps):
            return super().run()
        with tempfile.TemporaryDirectory(prefix="dispenser-scenario-") as folder:
            self._folder = Path(folder)
            play = super().run()
            if self._keep_journal is not None:
                shutil.copy(f"{self._journal_path}", self._keep_journal)
            return play

    def findings(self) -> Iterator[Finding]:
        yield from super().findings()
        for what, wrongs in PROMISES.items():
            yield Finding("promise", what, *next(wrongs(self), ("", 0.0)))

    # --- the service comes and goes ---

    def start_service(self) -> None:
        """A new process, on the same journal and pins; it ends at once when it cannot have its pins."""
        if self.service_is == "running":
            raise ServiceError(Text("a service is running already, or has not stopped yet"))
        self._process = Process(self.loop)
        service = self.new_service(self._process, self._cards)
        self._cards = None  # from now on the journal knows
        self.machine_settings = service.settings
        try:
            self._process.enter(service.start)
            self.service, self.service_is = service, "running"
        except DriverError as error:
            self.note_answer("start", str(error))

    @property
    def _journal_path(self) -> str:
        return ":memory:" if self._folder is None else f"{self._folder}/journal-{self.kills}.sqlite3"

    def open_journal(self) -> Journal:
        self._check_disk()
        journal = JournalOnDisk.open(self._journal_path, wall_clock=self._wall_clock)
        journal.check_disk = self._check_disk
        journal.on_close = partial(self._journal_closed, self.kills)
        return journal

    def _check_disk(self) -> None:
        if self.disk != "works":
            raise JournalError((FULL if self.disk == "full" else READ_ONLY).filled(name=self._journal_path))

    def _journal_closed(self, kills: int, journal: Journal) -> None:
        if kills == self.kills:  # else it is one that a killed service left behind
            self.written, self.misfit = list(journal.read()), journal.verify_chain()

    def _wall_clock(self) -> float:
        return CLOCK_BEGINS_S + self.loop.time() + self.clock_set_by_s

    async def stop_service(self) -> None:
        service, self.service = self.service, None
        if service is not None:
            await self._process.enter(lambda: self.loop.create_task(service.stop()))
            self.service_is = "stopped"

    def begin_to_stop(self) -> None:
        """Let the service end, in order."""
        self.running()
        self._stopping = self.loop.create_task(self.stop_service())

    def kill_service(self) -> None:
        """``kill -9``: none of it runs any more, its files stay as they are; its outputs, too, until systemd acts."""
        self._killed.append((self._process, self.running()))
        self._process.alive = False
        self.pins.forget_devices()
        before, self.kills = self._journal_path, self.kills + 1
        for suffix in ("", "-wal"):
            if Path(before + suffix).exists():
                shutil.copy(before + suffix, self._journal_path + suffix)
        self.service, self.service_is = None, "killed"
        self.loop.call_later(MOTOR_OFF_AFTER_KILL_S, lambda: self.service or self.pins.let_go())

    async def close(self) -> None:
        self.disk = "works"
        try:
            await super().close()
        finally:
            self.error_log.close()
            self.pins.repair()
            for process, service in self._killed:  # its tasks can be cancelled now, its files closed
                process.alive = True
                with suppress(NoSessionError):
                    service.journal.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)

    # --- what the promises look at ---

    def set_up(self) -> None:
        self.error_log = ErrorLog(asyncio.get_running_loop().time)
        super().set_up()

    def observe(self) -> None:
        with suppress(NoSessionError):
            if self.service is not None and self.service.event_bus is not self._event_bus:
                self._event_bus = self.service.event_bus
                self.subscribe(after=self.heard[-1].seq if self.heard else 0)
        super().observe()
        view = self.simulator.view()
        there = view.cards_in_stack + view.cards_in_path + view.cards_out
        if there != self.cards_put_in:
            self.missing_cards.append((f"{there} of {self.cards_put_in} cards are there", self.loop.time()))

    def values(self) -> dict[str, Any]:
        return super().values() | {"lid_contact": "open" if self.active("lid") else "shut"}

    def on_record(self, record: Record) -> None:
        self.heard.append(record)
        super().on_record(record)

    async def handle(self, command: Command, source: str) -> Record:
        asked = Request(isinstance(command, MOVING), command.id)
        self.requests.append(asked)
        try:
            asked.outcome = await super().handle(command, source)
        except (ServiceError, JournalError, ValueError) as error:
            asked.outcome = str(error)
            raise
        return asked.outcome

    def simulator_changed(self, event: SimulatorEvent) -> None:
        super().simulator_changed(event)
        if event.happening is not Happening.BUTTON:
            return
        if event.value:
            self.pushes.append(Push(event.time_s, float("inf"), sure=self._hears_well))
        elif self.pushes:
            self.pushes[-1].up_s = event.time_s
            self.pushes[-1].sure &= self._hears_well

    @property
    def _hears_well(self) -> bool:
        """The service runs, its pins answer, and its journal can be written."""
        return self.service is not None and not self.pins.broken and self.disk == "works"

    # --- acts ---

    def bounce_button(self, ms: float, edges: int, hold: float) -> None:
        up_s = self.loop.time() + 2 * ms / 1000 + hold
        self.pushes.append(Push(self.loop.time(), up_s, sure=self._hears_well))
        SHIPPED_ACTS["bounce button"](self, ms, edges, hold)

    def load(self, act: Act, cards: int, **request: Any) -> None:
        act(self, cards, **request)
        self.cards_put_in += cards

    def unload(self) -> None:
        self.cards_put_in -= self.simulator.unload()

    def kill_driver(self, outputs: str) -> None:
        self.pins.break_down(hold_outputs=outputs == "hold")

    def set_clock(self, by: float) -> None:
        self.clock_set_by_s += by

    def set_disk(self, state: str) -> None:
        self.disk = state

    def add_raising_listener(self) -> None:
        def stumble(record: Record) -> None:
            raise ListenerError(f"raised on purpose at record {record.seq}")

        self.running().on("", stumble)

    def add_sleeping_listener(self) -> None:
        self._sleepers.append(self.running().event_bus.subscribe())

    acts = SHIPPED_ACTS | {
        "bounce button": bounce_button,
        "put cards in": lambda rig, **keys: rig.load(SHIPPED_ACTS["put cards in"], **keys),
        "load": lambda rig, **keys: rig.load(SHIPPED_ACTS["load"], **keys),
        "take all cards out": unload,
        "kill the driver": kill_driver,
        "mend the driver": lambda rig: rig.pins.repair(),
        "kill the service": kill_service,
        "stop the service": lambda rig: rig.begin_to_stop(),
        "start the service": start_service,
        "disk full": partial(set_disk, state="full"),
        "disk read-only": partial(set_disk, state="read-only"),
        "disk works": partial(set_disk, state="works"),
        "set the clock": set_clock,
        "add a listener that raises": add_raising_listener,
        "add a listener that never reads": add_sleeping_listener,
    }


def load(path: Path) -> Scenario:
    """Read a scenario file that may do all that the rig can."""
    return parse_tables(read_file(path), Rig.acts)


def parse(text: str) -> Scenario:
    """Read a scenario that may do all that the rig can."""
    return parse_tables(parse_toml(text), Rig.acts)


def play(scenario: Scenario) -> list[Play]:
    """Play all takes of a scenario."""
    return [Rig(take).run() for take in scenario.takes]
