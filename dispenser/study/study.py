"""Many matches on all cores, put together into one set of figures."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from dispenser.luck.presets import OddsDesign
from dispenser.rules.bots import BOTS
from dispenser.study.match import MatchTold, play_match

MATCHES_A_TASK: Final = 20
TURNS_KEPT: Final = 400
"""Turns of a round for which the size of the hands is kept."""
_CALLS_TO_END: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_CONFIDENCE: Final = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""


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

    def play(self, number: int) -> MatchTold:
        """Match ``number`` of the plan."""
        return play_match(
            self.game,
            [BOTS[name] for name in self.bots],
            seed=f"{self.seed} {number}",
            design=self.design,
            options=self.options,
        )


@dataclass(slots=True)
class Study:
    """Figures of many matches.

    :ivar turns, presses, cards_out: rounds by their number of turns, presses and cards ejected.
    :ivar hand_sums, hand_rounds: after each turn, cards per hand added up, and the rounds that lasted so long.
    :ivar wins: matches won by each seat; a tie is shared.
    :ivar round_wins: rounds in which that seat went out first.
    :ivar scores: final scores of all seats; all 0 where nothing is counted (Uno vache).
    :ivar given_up: matches that did not end; nobody has won them.
    """

    seats: int
    matches: int = 0
    rounds: int = 0
    given_up: int = 0
    turns: Counter[int] = field(default_factory=Counter)
    presses: Counter[int] = field(default_factory=Counter)
    cards_out: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    hand_sums: list[float] = field(default_factory=list)
    hand_rounds: list[int] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    round_wins: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wins = self.wins or [0.0] * self.seats
        self.round_wins = self.round_wins or [0] * self.seats

    def add(self, told: MatchTold) -> None:
        """Take a match into the figures."""
        self.matches += 1
        self.given_up += not told.ended
        for winner in told.winners:
            self.wins[winner] += 1 / len(told.winners)
        self.scores.update(told.scores)
        for each in told.rounds:
            self.rounds += 1
            self.turns[each.turns] += 1
            self.presses[each.presses] += 1
            self.cards_out[each.cards_out] += 1
            if each.winner >= 0:
                self.round_wins[each.winner] += 1
            self._add_hands(each.hands[:TURNS_KEPT], [1] * len(each.hands[:TURNS_KEPT]))

    def merge(self, other: Study) -> None:
        """Take the figures of other matches into these."""
        self.matches += other.matches
        self.rounds += other.rounds
        self.given_up += other.given_up
        for mine, theirs in (
            (self.turns, other.turns),
            (self.presses, other.presses),
            (self.cards_out, other.cards_out),
            (self.scores, other.scores),
        ):
            mine.update(theirs)
        self.wins = [one + two for one, two in zip(self.wins, other.wins, strict=True)]
        self.round_wins = [one + two for one, two in zip(self.round_wins, other.round_wins, strict=True)]
        self._add_hands(other.hand_sums, other.hand_rounds)

    def _add_hands(self, sums: Sequence[float], rounds: Sequence[int]) -> None:
        missing = len(sums) - len(self.hand_sums)
        if missing > 0:
            self.hand_sums += [0.0] * missing
            self.hand_rounds += [0] * missing
        for turn, (cards, often) in enumerate(zip(sums, rounds, strict=True)):
            self.hand_sums[turn] += cards
            self.hand_rounds[turn] += often

    @property
    def counts_points(self) -> bool:
        """Whether there are scores to show."""
        return any(self.scores.keys() - {0})

    @property
    def without_winner(self) -> float:
        """Matches that nobody has won; with ``wins`` they are all matches."""
        return max(0.0, self.matches - sum(self.wins))

    def hands(self) -> list[float]:
        """Mean cards per hand after each turn, as long as a hundredth of the rounds lasts."""
        return [
            cards / often
            for cards, often in zip(self.hand_sums, self.hand_rounds, strict=True)
            if often >= max(1, self.rounds / 100)
        ]

    def to_dict(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "matches": self.matches,
            "rounds": self.rounds,
            "given_up": self.given_up,
            "turns_a_round": spread(self.turns),
            "presses_a_round": spread(self.presses),
            "cards_out_a_round": spread(self.cards_out),
            "scores": spread(self.scores),
            "cards_a_hand_after_turn": [round(cards, 3) for cards in self.hands()],
            "wins_by_seat": self.wins,
            "rounds_won_by_seat": self.round_wins,
        }


def spread(values: Counter[int]) -> dict[str, float]:
    """Mean and quantiles of counted values."""
    total = sum(values.values())
    if not total:
        return {"mean": math.nan, "p10": math.nan, "median": math.nan, "p90": math.nan, "most": math.nan}
    mean = sum(value * often for value, often in values.items()) / total
    quantiles = {name: quantile(values, share) for name, share in (("p10", 0.1), ("median", 0.5), ("p90", 0.9))}
    return {"mean": mean, **quantiles, "most": max(values)}


def quantile(values: Counter[int], share: float) -> int:
    """The smallest value that at least that share of the counted values does not exceed."""
    wanted, seen = share * sum(values.values()), 0
    for value in sorted(values):
        seen += values[value]
        if seen >= wanted:
            return value
    return max(values)


def interval(wins: float, of: int) -> tuple[float, float]:
    """Between which shares the true one lies, 95 % sure: Wilson's interval."""
    if not of:
        return 0.0, 1.0
    share, square = wins / of, _CONFIDENCE**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = _CONFIDENCE * math.sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def study(plan: Plan, on_progress: Callable[[int], None] = lambda _: None, processes: int | None = None) -> Study:
    """Play the whole plan.

    :param on_progress: told how many matches more are done.
    :param processes: how many at once; all cores when left out.
    """
    whole = Study(len(plan.bots))
    tasks = math.ceil(plan.matches / MATCHES_A_TASK)
    workers = min(processes or len(os.sched_getaffinity(0)), tasks)
    if workers < 2:
        for task in range(tasks):
            part = _play_task(plan, task)
            whole.merge(part)
            on_progress(part.matches)
        return whole
    parts: dict[int, Study] = {}
    with _at_work(plan, [range(worker, tasks, workers) for worker in range(workers)]) as results:
        while results:
            for result in [result for result in wait(results) if isinstance(result, Connection)]:
                try:
                    task, part = result.recv()
                except EOFError:
                    results.remove(result)
                else:
                    parts[task] = part
                    on_progress(part.matches)
    if len(parts) < tasks:
        raise RuntimeError("a process that played matches has died: too little memory?")
    for task in range(tasks):  # sums of fractions come out the same whatever was ready first
        whole.merge(parts[task])
    return whole


@contextmanager
def _at_work(plan: Plan, shares: Sequence[range]) -> Iterator[list[Connection]]:
    """A process for each share of the tasks; gives the ends of the pipes that the figures come through.

    No pool and no shared queue: whatever ends this, each process can be killed at any instant, and nobody waits for it.
    """
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
        yield results
    finally:
        with _interrupts_held_back():  # who presses Ctrl-C twice must not keep this from ending
            for process in processes:
                if process.pid is not None:
                    process.kill()
                    process.join()


def _work(plan: Plan, share: range, told: Connection) -> None:
    """What a process does, as long as somebody wants to know."""
    with suppress(BrokenPipeError):
        for task in share:
            told.send((task, _play_task(plan, task)))


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """In here Ctrl-C and other calls to end wait until the end; processes started in here never hear of Ctrl-C.

    A terminal sends it to all of them, and they inherit what is blocked, as theirs do. A block alone is not enough for
    this process: the call may come to another of its threads, and its handler is run in this one all the same.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # handlers are run in the main thread only
        return
    heard: list[int] = []
    before = {call: signal.signal(call, lambda number, _: heard.append(number)) for call in _CALLS_TO_END}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _CALLS_TO_END)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for call, handler in before.items():
            signal.signal(call, handler or signal.SIG_DFL)
        if heard:
            signal.raise_signal(signal.Signals(heard[0]))


def _play_task(plan: Plan, task: int) -> Study:
    part = Study(len(plan.bots))
    for number in range(task * MATCHES_A_TASK, min((task + 1) * MATCHES_A_TASK, plan.matches)):
        part.add(plan.play(number))
    return part
