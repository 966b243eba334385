"""Many matches on all cores, put together into one set of figures."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, Final

from dispenser.bot_matches.figures import Figures
from dispenser.bot_matches.match import play_match
from dispenser.odds.presets import OddsDesign
from dispenser.rules.bots import BOTS

MATCHES_A_TASK: Final = 20
_CALLS_TO_END: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played; the same plan gives the same figures on any number of cores.

    :param bots: names from ``dispenser.rules.bots.BOTS``, one for each seat.
    :param seed: any text.
    """

    game: str
    bots: tuple[str, ...]
    design: OddsDesign
    matches: int
    seed: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def play(self, number: int) -> Figures:
        """Match ``number`` of the plan."""
        bots, seed = [BOTS[name] for name in self.bots], f"{self.seed} {number}"
        return play_match(self.game, bots, seed=seed, design=self.design, options=self.options)

    @property
    def tasks(self) -> range:
        """Numbers of the parts that it is played in."""
        return range(math.ceil(self.matches / MATCHES_A_TASK))

    def play_task(self, task: int) -> Figures:
        """One part."""
        part = Figures(len(self.bots))
        for number in range(task * MATCHES_A_TASK, min((task + 1) * MATCHES_A_TASK, self.matches)):
            part.add(self.play(number))
        return part


def study(plan: Plan, on_progress: Callable[[int], None] = lambda _: None, processes: int | None = None) -> Figures:
    """Play the whole plan.

    A closed terminal and a request to end are what Ctrl-C is; no process is left behind.

    :param on_progress: told how many matches more are done.
    :param processes: how many at once; all cores when left out.
    :raises KeyboardInterrupt: with the number of the call to end.
    """
    whole = Figures(len(plan.bots))
    with _answering(_CALLS_TO_END, _interrupt), _played(plan, min(processes or _cores(), len(plan.tasks))) as parts:
        for part in parts:
            whole.add(part)
            on_progress(part.matches)
    return whole


@contextmanager
def _played(plan: Plan, processes: int) -> Iterator[Iterator[Figures]]:
    """The parts in their order; so sums of fractions come out the same whatever is ready first."""
    if processes < 2:
        yield map(plan.play_task, plan.tasks)
        return
    executor = ProcessPoolExecutor(processes, get_context("forkserver"), initializer=_ignore_calls_to_end)
    try:
        yield executor.map(plan.play_task, plan.tasks)
    except BrokenProcessPool as error:
        raise RuntimeError("a process that played matches has died: too little memory?") from error
    finally:
        executor.shutdown(cancel_futures=True)  # the parts under way take a second


def _ignore_calls_to_end() -> None:
    """A terminal sends Ctrl-C to all processes; the first of them ends the others."""
    for call in _CALLS_TO_END:
        signal.signal(call, signal.SIG_IGN)


def _cores() -> int:
    """How many this process may use; a Mac knows only how many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _answering(calls: Iterable[signal.Signals], answer: Callable[[int, object], object]) -> Iterator[None]:
    before = {call: signal.signal(call, answer) for call in calls}
    try:
        yield
    finally:
        for call, handler in before.items():
            signal.signal(call, handler)


def _interrupt(call: int, _: object) -> None:
    raise KeyboardInterrupt(call)
