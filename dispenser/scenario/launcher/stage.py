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

from msgspec import UnsetType

from dispenser.drivers.base import DriverError
from dispenser.journal import Entry, JournalError
from dispenser.language import Text
from dispenser.luck import fairness
from dispenser.scenario.launcher.computer import Computer
from dispenser.scenario.launcher.pins import StageFactory
from dispenser.scenario.launcher.process import StageLoop
from dispenser.scenario.launcher.setup import Setup
from dispenser.scenario.launcher.watch import ListenerMistakeError, Watch
from dispenser.service.answers import ServiceError
from dispenser.service.assembly import toy_wiring
from dispenser.service.hub import Subscription
from dispenser.service.service import Service
from dispenser.toy import Happening, Toy, ToyEvent

Request = Callable[[Service, str | None], Coroutine[Any, Any, Entry]]


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
    """One launcher on a stage loop. Build it at the loop's time 0.

    :param raw_lines: input lines that the file's edges move, and not the toy.
    :param folder: of the journals; see ``Computer``.
    """

    def __init__(
        self, loop: StageLoop, setup: Setup, raw_lines: frozenset[str], seed: str, folder: Path | None
    ) -> None:
        self.setup = setup
        self.loop = loop
        self.raw_lines = raw_lines
        self.pushes: list[Push] = []
        self.asks: list[Ask] = []
        self.cards_put_in = setup.cards_at_first
        self._sleepers: list[Subscription] = []
        self._tasks: set[asyncio.Task[None]] = set()
        wiring, self.pins = toy_wiring(setup.settings), StageFactory()
        self.toy = StageToy(
            setup.toy,
            wiring,
            self.pins,
            loop.world,
            int.from_bytes(fairness.named_seed(seed)[:8]),
            cards=self.cards_put_in,
            lid_open=setup.lid == "open",
        )
        begun = {"button": setup.button == "down", "lid": setup.lid == "open", "exit": setup.exit == "blocked"}
        for name in raw_lines:
            self.toy.hands_off(name)
            self.toy.drive_line(name, begun[name])
        self.computer = Computer(setup, seed, self.toy, self.pins, loop, folder=folder)
        self.watch = Watch(self.toy, wiring, self.pins, self.computer, raw_lines)
        self.toy.add_listener(self._button_moved)
        self.missing_cards: list[tuple[str, float]] = []
        loop.on_idle = self._look
        self._look()

    def _look(self) -> None:
        self.watch.look()
        view = self.toy.view()
        there = view.cards_in_stack + view.cards_in_path + view.cards_out
        if there != self.cards_put_in:
            self.missing_cards.append((f"{there} of {self.cards_put_in} cards are there", self.loop.time()))

    # --- hands ---

    def put_cards_in(self, cards: int) -> None:
        """Onto the stack.

        :raises ToyError: they do not fit.
        """
        self.toy.load(cards)
        self.cards_put_in += cards

    def take_cards_out(self) -> None:
        """All that are in the stack."""
        self.cards_put_in -= self.toy.unload()

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

    def _button_moved(self, event: ToyEvent) -> None:
        if event.happening is not Happening.BUTTON:
            return
        self.watch.note("change", f"button {'down' if event.value else 'up'}", "button")
        if event.value:
            self.pushes.append(Push(event.time_s, float("inf"), sure=self.hears_well))
        elif self.pushes:
            self.pushes[-1].up_s = event.time_s
            self.pushes[-1].sure &= self.hears_well

    @property
    def hears_well(self) -> bool:
        """The service runs and its pins answer."""
        return self.computer.service is not None and not self.pins.broken

    def drive_line(self, line: str, *, active: bool) -> None:
        """A recorded edge."""
        self.watch.note("step", f"edge: {line} {'active' if active else 'inactive'}")
        self.toy.drive_line(line, active)

    # --- people and programs at the service ---

    def ask(self, words: str, request: str | UnsetType, do: Request, *, press: bool = False) -> None:
        """Ask the service for something and note the answer when it comes."""
        ask = Ask(press, request or None)
        self.asks.append(ask)
        self._spawn(self._answer(ask, words, do))

    async def _answer(self, ask: Ask, words: str, do: Request) -> None:
        try:
            ask.outcome = await do(self._running(), ask.request)
        except (ServiceError, JournalError, ValueError) as error:
            ask.outcome = str(error)
        self._note_answer(words, ask.outcome if isinstance(ask.outcome, str) else ask.outcome.type)

    def _note_answer(self, words: str, answer: str) -> None:
        self.watch.note("answer", f"{words}: {answer}", data={"answer": answer})

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
        self._spawn(self.computer.stop())

    def kill_service(self) -> None:
        """:raises ServiceError: none is running."""
        self._running()
        self.computer.kill()
        self.watch.forget_service()

    def start_service(self) -> None:
        """:raises ServiceError: one is running."""
        if self.computer.service_is == "running":
            raise ServiceError(Text("a service is running already, or has not stopped yet"))
        try:
            self.computer.start()
        except DriverError as error:
            self._note_answer("start", str(error))

    async def close(self) -> None:
        """Stop the service, on a computer and with pins that work again, and leave the stage."""
        self._look()
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
