"""Virtual time for tests: simulator and asyncio loop on one clock, where the loop may be late.

The world has an agenda of its own. While the loop is idle, time jumps to whatever comes next: something in the world,
which then happens outside the loop, as on another thread; or a timer of the loop. A loop that is *late* takes what
happened only after a while, in one go; the world has gone on meanwhile. All runs in one thread and repeats itself.
"""

from __future__ import annotations

import asyncio
import math
import selectors
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import Context
from typing import Any, TypeVar, TypeVarTuple

from dispenser.clocks import Agenda

_Arguments = TypeVarTuple("_Arguments")
_Result = TypeVar("_Result")

Lateness = Callable[[], float]
"""Drawn each time a virtual loop is about to take what is ready: for how many seconds it was busy before that."""


class VirtualWorld(Agenda):
    """A clock that stands still until somebody lets time pass. What is to happen, happens in order, at its own time.

    :param now_s: the time at first, seconds.
    :ivar on_error: told of an exception that something raised as it happened; without, whoever let time pass gets it.
    """

    def __init__(self, now_s: float = 0.0) -> None:
        super().__init__()
        self._now_s = now_s
        self.on_error: Callable[[Exception], None] | None = None

    def time(self) -> float:
        return self._now_s

    def pass_to(self, when_s: float) -> None:
        """It is this time now, unless it is later already. Nothing may be due before that."""
        self._now_s = max(self._now_s, when_s)

    def step(self) -> None:
        """Let the next thing happen, at its own time."""
        if (when_s := self.next_s()) == math.inf:
            return
        self.pass_to(when_s)
        try:
            if callback := self.take():
                callback()
        except Exception as error:
            if self.on_error is None:
                raise
            self.on_error(error)

    def run_until(self, when_s: float) -> None:
        """Let time pass up to then (nothing happens when that is past)."""
        while self.next_s() <= when_s:
            self.step()
        self.pass_to(when_s)

    def run_for(self, seconds: float) -> None:
        """Let so much time pass. In a callback of the loop that is a stall: the loop is busy, the world goes on."""
        self.run_until(self._now_s + seconds)


class _Selector(selectors.DefaultSelector):
    """Asks the files as ever; where a loop would wait, time jumps."""

    loop: VirtualLoop | None = None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.loop is None:
            return super().select(timeout)
        ready = super().select(0)
        if not ready and self.loop.must_wait(idle=timeout is None or timeout > 0):
            return super().select(None)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An asyncio loop whose time is its world's.

    Files and sockets are still asked. Time stands still while a job of ``run_in_executor`` is under way, so that what
    comes of it does not depend on how fast this machine is; such a job must not wait for virtual time.

    :ivar lateness: how late the loop is; may be changed at any time, ``None`` is never.
    :ivar on_idle: called whenever nothing is left to do at this time, before it passes.
    """

    # BaseEventLoop's own
    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]
    _stopping: bool
    _thread_id: int | None

    def __init__(self, world: VirtualWorld | None = None, lateness: Lateness | None = None) -> None:
        self.world = world or VirtualWorld()
        self.lateness = lateness
        self.on_idle: Callable[[], object] = lambda: None
        self._jobs = set[asyncio.Future[Any]]()
        selector = _Selector()
        super().__init__(selector)
        selector.loop = self
        failed = "something raised as it happened in the world"
        self.world.on_error = lambda error: self.call_exception_handler({"message": failed, "exception": error})

    def time(self) -> float:
        return self.world.time()

    def call_soon_threadsafe(
        self, callback: Callable[[*_Arguments], object], *args: *_Arguments, context: Context | None = None
    ) -> asyncio.Handle:
        if threading.get_ident() == self._thread_id:  # the world lives on this thread: nobody needs to be woken
            return self.call_soon(callback, *args, context=context)
        return super().call_soon_threadsafe(callback, *args, context=context)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*_Arguments], _Result], *args: *_Arguments
    ) -> asyncio.Future[_Result]:
        whose = Context()  # not the caller's: a test that kills the caller's tasks must not lose the job
        job = whose.run(lambda: super(VirtualLoop, self).run_in_executor(executor, func, *args))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard, context=whose)
        return job

    def must_wait(self, *, idle: bool) -> bool:
        """Let time pass until the loop has something to take; and then for as long as it is late.

        :returns: whether that can only come from outside: a file, or a job under way.
        """
        if self._jobs:
            return idle
        if idle and not self._next_comes():
            return True
        if self.lateness is not None:
            self.world.run_for(self.lateness())
        return False

    def _next_comes(self) -> bool:
        """Jump from one thing to the next until the loop has something to take; ``False``: nothing is to come."""
        while True:
            self.on_idle()
            if self._ready or self._stopping:
                return True
            timer_s = self._scheduled[0].when() if self._scheduled else math.inf
            if timer_s < (next_s := self.world.next_s()):
                self.world.run_until(timer_s)
                return True
            if next_s == math.inf:
                return False
            self.world.step()
