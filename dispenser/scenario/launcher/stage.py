"""The stage of a scenario: a toy with hands around it, the pins before it, the computer behind them.

What plays here is the real service with the real driver and the real journal; only time, the world around it and its
luck are the scenario's.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dispenser.odds import fairness
from dispenser.scenario.launcher.computer import Computer
from dispenser.scenario.launcher.pins import StageFactory
from dispenser.scenario.launcher.process import StageLoop
from dispenser.scenario.launcher.setup import Setup
from dispenser.scenario.launcher.timeline import Timeline
from dispenser.scenario.launcher.watch import Watch
from dispenser.service.assembly import toy_wiring
from dispenser.simulator import Happening, Toy, ToyEvent


@dataclass(slots=True)
class Push:
    """One push of the button by a finger; ``sure`` when nothing was in the way of its being heard."""

    down_s: float
    up_s: float
    sure: bool


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
        self.timeline = Timeline()
        self.pushes: list[Push] = []
        self.cards_put_in = setup.cards_at_first
        self.missing_cards: list[tuple[str, float]] = []
        wiring, self.pins = toy_wiring(setup.settings), StageFactory()
        self.toy = toy = StageToy(
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
            toy.hands_off(name)
            toy.drive_line(name, begun[name])
        self.computer = Computer(loop, setup, seed, self.timeline, toy=toy, pins=self.pins, folder=folder)
        self.watch = Watch(
            loop, self.timeline, self.computer, toy=toy, wiring=wiring, pins=self.pins, raw_lines=raw_lines
        )
        toy.add_listener(self._button_moved)
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
        self.pushes.append(Push(down_s, up_s + bounce_s, sure=self._hears_well))

    def _button_moved(self, event: ToyEvent) -> None:
        if event.happening is not Happening.BUTTON:
            return
        self.timeline.note(event.time_s, "change", f"button {'down' if event.value else 'up'}", "button")
        if event.value:
            self.pushes.append(Push(event.time_s, float("inf"), sure=self._hears_well))
        elif self.pushes:
            self.pushes[-1].up_s = event.time_s
            self.pushes[-1].sure &= self._hears_well

    @property
    def _hears_well(self) -> bool:
        """The service runs, its pins answer, and its journal can be written."""
        return self.computer.service is not None and not self.pins.broken and self.computer.disk.state == "works"

    # --- the end ---

    async def close(self) -> None:
        """Stop the service, on a computer and with pins that work again, and leave the stage."""
        self._look()
        self.timeline.end_s = self.loop.time()
        self.computer.disk.state = "works"
        try:
            await self.computer.stopped()
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
