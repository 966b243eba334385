"""Times short things fairly: contestants take turns, on one CPU, while the garbage collector rests."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from statistics import median

BLOCKS = 11
"""A run is cut into so many blocks; a percentile is the median of the blocks' percentiles, so one noisy moment of a
shared machine counts for one block."""
Shot = Callable[[], int]
"""Does the thing once and returns how long it took, nanoseconds."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to do: ``quick`` is for the test that every benchmark runs at all."""

    quick: bool = False

    def pick(self, full: float, quick: float) -> int:
        return int(quick if self.quick else full)


@dataclass(frozen=True, slots=True)
class Series:
    """Times of one contestant, nanoseconds, block by block."""

    blocks: tuple[list[int], ...]

    @property
    def shots(self) -> int:
        return sum(map(len, self.blocks))

    def at_us(self, quantile: float) -> float:
        """That quantile, microseconds: the median over the blocks."""
        return median(percentile(block, quantile) / 1e3 for block in self.blocks)

    def as_json(self) -> dict[str, object]:
        return {
            "shots": self.shots,
            **{f"p{q * 100:g}_us": round(self.at_us(q), 3) for q in (0.5, 0.95, 0.99)},
        }


def percentile(values: Sequence[float], quantile: float) -> float:
    """The value below which that share of ``values`` lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * quantile))]


def take_turns(contestants: dict[str, Shot], shots: int, warm_up: int = 500) -> dict[str, Series]:
    """Let the contestants shoot in turn (A B C A B C ...), ``shots`` times each."""
    taken: dict[str, list[list[int]]] = {name: [] for name in contestants}
    with calm():
        for _ in range(warm_up):
            for shot in contestants.values():
                shot()
        for _ in range(BLOCKS):
            for blocks in taken.values():
                blocks.append([])
            for _ in range(max(1, shots // BLOCKS)):
                for name, shot in contestants.items():
                    taken[name][-1].append(shot())
    return {name: Series(tuple(blocks)) for name, blocks in taken.items()}


@contextmanager
def calm() -> Iterator[None]:
    """First in the queue, on one CPU, the one with the fewest interruptions now, and no garbage collection."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed, key=_interruptions)})
    gc.collect()
    gc.disable()
    go_first()
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        gc.enable()
        os.sched_setaffinity(0, allowed)


def go_first() -> None:
    """Run this process before all that is not urgent, where that is allowed (root): for seconds, not for minutes.

    Both sides of a comparison gain alike, and a busy machine spoils fewer figures.
    """
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


def _interruptions(cpu: int, seconds: float = 0.05) -> int:
    """How long others kept a busy loop on that CPU from running, nanoseconds."""
    os.sched_setaffinity(0, {cpu})
    last = time.perf_counter_ns()
    end, lost = last + int(seconds * 1e9), 0
    while last < end:
        now = time.perf_counter_ns()
        if now - last > 2_000:
            lost += now - last
        last = now
    return lost
