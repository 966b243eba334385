"""Virtual time for tests: simulator and asyncio loop on one clock, where the loop may be late.

The world has its own timers. While the loop is idle, time jumps to the next timer: one of the world, whose callback
runs outside the loop, as on another thread; or one of the loop. A *late* loop handles events only after a delay, all at
once, while the world goes on. All runs in one thread and is deterministic.
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
"""Called before a virtual loop handles what is ready: returns for how many seconds it was busy before that."""


class VirtualWorld(Agenda):
    """A clock that advances only when told to; its callbacks run in order, each at its own time.

    :param now_s: the initial time, seconds.
    :ivar on_error: called with an exception of a callback; without it the exception is raised to the caller.
    """

    def __init__(self, now_s: float = 0.0) -> None:
        super().__init__()
        self._now_s = now_s
        self.on_error: Callable[[Exception], None] | None = None

    def time(self) -> float:
        return self._now_s

    def pass_to(self, when_s: float) -> None:
        """Set the time, unless it is later already. No timer may be due before it."""
        self._now_s = max(self._now_s, when_s)

    def step(self) -> None:
        """Run the next callback, at its time."""
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
        """Advance to this time and run the callbacks due until then; does nothing if it is past."""
        while self.next_s() <= when_s:
            self.step()
        self.pass_to(when_s)

    def run_for(self, seconds: float) -> None:
        """Advance by this time. In a callback of the loop this is a stall: the loop is busy, the world goes on."""
        self.run_until(self._now_s + seconds)


class _Selector(selectors.DefaultSelector):
    """Polls the files; where a loop would wait, virtual time advances instead."""

    loop: VirtualLoop | None = None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.loop is None:
            return super().select(timeout)
        ready = super().select(0)
        if not ready and self.loop.must_wait(idle=timeout is None or timeout > 0):
            return super().select(None)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An asyncio loop in the virtual time of its world.

    Files and sockets are still polled. Time stands still during a job of ``run_in_executor``, so that results do not
    depend on the speed of the machine; such a job must not wait for virtual time.

    :ivar lateness: delay of the loop; may be changed at any time, ``None``: never late.
    :ivar on_idle: called whenever nothing is left to do at this time, before time advances.
    """

    # of BaseEventLoop
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
        if threading.get_ident() == self._thread_id:  # the world is on this thread: no wake-up needed
            return self.call_soon(callback, *args, context=context)
        return super().call_soon_threadsafe(callback, *args, context=context)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*_Arguments], _Result], *args: *_Arguments
    ) -> asyncio.Future[_Result]:
        whose = Context()  # not the caller's context: a test that cancels the caller's tasks must not lose the job
        job = whose.run(lambda: super(VirtualLoop, self).run_in_executor(executor, func, *args))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard, context=whose)
        return job

    def must_wait(self, *, idle: bool) -> bool:
        """Advance time until the loop has an event, then by its delay (``lateness``).

        :returns: whether an event can only come from outside: a file, or a running job.
        """
        if self._jobs:
            return idle
        if idle and not self._next_comes():
            return True
        if self.lateness is not None:
            self.world.run_for(self.lateness())
        return False

    def _next_comes(self) -> bool:
        """Advance from timer to timer until the loop has an event; return ``False`` if there are no more timers."""
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
