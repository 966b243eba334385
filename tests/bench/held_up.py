"""Who holds up the loop: which callbacks and tasks keep it from everything else for longer than ``LIMIT_S``, how long,
and whether the motor could turn meanwhile."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

LIMIT_S = 0.005
KEPT = 1000


@dataclass(frozen=True, slots=True)
class Holder:
    """One turn of the loop that took too long.

    :param name: the task (a request's is named after it) or callback.
    :param held_s: from its begin to its end.
    :param busy_s: of that, time in which this thread really ran.
    :param waits: how often it let go of the processor by itself: to wait for the disk, or for another thread of ours.
        Where it was neither busy nor waited, another program had the processor.
    :param motor: whether the motor could turn at its begin or end.
    """

    name: str
    held_s: float
    busy_s: float
    waits: int
    motor: bool

    def __str__(self) -> str:
        motor = ", the motor could turn" if self.motor else ""
        return f"{self.held_s * 1e3:.1f} ms ({self.busy_s * 1e3:.1f} busy, {self.waits} waits{motor}): {self.name}"


class Holders:
    """As a context manager, watches every loop of this process; afterwards ``found`` has the holders, longest first.

    :param limit_s: what is shorter is no holder.
    :param motor_may_turn: asked before and after each turn.
    """

    def __init__(self, limit_s: float = LIMIT_S, motor_may_turn: Callable[[], bool] = lambda: False) -> None:
        self.motor_may_turn = motor_may_turn
        self._limit_s = limit_s
        self._found: list[Holder] = []
        self.turns = 0

    @property
    def found(self) -> list[Holder]:
        return sorted(self._found, key=lambda holder: -holder.held_s)

    def __enter__(self) -> Self:
        self._run = asyncio.Handle._run  # there is no public place to look from

        def run(handle: asyncio.Handle) -> None:
            self._watch(handle)

        setattr(asyncio.Handle, "_run", run)  # noqa: B010 - for mypy, whom a method of somebody else's is sacred
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        setattr(asyncio.Handle, "_run", self._run)  # noqa: B010

    def _watch(self, handle: asyncio.Handle) -> None:
        motor = self.motor_may_turn()
        waits, busy, begin = _waits(), time.thread_time(), time.perf_counter()
        try:
            self._run(handle)
        finally:
            held_s = time.perf_counter() - begin
            self.turns += 1
            if held_s > self._limit_s and len(self._found) < KEPT:
                busy_s = time.thread_time() - busy
                motor = motor or self.motor_may_turn()
                self._found.append(Holder(_name(handle), held_s, busy_s, _waits() - waits, motor))


def _waits() -> int:
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw


def _name(handle: asyncio.Handle) -> str:
    callback: Any = getattr(handle, "_callback", None)
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        return f"{task.get_name()}, {getattr(task.get_coro(), '__qualname__', '')}"
    while hasattr(callback, "func"):
        callback = callback.func
    return str(getattr(callback, "__qualname__", callback))
