"""The stage's event loop: virtual time, and processes that can be killed.

Whatever is set going inside a process (a task, a timer, what these set going in turn) belongs to it. Once the process
is killed none of it runs any more, as after ``kill -9``; the rest of the loop goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import TypeVar, TypeVarTuple

from dispenser.clocks.virtual import VirtualLoop

_Arguments = TypeVarTuple("_Arguments")
_Result = TypeVar("_Result")
_PROCESS: ContextVar[Process | None] = ContextVar("process", default=None)


class Process:
    """One process on a stage loop. It is its driver's clock, too: an edge reaches a driver from the world, and in no
    process's name; what the driver sets going then is the process's."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.alive = True
        self._loop = loop
        self._context = copy_context()
        self.enter(lambda: _PROCESS.set(self))

    def enter(self, callback: Callable[[], _Result]) -> _Result:
        """Call into the process from outside; what this sets going belongs to it."""
        return self._context.run(callback)

    def time(self) -> float:
        return self._loop.time()

    def call_at(self, when: float, callback: Callable[[], None], /) -> asyncio.TimerHandle:
        return self._loop.call_at(when, callback, context=self._context)

    def call_soon_threadsafe(self, callback: Callable[[], None], /) -> asyncio.Handle:
        return self._loop.call_soon(callback, context=self._context)  # one thread only: no need to wake the selector


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


def _in_its_process(
    callback: Callable[[*_Arguments], object], context: Context | None
) -> Callable[[*_Arguments], object]:
    process = _PROCESS.get() if context is None else context.get(_PROCESS)
    return callback if process is None else lambda *args: callback(*args) if process.alive else None
