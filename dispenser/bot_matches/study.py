"""Many matches on all cores, put together into one set of figures."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
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

    def play_tasks(self, tasks: range) -> Iterator[tuple[int, Figures]]:
        """Some parts, each with its number."""
        for task in tasks:
            part = Figures(len(self.bots))
            for number in range(task * MATCHES_A_TASK, min((task + 1) * MATCHES_A_TASK, self.matches)):
                part.add(self.play(number))
            yield task, part


def study(plan: Plan, on_progress: Callable[[int], None] = lambda _: None, processes: int | None = None) -> Figures:
    """Play the whole plan.

    A closed terminal and a request to end are what Ctrl-C is; no process is left behind.

    :param on_progress: told how many matches more are done.
    :param processes: how many at once; all cores when left out.
    :raises KeyboardInterrupt: with the number of the call to end.
    """
    whole, added, early = Figures(len(plan.bots)), 0, dict[int, Figures]()
    workers = min(processes or _cores(), len(plan.tasks))
    shares = [plan.tasks[worker::workers] for worker in range(workers)]
    with _answering(_CALLS_TO_END, _interrupt), at_work(plan, shares) as parts:
        for task, part in parts:
            early[task] = part
            on_progress(part.matches)
            while added in early:  # sums of fractions come out the same whatever was ready first
                whole.add(early.pop(added))
                added += 1
    if added < len(plan.tasks):
        raise RuntimeError("a process that played matches has died: too little memory?")
    return whole


@contextmanager
def at_work(plan: Plan, shares: Sequence[range]) -> Iterator[Iterator[tuple[int, Figures]]]:
    """A process for each share of the tasks, where there are several; gives what they have played, as it comes.

    No pool and no shared queue: whatever ends this, each process can be killed at any instant, and nobody waits for it.
    """
    if len(shares) < 2:
        yield plan.play_tasks(plan.tasks)
        return
    context = get_context("forkserver")
    # The first process to start also starts this one, and that lets Ctrl-C in again (CPython 3.11 unblocks it and does
    # not set back what was): before the block, or the fork server and all its children would hear of it.
    resource_tracker.ensure_running()
    processes: list[BaseProcess] = []
    results: list[Connection] = []
    try:
        with _interrupts_held_back():
            for share in shares:
                result, told = context.Pipe(duplex=False)
                worker = context.Process(target=_work, args=(plan, share, told), daemon=True)
                processes.append(worker)
                worker.start()
                told.close()
                results.append(result)
        yield _told_by(results)
    finally:
        with _interrupts_held_back():  # who presses Ctrl-C twice must not keep this from ending
            for process in processes:
                if process.pid is not None:
                    process.kill()
                    process.join()


def _work(plan: Plan, share: range, told: Connection) -> None:
    """What a process does, as long as somebody wants to know."""
    with suppress(BrokenPipeError):
        for part in plan.play_tasks(share):
            told.send(part)


def _told_by(results: list[Connection]) -> Iterator[tuple[int, Figures]]:
    """What comes through the pipes, until the last is closed."""
    while results:
        for result in (each for each in wait(results) if isinstance(each, Connection)):
            try:
                yield result.recv()
            except EOFError:
                results.remove(result)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """In here Ctrl-C and other calls to end wait until the end; processes started in here never hear of Ctrl-C.

    A terminal sends it to all of them, and they inherit what is blocked, as theirs do. A block alone is not enough for
    this process: the call may come to another of its threads, and its handler is run in this one all the same.
    """
    heard: list[int] = []
    with _answering(_CALLS_TO_END, lambda number, _: heard.append(number)):
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _CALLS_TO_END)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    if heard:
        signal.raise_signal(signal.Signals(heard[0]))


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
