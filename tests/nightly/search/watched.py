"""The whole simulated launcher in virtual time, with eyes on its pins and hands around it.

A ``WatchedLauncher`` is what ``dispenser demo`` runs, as ``simulated_launcher`` joins it. The *eyes* look at the motor
pins at every change of any pin; the *truth* is what left at each press, whoever counted it; ``finish`` ends the evening
and compares the journal with both. Hands and faults come at their own times, however late the service's loop is.

What is wrong is collected in ``problems`` (an exception in a pin's callback would be swallowed by the code under test)
and raised by ``check`` as an ``AssertionError`` that names the evening.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self
from unittest import mock

from dispenser import simulated_launcher
from dispenser.clocks.virtual import Lateness, VirtualLoop
from dispenser.journal import Journal, JournalError, Record
from dispenser.journal.errors import FULL
from dispenser.launcher.commands import Eject, Load, Press, Reset
from dispenser.launcher.messages import Command, Feed, Refusal, Retract
from dispenser.service.launcher_service import REREAD_S, RETRY_S
from dispenser.service.requests import NoSessionError, ServiceError
from dispenser.service.service import Service
from dispenser.service.settings import Settings
from dispenser.simulator import Simulator, SimulatorFault, SimulatorParameters
from tests.drivers.gpio.mock_pins import TroubleFactory
from tests.nightly.search.accounts import compare_journal, compare_live, compare_presses
from tests.nightly.search.eyes import Eyes
from tests.nightly.search.truth import Truth
from tests.service.story import Story

_SENSOR_FAULTS = {SimulatorFault.EXIT_STUCK_DARK, SimulatorFault.EXIT_STUCK_LIGHT}


class WatchedLauncher:
    """One evening. Every method is something that somebody does; ``run`` lets time pass.

    As a context manager it is finished, and all is compared, at the end of the block.

    :param lateness: how late the loop takes what happened, and how long the disk keeps it at each transaction.
    """

    def __init__(
        self,
        name: str,
        *,
        settings: Settings | None = None,
        cards: int = 112,
        lid_open: bool = False,
        parameters: SimulatorParameters | None = None,
        lateness: Lateness | None = None,
    ) -> None:
        self.name = name
        self.settings = settings or Settings()
        self.loop = VirtualLoop()
        self.records: list[Record] = []
        self.problems: list[str] = []
        self.put_in = cards
        self.asked: list[asyncio.Task[Record]] = []
        self.answers: list[Record] = []
        self.unanswered_by_error = 0
        self.journal = KeptJournal.open(":memory:")
        self._journal_fails = False
        self.has_missed = False
        """The journal has failed: what happened meanwhile is in no record."""
        self.service: Service
        self.factory = TroubleFactory()
        self.simulator: Simulator
        self.loop.run_until_complete(self._begin(cards, lid_open, parameters))
        self._be_late(lateness)

    async def _begin(self, cards: int, lid_open: bool, parameters: SimulatorParameters | None) -> None:
        with mock.patch("dispenser.simulator.SimulatorFactory", return_value=self.factory):
            self.service = simulated_launcher(
                self.settings, seed=self.name, cards=cards, lid_open=lid_open, parameters=parameters
            )
        self.service.open_journal = self._open_journal
        assert self.service.simulator is not None
        self.simulator = self.service.simulator
        self.eyes = Eyes(self.settings.pins, self.factory, self.loop.time)
        self.eyes.lid_up = lid_open
        self.truth = Truth(self.simulator, self._sensor_lies)
        self._watch_commands(self.service.driver)
        self.service.start()
        self.service.on("", self.records.append)
        self.records[:0] = self.journal.read()

    def _open_journal(self) -> Journal:
        if self._journal_fails:
            raise JournalError(FULL.filled(name="journal"))
        return self.journal

    def _watch_commands(self, driver: Any) -> None:
        give, reread = driver.give, driver.reread

        def watched_give(command: Command) -> None:
            if isinstance(command, Feed):
                self.eyes.limit_s = command.timeout_s
                self.truth.run_begins(self.snapshot["burst_press"])
            elif isinstance(command, Retract):
                self.eyes.limit_s = command.duration_s
            give(command)

        def watched_reread() -> None:
            reread()
            self.eyes.has_read()

        driver.give, driver.reread = watched_give, watched_reread

    def _sensor_lies(self) -> bool:
        unheard = self.settings.pins.exit in self.factory.deaf
        return unheard or not {fault.value for fault in _SENSOR_FAULTS}.isdisjoint(self.simulator.view().faults)

    def _be_late(self, lateness: Lateness | None) -> None:
        self.loop.lateness = lateness
        self.journal.stall = None if lateness is None else lambda: self.loop.world.run_for(lateness())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if not self.loop.is_closed():
            self.abandon() if kind else self.finish()

    # --- time ---

    def now(self) -> float:
        return self.loop.time()

    def run(self, seconds: float) -> None:
        """Let time pass and look whether all is well. A late loop takes longer."""
        self.loop.world.call_at(self.now() + seconds, self.loop.stop)
        self.loop.run_forever()
        self.check()

    def do(self, what: Coroutine[Any, Any, object]) -> None:
        with suppress(NoSessionError):
            self.loop.run_until_complete(what)

    @property
    def snapshot(self) -> dict[str, Any]:
        return self.service.snapshot()

    @property
    def state(self) -> str:
        return str(self.snapshot["state"])

    @property
    def busy(self) -> bool:
        moving = {"suspense", "feeding", "retracting"}
        waits = any(not task.done() for task in self.asked)
        return waits or self.snapshot["burst_press"] is not None or self.state in moving

    def until_idle(self, limit_s: float = 40.0) -> None:
        end = self.now() + limit_s
        while self.busy and self.now() < end:
            self.run(0.25)
        assert not self.busy, f"{self.name}: still busy after {limit_s} s: {self.snapshot}"

    def check(self) -> None:
        """All that must hold at any time."""
        self.eyes.look()
        view = self.simulator.view()
        if view.cards_loaded != self.put_in:
            self.problems.append(f"{self.now():.6f}: {self.put_in} cards were put in, {view} knows of others")
        for asked in [task for task in self.asked if task.done()]:
            self.asked.remove(asked)
            if isinstance(asked.exception(), ServiceError):
                self.unanswered_by_error += 1
            else:
                self.answers.append(asked.result())
        problems = self.eyes.problems + self.problems
        if self.service.crashed.done():
            problems.append(f"{self.now():.6f}: the service has crashed: {self.service.crashed.result()!r}")
        assert not problems, f"{self.name}: " + "\n".join(problems)

    # --- hands ---

    def press(self, cards: int | None = None) -> None:
        """Ask the service for a press; do not wait for the answer."""
        command = Press() if cards is None else Eject(cards)
        self.asked.append(self.loop.create_task(self.service.handle(command)))

    def order(self, cards: int | None, why: Refusal | None = None) -> None:
        """Say what the next push brings."""
        with suppress(NoSessionError):
            self.service.order(cards, why)

    def lid(self, up: bool) -> None:
        self.eyes.lid_up = up
        if up:
            self.simulator.open_lid()
        else:
            self.simulator.close_lid()

    def take_card(self) -> None:
        """Pull out the card in the exit, if it has been there long enough for anybody to see it."""
        if self.now() - self.truth.dark_since_s < 2 * self.settings.timing.exit_settle_s:
            return
        self.truth.hand_takes = True
        self.simulator.take_card()
        self.truth.hand_takes = False

    def clear_jam(self) -> None:
        """Put a jammed card back onto the stack, if the lid is up."""
        if self.simulator.view().lid_open:
            self.truth.burst.put_back += self.simulator.clear_jam()

    def load(self, cards: int) -> None:
        """Put cards in and say so."""
        self.simulator.load(cards)
        self.put_in += cards
        self.do(self.service.handle(Load(self.simulator.view().cards_in_stack)))

    def reset(self) -> None:
        """Say that it has been seen to."""
        self.do(self.service.handle(Reset()))

    def fault(self, fault: SimulatorFault, on: bool, cards: int = 1) -> None:
        self.simulator.switch_fault(fault, on, cards=cards)
        if fault in _SENSOR_FAULTS:
            self.truth.doubt_sensor()

    def miss_edges(self, *lines: str) -> None:
        """From now on edges of these lines go unheard; levels can still be read. Without any, all are heard again."""
        pins = self.settings.pins.lines()
        self.factory.deaf = {pins[line] for line in lines if line in pins}
        if "exit" in lines:
            self.truth.doubt_sensor()

    def journal_fails(self, failing: bool) -> None:
        """From now on the journal cannot be written, or can again."""
        self._journal_fails = failing
        self.has_missed |= failing
        self.journal.ask(f"PRAGMA query_only = {'ON' if failing else 'OFF'}")

    # --- the end ---

    def repair(self) -> None:
        """Everything that is wrong with the launcher is put right; the lid is shut."""
        self._be_late(None)
        self.eyes.outage(set())
        self.miss_edges()
        self.journal_fails(failing=False)
        for fault in SimulatorFault:
            self.simulator.switch_fault(fault, on=False)
        self.simulator.release_button()
        self.run(RETRY_S + 2 * REREAD_S)
        self.until_idle()
        self.lid(True)
        self.clear_jam()
        self.take_card()
        self.run(0.5)
        self.lid(False)
        self.run(0.5)
        self.reset()
        self.order(None)
        self.run(0.5)

    def finish(self) -> None:
        """Repair, stop, and compare the journal with what happened."""
        self.repair()
        problems = [*compare_live(self, self.snapshot)]
        self.do(self.service.stop())
        self.run(1.0)
        story = Story(has_exit_sensor=self.settings.pins.exit is not None).read(self.records)
        problems += [*story.problems, *compare_presses(self, story)]
        if self.settings.pins.exit is not None and not self.has_missed:
            problems += self.truth.compare(self.records)
        self.problems += [f"at the end: {problem}" for problem in [*problems, *compare_journal(self, story)]]
        try:
            self.check()
        finally:
            self.journal.really_close()
            self.loop.close()

    def abandon(self) -> None:
        """Let go of an evening that went wrong, without a word."""
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.simulator.close()
        self.service.driver.close()
        self.journal.really_close()
        self.loop.close()


class KeptJournal(Journal):
    """A journal in memory that can still be read when the service has closed it, on a disk that may be slow."""

    stall: Callable[[], None] | None = None

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        if self.stall is not None:
            self.stall()
        with super()._transaction() as db:
            yield db

    def close(self) -> None:
        """The next session goes on with it."""

    def really_close(self) -> None:
        super().close()
