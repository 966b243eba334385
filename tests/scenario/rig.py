"""Plays launcher scenarios with what only tests do: kill the service, fill its disk, set its clock, break its pins.

Beside what the file expects, ``promises`` are checked in every play.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple

from msgspec import UnsetType

from dispenser.clocks.virtual import VirtualLoop
from dispenser.drivers.base import DriverError
from dispenser.i18n import Text
from dispenser.journal import Journal, JournalError, Record
from dispenser.journal.errors import FULL, READ_ONLY
from dispenser.scenario.launcher import Play, Scenario
from dispenser.scenario.launcher import format as scenario_format
from dispenser.scenario.launcher.assertions import Finding
from dispenser.scenario.launcher.format import Take
from dispenser.scenario.launcher.runner import ScenarioRunner
from dispenser.scenario.launcher.steps import ACTS as SHIPPED_ACTS
from dispenser.scenario.launcher.steps import Act
from dispenser.service.event_bus import EventBus, Subscription
from dispenser.service.requests import NoSessionError, ServiceError
from dispenser.service.service import Service
from dispenser.simulator import Happening, Toy, ToyEvent, ToyFactory, ToyPin
from tests.scenario.promises import PROMISES, Push, Request

CLOCK_BEGINS_S = 1_796_148_000.0
"""What the clock shows when a scenario begins: 2026-12-01 18:00 UTC."""
MOTOR_OFF_AFTER_KILL_S = 0.1
"""How soon after a kill systemd's ``ExecStopPost=`` turns the motor off (assumed)."""
_LOGGERS = ("dispenser", "asyncio")
_NEEDS_FILES = ("kill the service", "stop the service", "start the service", "disk full", "disk read-only")
_Arguments = TypeVarTuple("_Arguments")
_Result = TypeVar("_Result")


# --- pins that can break down ---


def _unless_broken(use: Callable[..., Any]) -> Any:
    @wraps(use)
    def used(pin: BreakablePin, *values: Any) -> Any:
        if pin.factory.broken:
            raise OSError(errno.EIO, "the GPIO chip does not answer")
        return use(pin, *values)

    return used


class BreakablePin(ToyPin):
    """While its factory is ``broken`` every use of it is an error and no edge is heard."""

    _get_state = _unless_broken(ToyPin._get_state)
    _set_state = _unless_broken(ToyPin._set_state)
    _set_function = _unless_broken(ToyPin._set_function)
    _set_pull = _unless_broken(ToyPin._set_pull)
    _set_frequency = _unless_broken(ToyPin._set_frequency)

    def put(self, level: bool) -> bool:
        if self.factory.broken:
            self._outside = level
            return False
        return super().put(level)

    def read_again(self) -> None:
        """As an input: the edges of some time were missed."""
        if self._function == "input" and self._outside is not None:
            self._change_state(self._outside)

    def let_go(self) -> None:
        """As an output: off, as the pull-downs make it."""
        if self._function == "output" and self._state:
            self._change_state(0.0)

    def close(self) -> None:
        """Let go of it, which even a chip that is gone allows: Python closes devices that nobody holds any more."""
        if not self.factory.broken:
            super().close()


class BreakablePinFactory(ToyFactory):
    """A pin factory of :class:`BreakablePin`."""

    broken = False

    def __init__(self) -> None:
        super().__init__()
        self.pin_class = BreakablePin
        self.pins: dict[Any, BreakablePin]

    def break_down(self, *, hold_outputs: bool) -> None:
        """The chip answers no more."""
        self.broken = True
        if not hold_outputs:
            self.let_go()

    def repair(self) -> None:
        """The chip answers again."""
        self.broken = False
        for pin in self.pins.values():
            pin.read_again()

    def let_go(self) -> None:
        """All outputs off."""
        for pin in self.pins.values():
            pin.let_go()

    def forget_devices(self) -> None:
        """The process that had the pins is dead: no edge reaches its devices, and others may have the pins."""
        self._reservations.clear()
        for pin in self.pins.values():
            pin.when_changed = None


# --- processes that can be killed ---


_PROCESS: ContextVar[Process | None] = ContextVar("process", default=None)


class Process:
    """A process on a :class:`ProcessLoop`, and its driver's clock.

    Whatever is set going in it (a task, a timer, what these set going in turn) belongs to it, and no longer runs once
    it is not ``alive``, as after ``kill -9``. An edge reaches a driver from the world; what the driver sets going then
    is the process's.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.alive = True
        self._loop = loop
        self._context = copy_context()
        self.enter(lambda: _PROCESS.set(self))

    def enter(self, callback: Callable[[], _Result]) -> _Result:
        """Call into the process from outside; what this sets going belongs to it."""
        return self._context.run(callback)

    def time(self) -> float:
        return self._loop.time()

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        return self._loop.call_at(when, callback, context=self._context)

    def call_soon_threadsafe(self, callback: Callable[[], None], /) -> asyncio.Handle:
        return self._loop.call_soon(callback, context=self._context)  # one thread only: no need to wake the selector


class ProcessLoop(VirtualLoop):
    """A loop in virtual time that asks, before anything runs, whether its process is still alive."""

    def call_soon(
        self, callback: Callable[[*_Arguments], object], *args: *_Arguments, context: Context | None = None
    ) -> asyncio.Handle:
        return super().call_soon(_in_its_process(callback, context), *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*_Arguments], object],
        *args: *_Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return super().call_at(when, _in_its_process(callback, context), *args, context=context)


def _in_its_process(
    callback: Callable[[*_Arguments], object], context: Context | None
) -> Callable[[*_Arguments], object]:
    process = _PROCESS.get() if context is None else context.get(_PROCESS)
    return callback if process is None else lambda *args: callback(*args) if process.alive else None


# --- the journal ---


class JournalOnDisk(Journal):
    """A journal that meets the troubles of the disk at every transaction, and tells when it is closed."""

    check_disk: Callable[[], None] = staticmethod(lambda: None)
    on_close: Callable[[Journal], object] | None = None

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        self.check_disk()
        with super()._transaction() as db:
            yield db

    def close(self) -> None:
        tell, self.on_close = self.on_close, None
        if tell is not None:
            tell(self)
        super().close()


class ListenerError(Exception):
    """Raised on purpose by the listener that raises."""


class LastingToy(Toy):
    """Stays on the table when the service stops."""

    def close(self) -> None:
        """Nothing."""


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

    :ivar written: what is in the journal, once it is closed; ``misfit`` the first entry that does not fit the chain.
    :ivar heard: the notices that listeners were told.
    """

    loop_factory = ProcessLoop
    pin_factory = BreakablePinFactory
    toy_class = LastingToy
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
                self.listen(after=self.heard[-1].seq if self.heard else 0)
        super().observe()
        view = self.toy.view()
        there = view.cards_in_stack + view.cards_in_path + view.cards_out
        if there != self.cards_put_in:
            self.missing_cards.append((f"{there} of {self.cards_put_in} cards are there", self.loop.time()))

    def values(self) -> dict[str, Any]:
        return super().values() | {"lid_contact": "open" if self.active("lid") else "shut"}

    def hear(self, entry: Record) -> None:
        self.heard.append(entry)
        super().hear(entry)

    def ask(
        self, words: str, request: str | UnsetType, do: Callable[[str | None], Coroutine[Any, Any, Record]]
    ) -> None:
        asked = Request(words.startswith(("press", "eject")), request or None)
        self.requests.append(asked)

        async def do_and_note(id_: str | None) -> Record:
            try:
                asked.outcome = await do(id_)
            except (ServiceError, JournalError, ValueError) as error:
                asked.outcome = str(error)
                raise
            return asked.outcome

        super().ask(words, request, do_and_note)

    def toy_changed(self, event: ToyEvent) -> None:
        super().toy_changed(event)
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
        self.cards_put_in -= self.toy.unload()

    def kill_driver(self, outputs: str) -> None:
        self.pins.break_down(hold_outputs=outputs == "hold")

    def set_clock(self, by: float) -> None:
        self.clock_set_by_s += by

    def set_disk(self, state: str) -> None:
        self.disk = state

    def add_raising_listener(self) -> None:
        def stumble(entry: Record) -> None:
            raise ListenerError(f"raised on purpose at entry {entry.seq}")

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
    return scenario_format.load(path, Rig.acts)


def parse(text: str) -> Scenario:
    """Read a scenario that may do all that the rig can."""
    return scenario_format.parse(text, Rig.acts)


def play(scenario: Scenario) -> list[Play]:
    """Play all takes of a scenario."""
    return [play_take(take) for take in scenario.takes]


def play_take(take: Take, *, keep_journal: Path | None = None) -> Play:
    """Play one take.

    :param keep_journal: leave the journal in this new file.
    """
    return Rig(take, keep_journal).run()
