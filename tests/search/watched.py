"""The whole simulated launcher in virtual time, with eyes on its pins and hands around it.

A ``WatchedLauncher`` is what ``dispenser demo`` runs: driver, toy, machine, journal and service as
``simulated_launcher`` joins them. Around it:

* the *eyes* look at the motor pins at every change of any pin, not only between steps: never driven with the lid up,
  never longer than its command allows;
* the *ears* keep every entry that the service told, every answer, every edge of the button's wire;
* ``finish`` ends the evening and compares what the journal says with what really happened.

What is wrong is collected in ``problems`` (an exception in a pin's callback would be swallowed by the code under test)
and raised by ``check`` as an ``AssertionError`` that names the seed.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Self, TypeVar
from unittest import mock

from dispenser import simulated_launcher
from dispenser.audit import audit
from dispenser.clocks.virtual import VirtualLoop
from dispenser.config import Settings
from dispenser.journal import Entry, Journal
from dispenser.launcher.messages import Feed, Retract
from dispenser.recall import recall
from dispenser.requests import JournalUnavailableError, ServiceError
from dispenser.service import REREAD_S, Service
from dispenser.toy import FaultPlan, Happening, Toy, ToyEvent, ToyFault, ToyParameters
from tests.drivers.pins import TroubleFactory
from tests.search.eyes import Eyes
from tests.search.story import Story

_T = TypeVar("_T")


class WatchedLauncher:
    """One evening. Every method is something that somebody does; ``run`` lets time pass.

    As a context manager it is finished, and all is compared, at the end of the block.
    """

    def __init__(
        self,
        name: str,
        *,
        settings: Settings | None = None,
        cards: int = 112,
        lid_open: bool = False,
        parameters: ToyParameters | None = None,
    ) -> None:
        self.name = name
        self.settings = settings or Settings()
        self.loop = VirtualLoop()
        self.entries: list[Entry] = []
        self.problems: list[str] = []
        self.rolled_out = 0
        """Times that the roller pushed a card (or two as one) out of the exit."""
        self.taken_out = 0
        """Times that a hand pulled one out, from outside or under the open lid."""
        self.taken_under_lid = 0
        self.put_back = 0
        """Jammed cards that a hand put back onto the stack."""
        self.put_in = cards
        self.sensor_was_healthy = True
        self._hand_takes = False
        self._card_since_s = -1.0
        self._to_come = 0
        self._plan: list[asyncio.TimerHandle] = []
        self._asked: list[asyncio.Task[Entry]] = []
        self._answers: list[Entry] = []
        self.unanswered_by_error = 0
        self._button_edges: list[tuple[float, bool]] = []
        self._journal: KeptJournal
        self.service: Service
        self.toy: Toy
        self.loop.run_until_complete(self._begin(cards, lid_open, parameters))

    async def _begin(self, cards: int, lid_open: bool, parameters: ToyParameters | None) -> None:
        with (
            mock.patch("dispenser.toy.ToyFactory", TroubleFactory),
            mock.patch("dispenser.assembly.Journal", KeptJournal),
        ):
            self.service = simulated_launcher(
                self.settings, seed=self.name, cards=cards, lid_open=lid_open, parameters=parameters
            )
        assert self.service.toy is not None
        self.toy = self.service.toy
        driver: Any = self.service.driver
        self.factory: TroubleFactory = driver._factory
        self.eyes = Eyes(self.settings.pins, self.factory, self.loop.time)
        self.eyes.lid_up = lid_open
        watch_input, button = self.factory.on_input, self.settings.pins

        def input_changed(gpio: int, level: bool) -> None:
            if gpio == button.button:
                self._button_edges.append((self.loop.time(), level == button.button_active_high))
            watch_input(gpio, level)

        self.factory.on_input = input_changed
        self.toy.add_listener(self._see)
        self._note_limits(driver)
        self.service.start()
        self.service.on("", self.entries.append)
        self._journal = self.service.journal  # type: ignore[assignment]
        self.entries[:0] = self._journal.read()
        self._loop_failed_before = self.loop.get_exception_handler()
        self.loop.set_exception_handler(self._loop_failed)

    def _note_limits(self, driver: Any) -> None:
        feed, retract = driver.feed, driver.retract

        def limited_feed(command: Feed) -> None:
            self.eyes.limit_s = command.timeout_s
            feed(command)

        def limited_retract(command: Retract) -> None:
            self.eyes.limit_s = command.duration_s
            retract(command)

        driver.feed, driver.retract = limited_feed, limited_retract

    def _loop_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.problems.append(f"{loop.time():.6f}: an error nobody caught: {context}")
        if self._loop_failed_before is not None:
            self._loop_failed_before(loop, context)

    def _see(self, event: ToyEvent) -> None:
        if event.happening is Happening.CARD_IN_EXIT and event.value:
            self._card_since_s = event.time_s
        if event.happening is Happening.CARD_LEFT:
            if self._hand_takes:
                self.taken_out += 1
                self.taken_under_lid += self.toy.view().lid_open
            else:
                self.rolled_out += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if self.loop.is_closed():
            return
        if kind is None:
            self.finish()
        else:
            self.abandon()

    # --- time ---

    def now(self) -> float:
        return self.loop.time()

    def run(self, seconds: float) -> None:
        """Let time pass and look whether all is well."""
        self.loop.run_until_complete(asyncio.sleep(seconds))
        self.check()

    def call_after(self, seconds: float, act: Callable[[], object]) -> None:
        """Let somebody do something in the middle of a later ``run``."""

        def do() -> None:
            self._to_come -= 1
            act()

        self._to_come += 1
        self.loop.call_later(seconds, do)

    def do(self, what: Coroutine[Any, Any, _T]) -> _T:
        return self.loop.run_until_complete(what)

    @property
    def snapshot(self) -> dict[str, Any]:
        return self.service.snapshot()

    @property
    def state(self) -> str:
        return str(self.snapshot["state"])

    @property
    def busy(self) -> bool:
        snapshot = self.snapshot
        if any(not task.done() for task in self._asked):
            return True
        return snapshot["burst_press"] is not None or snapshot["state"] in {"suspense", "feeding", "retracting"}

    def until_idle(self, limit_s: float = 40.0) -> None:
        end = self.now() + limit_s
        while self.busy and self.now() < end:
            self.run(0.25)
        assert not self.busy, f"{self.name}: still busy after {limit_s} s: {self.snapshot}"

    def check(self) -> None:
        """All that must hold at any time."""
        self.eyes.look()
        view = self.toy.view()
        if view.cards_loaded != self.put_in:
            self.problems.append(f"{self.now():.6f}: {self.put_in} cards were put in, {view} knows of others")
        for asked in [task for task in self._asked if task.done()]:
            self._asked.remove(asked)
            if isinstance(asked.exception(), ServiceError):
                self.unanswered_by_error += 1
            else:
                self._answers.append(asked.result())
        problems = self.eyes.problems + self.problems
        assert not problems, f"{self.name}: " + "\n".join(problems)

    # --- hands ---

    def press(self, cards: int | None = None, request: str | None = None) -> asyncio.Task[Entry]:
        """Ask the service for a press; do not wait for the answer."""
        task = self.loop.create_task(self.service.press("api", cards, request))
        self._asked.append(task)
        return task

    def push(self, hold_s: float = 0.15) -> None:
        self.toy.push_button(hold_s)

    def lid(self, up: bool) -> None:
        self.eyes.lid_up = up
        if up:
            if self.settings.pins.lid in self.factory.deaf:
                self.eyes.excuse()
            self.toy.open_lid()
        else:
            self.toy.close_lid()

    def take_card(self) -> None:
        """Pull out the card in the exit, if it has been there long enough for anybody to see it."""
        if self.now() - self._card_since_s < 2 * self.settings.timing.exit_settle_s:
            return
        self._hand_takes = True
        try:
            self.toy.take_card()
        finally:
            self._hand_takes = False

    def clear_jam(self) -> None:
        """Put a jammed card back onto the stack, if the lid is up."""
        if self.toy.view().lid_open:
            self.put_back += self.toy.clear_jam()

    def load(self, cards: int) -> None:
        """Put cards in and say so."""
        self.toy.load(cards)
        self.put_in += cards
        self._say(self.service.load(self.toy.view().cards_in_stack))

    def reset(self) -> None:
        """Say that it has been seen to."""
        self._say(self.service.reset())

    def _say(self, what: Coroutine[Any, Any, Entry]) -> None:
        with suppress(JournalUnavailableError):
            self.do(what)

    def fault(self, fault: ToyFault, on: bool, cards: int = 1) -> None:
        if fault in {ToyFault.EXIT_STUCK_DARK, ToyFault.EXIT_STUCK_LIGHT}:
            self.sensor_was_healthy = False
        self.toy.switch_fault(fault, on, cards=cards)

    def follow(self, plan: FaultPlan) -> None:
        """Let the faults of a plan come and go, beginning now, until ``repair``."""
        for change in plan.changes:
            act = partial(self.fault, change.fault, change.on, change.cards)
            self._plan.append(self.loop.call_later(change.at_s, act))

    def outage(self, gpios: set[int]) -> None:
        """From now on these pins fail; an empty set ends that."""
        self.eyes.outage(gpios)

    def miss_edges(self, *lines: str) -> None:
        """From now on edges of these lines go unheard; levels can still be read. Without any, all are heard again."""
        pins = self.settings.pins.lines()
        self.factory.deaf = {pins[line] for line in lines if line in pins}
        if "exit" in lines:
            self.sensor_was_healthy = False

    def journal_fails(self, failing: bool) -> None:
        """From now on the journal cannot be written, or can again."""
        self._journal._db.execute(f"PRAGMA query_only = {'ON' if failing else 'OFF'}")

    # --- the end ---

    def repair(self) -> None:
        """Everything that is wrong with the launcher is put right; the lid is shut."""
        while self._to_come:
            self.run(0.5)
        for change in self._plan:
            change.cancel()
        self.outage(set())
        self.miss_edges()
        self.journal_fails(failing=False)
        for fault in ToyFault:
            self.toy.switch_fault(fault, on=False)
        self.toy.release_button()
        self.run(2 * REREAD_S)
        self.until_idle()
        self.lid(True)
        self.clear_jam()
        self.take_card()
        self.run(0.5)
        self.lid(False)
        self.run(0.5)
        self.reset()
        self.run(0.5)

    def finish(self) -> Story:
        """Repair, stop, and compare the journal with what happened; returns the story it tells."""
        self.repair()
        live = self.snapshot
        self._compare_live(live)
        self.do(self.service.stop())
        self.run(1.0)
        story = Story(has_exit_sensor=self.settings.pins.exit is not None).read(self.entries)
        self.problems += story.problems
        self._compare_presses(story)
        if self.sensor_was_healthy and self.settings.pins.exit is not None:
            self._compare_cards(story)
        self._compare_journal(story)
        try:
            self.check()
        finally:
            self._journal.really_close()
            self.loop.close()
        return story

    def abandon(self) -> None:
        """Let go of an evening that went wrong, without a word."""
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.toy.close()
        self.service.driver.close()
        self._journal.really_close()
        self.loop.close()

    def _wrong(self, what: str) -> None:
        self.problems.append(f"at the end: {what}")

    def _compare_live(self, live: dict[str, Any]) -> None:
        """The journal alone tells what the launcher knows."""
        memory = recall(self._journal)
        for key in ("presses", "dud_streak", "cards_inside"):
            if getattr(memory, key) != live[key]:
                self._wrong(f"{key} is {live[key]} live and {getattr(memory, key)} in the journal")
        if memory.lost is not None or live["burst_press"] is not None:
            self._wrong(f"a burst is open: {memory.lost}, {live}")
        if (live["state"], live["lid_open"], live["exit_blocked"]) != ("ready", False, False):
            self._wrong(f"repaired, but not ready: {live}")
        if self.settings.pins.light is not None and not self.toy.view().light_on:
            self._wrong("ready, but the light is off")

    def _compare_presses(self, story: Story) -> None:
        """Every press was answered exactly once."""
        if self._asked:
            self._wrong(f"{len(self._asked)} presses were never answered")
        numbers = [entry.data["press"] for entry in self._answers]
        if len(set(numbers)) != len(numbers):
            self._wrong("two presses got the same answer")
        told = {entry.seq: entry for entry in self.entries}
        if any(told.get(answer.seq) != answer for answer in self._answers):
            self._wrong("an answer differs from the journal")
        counted = story.by_source.get("api", 0)
        if not len(numbers) <= counted <= len(numbers) + self.unanswered_by_error:
            self._wrong(f"{counted} presses of the API in the journal, {len(numbers)} were answered")
        pushes = presses_in(self._button_edges, self.settings.timing.button_settle_s)
        if story.by_source.get("button", 0) != pushes:
            self._wrong(f"{pushes} pushes of the button, {story.by_source.get('button', 0)} in the journal")
        if story.open_press is not None:
            self._wrong(f"press {story.open_press} has no end")

    def _compare_cards(self, story: Story) -> None:
        """Every card that left was told once: as it left, or as the one sticking out.

        What hands do under the open lid nobody can know: a card that stuck out, and so was delivered, may be put back,
        and one that was stuck may be taken out.
        """
        told, left = story.cards_left + story.sticking_out, self.rolled_out + self.taken_out
        if not left - self.taken_under_lid <= told <= left + self.put_back:
            self._wrong(
                f"{left} cards left ({self.taken_out} by hand, {self.taken_under_lid} of them under the lid, "
                f"{self.put_back} put back), {told} were told"
            )

    def _compare_journal(self, story: Story) -> None:
        written = list(self._journal.read())
        if written != self.entries:
            self._wrong("what was told is not what was written")
        if self._journal.verify_chain() is not None:
            self._wrong(f"the chain breaks at {self._journal.verify_chain()}")
        if [entry.seq for entry in written] != list(range(1, len(written) + 1)):
            self._wrong("the numbers have a gap")
        report = audit(written, self._journal.verify_chain())
        self.problems += [f"audit: {problem}" for problem in report.problems]
        if report.presses != story.accepted or report.unfinished or report.pending:
            self._wrong(f"the audit counts {report}")


class KeptJournal(Journal):
    """A journal in memory that can still be read when the service has closed it."""

    def close(self) -> None:
        self.checkpoint()

    def really_close(self) -> None:
        super().close()


def presses_in(edges: list[tuple[float, bool]], settle_s: float) -> int:
    """How many presses the edges of a button's wire are: the button is down once it stayed down for ``settle_s``,
    and up again once it stayed up for that long.
    """
    count, level = 0, False
    for (at_s, down), (next_s, _) in pairwise([*edges, (math.inf, False)]):
        if next_s - at_s >= settle_s and down != level:
            level = down
            count += down
    return count


def with_settings(**tables: dict[str, Any]) -> Settings:
    """The default settings with some keys changed, as ``launcher={"max_tries": 1}``."""
    settings = Settings()
    return replace(
        settings,
        **{
            name: table if name == "odds" else replace(getattr(settings, name), **table)
            for name, table in tables.items()
        },
    )
