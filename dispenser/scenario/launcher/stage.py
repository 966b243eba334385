"""The stage of a scenario: a toy with hands around it, the pins before it, the computer behind them.

What plays here is the real service with the real driver and the real journal; only time, the world around it and its
luck are the scenario's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dispenser.drivers.base import DriverError
from dispenser.journal import Entry, JournalError
from dispenser.language import Text
from dispenser.luck import fairness
from dispenser.scenario.launcher.computer import Computer
from dispenser.scenario.launcher.loop import StageLoop, running_loop
from dispenser.scenario.launcher.odds import Planned
from dispenser.scenario.launcher.pins import StageFactory
from dispenser.scenario.launcher.watch import LINES, ListenerMistakeError, Watch
from dispenser.service.answers import ServiceError
from dispenser.service.assembly import toy_wiring
from dispenser.service.hub import Subscription
from dispenser.service.service import Service
from dispenser.service.settings import Settings
from dispenser.toy import Toy, ToyError, ToyEvent, ToyParameters

Request = Callable[[Service], Coroutine[Any, Any, Entry]]


@dataclass(frozen=True, slots=True)
class Setup:
    """How things are when a scenario begins.

    :param planned: what the presses bring, one after the other, the last one again and again; empty: the odds of the
        settings decide.
    :param raw_lines: input lines that the file's edges move, and not the toy.
    :param button_down: how the raw line ``button`` begins.
    :param exit_blocked: how the raw line ``exit`` begins.
    """

    settings: Settings
    toy: ToyParameters
    cards: int
    lid_open: bool
    button_down: bool
    exit_blocked: bool
    planned: tuple[Planned, ...]
    raw_lines: frozenset[str]


@dataclass(slots=True)
class Push:
    """One push of the button by a finger; ``sure`` when nothing was in the way of its being heard."""

    down_s: float
    up_s: float
    sure: bool


@dataclass(slots=True)
class Ask:
    """One request of a person or a program, and what became of it.

    :param press: it asks for a press.
    :param request: the id that came with it.
    :param outcome: its entry, or the error as text; ``None`` as long as there is no answer.
    """

    press: bool
    request: str | None
    outcome: Entry | str | None = None


class StageToy(Toy):
    """A toy that stays on the table when the service beside it stops."""

    def close(self) -> None:
        """Nothing: see ``leave``."""

    def leave(self) -> None:
        """The play is over."""
        super().close()


class Stage:
    """One launcher on a stage loop. Build it at the loop's time 0."""

    def __init__(self, setup: Setup, seed: str, folder: Path | None) -> None:
        self.setup = setup
        self.loop: StageLoop = running_loop()
        self.pushes: list[Push] = []
        self.asks: list[Ask] = []
        self.missing_cards: list[tuple[str, float]] = []
        self._cards_put_in = setup.cards
        self._sleepers: list[Subscription] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.pins = StageFactory()
        wires = {"button": setup.button_down, "lid": setup.lid_open, "exit": setup.exit_blocked}
        self.toy = self._build_toy(seed, wires)
        self.computer = Computer(
            setup.settings,
            setup.planned,
            seed=seed,
            toy=self.toy,
            cards=setup.cards,
            pins=self.pins,
            loop=self.loop,
            folder=folder,
            after_each=self._look,
        )
        self.watch = Watch(self.toy, self.computer, wires=wires, raw_lines=setup.raw_lines, button=self._button_moved)
        wiring = toy_wiring(setup.settings)
        lines = {name: line for name in LINES if (line := getattr(wiring, name)) is not None}
        self.watch.listen_to_wires(lines, self.pins)
        self.toy.add_listener(self._count_cards)

    def _look(self) -> None:
        self.watch.observe()

    def _count_cards(self, _: ToyEvent) -> None:
        view = self.toy.view()
        there = view.cards_in_stack + view.cards_in_path + view.cards_out
        if there != self._cards_put_in:
            self.missing_cards.append((f"{there} of {self._cards_put_in} cards are there", self.loop.time()))

    def _build_toy(self, seed: str, wires: dict[str, bool]) -> StageToy:
        setup, wiring = self.setup, toy_wiring(self.setup.settings)
        world, number = self.loop.world, int.from_bytes(fairness.named_seed(seed)[:8])
        toy = StageToy(setup.toy, wiring, self.pins, world, number, cards=setup.cards, lid_open=setup.lid_open)
        for name in setup.raw_lines:
            toy.hands_off(name)
            toy.drive_line(name, wires[name])
        return toy

    # --- hands ---

    def put_cards_in(self, cards: int) -> None:
        """Onto the stack.

        :raises ToyError: they do not fit.
        """
        self._cards_put_in += cards
        try:
            self.toy.load(cards)
        except ToyError:
            self._cards_put_in -= cards
            raise

    def take_cards_out(self) -> None:
        """All that are in the stack."""
        self._cards_put_in -= self.toy.view().cards_in_stack
        self.toy.unload()

    def bounce_button(self, bounce_s: float, edges: int, hold_s: float) -> None:
        """One push by hand whose contact bounces so long, at the push and at the release."""
        self.toy.hands_off("button")
        down_s = self.loop.time()
        up_s = down_s + bounce_s + hold_s
        for begin_s, last in ((down_s, True), (up_s, False)):
            for number in range(edges + 1):
                active = last if (edges - number) % 2 == 0 else not last
                when = begin_s + bounce_s * number / edges
                self.loop.call_at(when, partial(self.toy.drive_line, "button", active))
        self.loop.call_at(up_s + bounce_s, partial(self.toy.hands_on, "button"))
        self.pushes.append(Push(down_s, up_s + bounce_s, sure=self.hears_well))

    def _button_moved(self, *, down: bool) -> None:
        now = self.loop.time()
        if down:
            self.pushes.append(Push(now, float("inf"), sure=self.hears_well))
        elif self.pushes:
            self.pushes[-1].up_s = now
            self.pushes[-1].sure &= self.hears_well

    @property
    def hears_well(self) -> bool:
        """The service runs and its pins answer."""
        return self.computer.service is not None and not self.pins.broken

    def drive_line(self, line: str, *, active: bool) -> None:
        """A recorded edge."""
        self.watch.note_now(f"edge: {line} {'active' if active else 'inactive'}")
        self.toy.drive_line(line, active)

    # --- people and programs at the service ---

    def ask(self, words: str, request: Request, *, press: bool = False, request_id: str | None = None) -> None:
        """Ask the service for something and note the answer when it comes."""
        ask = Ask(press, request_id)
        self.asks.append(ask)
        self._spawn(self._answer(ask, words, request))

    async def _answer(self, ask: Ask, words: str, request: Request) -> None:
        try:
            ask.outcome = await request(self._running())
        except (ServiceError, JournalError, ValueError) as error:
            ask.outcome = str(error)
        self.watch.hear_answer(words, ask.outcome if isinstance(ask.outcome, str) else ask.outcome.type)

    def add_raising_listener(self) -> None:
        """:raises ServiceError: nothing to listen to."""
        self._running().on("", self._raise)

    @staticmethod
    def _raise(entry: Entry) -> None:
        raise ListenerMistakeError(f"raised on purpose at entry {entry.seq}")

    def add_sleeping_listener(self) -> None:
        """:raises ServiceError: nothing to listen to."""
        self._sleepers.append(self._running().hub.subscribe())

    def _running(self) -> Service:
        if self.computer.service is None:
            raise ServiceError(Text("no service is running"))
        return self.computer.service

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- the service comes and goes ---

    def stop_service(self) -> None:
        """:raises ServiceError: none is running."""
        self._running()
        self._spawn(self._stop_service())

    async def _stop_service(self) -> None:
        await self.computer.stop()
        self.watch.observe()

    def kill_service(self) -> None:
        """:raises ServiceError: none is running."""
        self._running()
        self.computer.kill()
        self.watch.forget_service()
        self.watch.take_over_errors()
        self.watch.observe()

    def start_service(self) -> None:
        """:raises ServiceError: one is running."""
        if self.computer.service_is == "running":
            raise ServiceError(Text("a service is running already, or has not stopped yet"))
        try:
            self.computer.start()
        except DriverError as error:
            self.watch.hear_answer("start", str(error))

    async def close(self) -> None:
        """Stop the service, on a computer and with pins that work again, and leave the stage."""
        self.watch.timeline.end_s = self.loop.time()
        self.computer.disk.state = "works"
        try:
            await self.computer.stop()
        finally:
            self.watch.close()
            self.pins.mend()
            self.toy.leave()
            self.computer.bury()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)
