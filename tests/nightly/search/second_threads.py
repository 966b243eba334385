"""Two threads in the driver at once, line by line: one is held at a line of its code while the other goes through.

Time stands still meanwhile, so what comes of it is one of few orders, each of which must keep the promises. A seed and
the number of the line make it repeatable, unlike a race left to luck.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

from dispenser.clocks import Timer
from dispenser.clocks.virtual import VirtualWorld
from dispenser.drivers.base import DriverEvent
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.launcher.messages import ExitCleared, Feed, FeedEnded, Retract, RetractEnded
from tests.nightly.search.second_clocks import LateLoop
from tests.nightly.search.second_world import Physics, SecondWorld

Act = Callable[[], object]
BLOCKED_S = 0.01
"""Whoever has not come through after that waits for a lock of the one that is held. Only a schedule; judges nothing."""


class SharedTime(VirtualWorld):
    """Virtual time whose agenda two threads may write."""

    def __init__(self) -> None:
        super().__init__(1000.0)
        self._writing = threading.Lock()

    def call_at(self, when: float, callback: Callable[[], None], /) -> Timer:
        with self._writing:
            return super().call_at(when, callback)


def at_once(first: Act, second: Act, line: int) -> tuple[int, list[BaseException], bool]:
    """Hold ``first`` at its n-th line in the driver, let ``second`` go, then let ``first`` go on.

    :returns: how many lines ``first`` had, what was raised, and whether both came to an end.
    """
    reached, go_on = threading.Event(), threading.Event()
    lines = 0
    raised: list[BaseException] = []

    def each_line(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal lines
        if event == "line":
            lines += 1
            if lines == line:
                reached.set()
                go_on.wait(20)
        return each_line

    def each_call(frame: FrameType, event: str, arg: Any) -> Any:
        return each_line if "drivers/gpio" in frame.f_code.co_filename else None

    def run(act: Act, traced: bool) -> None:
        if traced:
            sys.settrace(each_call)
        try:
            act()
        except Exception as error:  # noqa: BLE001 - told to the judge
            raised.append(error)
        finally:
            sys.settrace(None)
            if traced:
                reached.set()

    threads = [threading.Thread(target=run, args=args, daemon=True) for args in ((first, True), (second, False))]
    threads[0].start()
    reached.wait(20)
    threads[1].start()
    threads[1].join(BLOCKED_S)
    go_on.set()
    for thread in threads:
        thread.join(20)
    return lines, raised, not any(thread.is_alive() for thread in threads)


class Together:
    """One meeting of two threads, as its seed says; ``faults`` as in an evening."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random = Random(f"together {seed}")
        self.clock = SharedTime()
        self.world = SecondWorld(self.clock, random, Physics(volts=random.choice([4.5, 3.0])), cards=12)
        self.loop = LateLoop(self.clock, lambda: 0.0)
        self.events: list[DriverEvent] = []
        self.feeds = self.retracts = 0
        self.faults: list[str] = []
        self.driver = GpioDriver(self.world.wiring, self.world.factory, self.loop, clock=self.clock)
        self.driver.open(self.events.append)

    def _feed(self) -> None:
        self.feeds += 1
        self.driver.feed(Feed(self.random.choice([1, 2, 3]), timeout_s=0.6, stall_s=0.3, blind_s=0.12))

    def _retract(self) -> None:
        self.retracts += 1
        self.driver.retract(Retract(0.1))

    def move_lid(self) -> None:
        self.world.at(self.clock.time(), lambda: self.world.move_lid(not self.world.lid_open, True))
        self.world.wake()

    def move_finger(self) -> None:
        here = self.world.finger_there

        def put() -> None:
            self.world.finger_there = not here

        self.world.at(self.clock.time(), put)
        self.world.wake()

    def play(self) -> Together:
        random = self.random
        self.clock.run_for(0.2)
        busy = random.random() < 0.7
        if busy:
            self._feed() if random.random() < 0.8 else self._retract()
            self.clock.run_for(random.choice([random.uniform(0, 0.4), 0.0]))
        else:
            if random.random() < 0.4:
                self.move_lid()
            self.clock.run_for(random.uniform(0, 0.1))
        ended = self.feeds + self.retracts == self._ends()
        loop = [self.driver.reread, self.driver.levels, self.driver.stop]
        loop += [self._feed, self._retract, self._feed] if ended else []
        loop += [self.driver.close] if random.random() < 0.1 else []
        pins = [self.move_lid, self.move_finger, self.clock.step]
        pair: list[Act] = [random.choice(loop), random.choice(pins)]
        if random.random() < 0.2:
            pair = [random.choice([self.move_lid, self.move_finger]), self.clock.step]
        random.shuffle(pair)
        self.pair = [getattr(act, "__name__", str(act)) for act in pair]
        closed = "close" in self.pair
        _, raised, over = at_once(pair[0], pair[1], random.randrange(1, 90))
        if raised or not over:
            self.fault(f"raised {raised!r}, over: {over}")
        if self.world.lid_open and self.world.driven:
            self.fault("driven with the lid up")
        if closed and self.world.driven:
            self.fault("driven although closed")
        if over:
            self._after(closed)
        return self

    def _after(self, closed: bool) -> None:
        self.clock.run_for(1.5)
        if closed:
            if any(self.world.outputs.get(name) for name in self.world.wiring.motor_lines()):
                self.fault(f"closed, and {self.world.outputs}")
            return
        self.driver.reread()
        self.clock.run_for(0.5)
        levels = self.driver.levels()
        real = (self.world.lid_open, self.world.covered)
        if (levels.lid_open, levels.exit_blocked) != real:
            self.fault(f"{levels}, really {real}")
        if self._ends() != self.feeds + self.retracts:
            self.fault(f"{self._ends()} ends, {self.feeds} feeds, {self.retracts} retracts")
        if self.world.driven:
            self.fault("still driven")
        for begin_s, end_s, way in self.world.truth.drives:
            if end_s - begin_s > (0.6 if way > 0 else 0.1) + 1e-4:
                self.fault(f"driven for {end_s - begin_s:.4f} s, way {way}")
        for end in self.events:
            if isinstance(end, FeedEnded):
                before = self.events[: self.events.index(end)]
                told = sum(isinstance(event, ExitCleared) and event.fed for event in before)
                if self.feeds == 1 and told != end.cards_seen:
                    self.fault(f"{end}, told {told}")
        self.driver.close()

    def _ends(self) -> int:
        return sum(isinstance(event, FeedEnded | RetractEnded) for event in self.events)

    def fault(self, text: str) -> None:
        self.faults.append(f"together {self.seed} {' x '.join(getattr(self, 'pair', []))}: {text}")
