"""The stage's event loop: virtual time, and processes that can be killed.

Whatever is set going inside a process (a task, a timer, what these set going in turn) belongs to it. Once the process
is killed none of it runs any more, as after ``kill -9``; the rest of the loop goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import TypeVar, TypeVarTuple

from dispenser.clocks import TimerHandle
from dispenser.clocks.virtual import VirtualLoop, VirtualWorld

_Arguments = TypeVarTuple("_Arguments")
_Result = TypeVar("_Result")
_PROCESS: ContextVar[Process | None] = ContextVar("process", default=None)


class Process:
    """One process on a stage loop.

    :param after_each: called whenever something of it has run: whatever it changed can be seen now.
    """

    def __init__(self, after_each: Callable[[], None]) -> None:
        self._after_each = after_each
        self.alive = True
        self.context = copy_context()
        self.context.run(_PROCESS.set, self)

    def owning(self, callback: Callable[[*_Arguments], _Result]) -> Callable[[*_Arguments], _Result | None]:
        """The callback as a part of this process: it does nothing once that is dead."""

        def run(*args: *_Arguments) -> _Result | None:
            if not self.alive:
                return None
            try:
                return callback(*args)
            finally:
                self._after_each()

        return run

    def enter(self, callback: Callable[[], _Result]) -> _Result | None:
        """Call into the process from outside; what this sets going belongs to it."""
        return self.context.run(self.owning(callback))


class ContextClock:
    """Time and timers of the loop, for one context: what is set here belongs there, whoever sets it.

    An edge reaches a driver from the world, and in no process's name; what the driver tells its loop is its own.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, context: Context) -> None:
        self._loop = loop
        self._context = context

    def time(self) -> float:
        return self._loop.time()

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        return self._loop.call_at(when, callback, context=self._context)

    def call_soon_threadsafe(self, callback: Callable[[], None], /) -> asyncio.Handle:
        return self._loop.call_soon(callback, context=self._context)  # one thread only: no need to wake the selector


class ProcessClock:
    """Time and timers of the world, for one process: they end with it."""

    def __init__(self, world: VirtualWorld, process: Process) -> None:
        self._world = world
        self._process = process

    def time(self) -> float:
        return self._world.time()

    def call_at(self, when: float, callback: Callable[[], None], /) -> TimerHandle:
        # Not in its context: the process may be inside that just now, in a callback that stalls.
        return self._world.call_at(when, self._process.owning(callback))


class StageLoop(VirtualLoop):
    """A loop in virtual time that asks, before anything runs, whether its process is still alive."""

    def call_soon(
        self,
        callback: Callable[[*_Arguments], object],
        *args: *_Arguments,
        context: Context | None = None,
    ) -> asyncio.Handle:
        return super().call_soon(_in_its_process(callback, context), *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*_Arguments], object],
        *args: *_Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return super().call_at(when, _in_its_process(callback, context), *args, context=context)


def running_loop() -> StageLoop:
    """The stage's loop, from inside it."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, StageLoop):
        raise TypeError(f"a stage lives on a StageLoop, not on a {type(loop).__name__}")
    return loop


def _in_its_process(
    callback: Callable[[*_Arguments], object], context: Context | None
) -> Callable[[*_Arguments], object]:
    process = _PROCESS.get() if context is None else context.get(_PROCESS)
    return callback if process is None else process.owning(callback)
