"""Play many matches on all cores and merge their figures."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from multiprocessing import get_context, resource_tracker
from typing import Any, Final

from dispenser.bot_matches.figures import Figures
from dispenser.bot_matches.match import play_match
from dispenser.odds.presets import OddsDesign
from dispenser.rules.bots import BOTS

MATCHES_A_TASK: Final = 2  # small, because SIGINT or SIGTERM waits for the tasks under way
_HANDED_OUT: Final = 1000  # tasks submitted to the pool at once: each takes memory
_CALLS_TO_END: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Plan:
    """Parameters of a study; the same plan gives the same figures on any number of cores.

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
        """Play match ``number`` of the plan."""
        bots, seed = [BOTS[name] for name in self.bots], f"{self.seed} {number}"
        return play_match(self.game, bots, seed=seed, design=self.design, options=self.options)

    @property
    def tasks(self) -> range:
        """Numbers of the tasks that the matches are divided into."""
        return range(math.ceil(self.matches / MATCHES_A_TASK))

    def play_task(self, task: int) -> Figures:
        """Play the matches of one task."""
        part = Figures(len(self.bots))
        for number in range(task * MATCHES_A_TASK, min((task + 1) * MATCHES_A_TASK, self.matches)):
            part.add(self.play(number))
        return part


def study(plan: Plan, on_progress: Callable[[int], None] = lambda _: None, processes: int | None = None) -> Figures:
    """Play all matches of the plan.

    SIGTERM and SIGHUP (a closed terminal) are handled like Ctrl-C; no worker process is left behind.

    :param on_progress: called with the number of matches of each finished task.
    :param processes: number of worker processes; ``None``: one per core.
    :raises KeyboardInterrupt: on SIGINT, SIGTERM or SIGHUP, with the signal number.
    """
    whole = Figures(len(plan.bots))
    workers = min(processes or _cores(), len(plan.tasks))
    with _calls_to_end() as calls, _parts(plan, workers) as parts:
        for part in parts:  # in task order, so that float sums do not depend on which task finished first
            whole.add(part)
            on_progress(part.matches)
            if calls:  # not raised in the signal handler: inside the pool's code it would leave the pool stuck
                raise KeyboardInterrupt(calls[0])
    return whole


@contextmanager
def _parts(plan: Plan, workers: int) -> Iterator[Iterator[Figures]]:
    """Yield an iterator over the figures of the tasks; several workers need a process pool."""
    if workers < 2:
        yield map(plan.play_task, plan.tasks)
        return
    context = get_context("forkserver")
    resource_tracker.ensure_running()  # before the signals are blocked: when it starts, it unblocks them
    # Workers inherit the blocked signals: a terminal sends Ctrl-C to the whole group, and we end the workers.
    signal.pthread_sigmask(signal.SIG_BLOCK, _CALLS_TO_END)
    with ProcessPoolExecutor(workers, context, context.Barrier(workers).wait) as pool:
        wait([pool.submit(int) for _ in range(workers)])  # a barrier holds each worker until all have started
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _CALLS_TO_END)
        try:
            some = (plan.tasks[first : first + _HANDED_OUT] for first in range(0, len(plan.tasks), _HANDED_OUT))
            yield chain.from_iterable(pool.map(plan.play_task, tasks) for tasks in some)
        except BrokenProcessPool as error:
            raise RuntimeError("a process that played matches has died: too little memory?") from error
        finally:
            pool.shutdown(cancel_futures=True)


def _cores() -> int:
    """Return the number of cores that this process may use; macOS tells only how many exist."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _calls_to_end() -> Iterator[list[int]]:
    """Install signal handlers, and yield the list to which they append the numbers of received signals."""
    calls: list[int] = []
    before = {call: signal.signal(call, lambda number, _: calls.append(number)) for call in _CALLS_TO_END}
    try:
        yield calls
    finally:
        for call, handler in before.items():
            signal.signal(call, handler)
