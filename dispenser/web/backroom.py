"""Where the web makes what takes long: once, on another thread, and not while the motor may turn.

A page, a description of the API: each takes tens of milliseconds here and a second on a small Pi. Another thread keeps
the loop free, but it shares the interpreter with whoever watches the pins; so it waits until the motor rests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dispenser.web.script import Showing

_T = TypeVar("_T")


class Backroom:
    """Things made so far, by the function that makes them and what it was given."""

    def __init__(self, showing: Showing) -> None:
        self._showing = showing
        self._made: dict[Hashable, asyncio.Task[Any]] = {}
        self._turn = asyncio.Lock()

    async def make(self, job: Callable[..., _T], *given: Hashable, **named: Hashable) -> _T:
        """What ``job(*given, **named)`` returns, made when first asked for; who asks meanwhile waits for the same."""
        key = (job, given, *named.items())
        task: asyncio.Task[_T] | None = self._made.get(key)
        if task is None:
            task = self._made[key] = asyncio.create_task(
                self._at_rest(partial(job, *given, **named)), name=f"making {job.__name__}"
            )
            task.add_done_callback(lambda done: self._forget_failed(key, done))
        return await asyncio.shield(task)

    async def _at_rest(self, job: Callable[[], _T]) -> _T:
        async with self._turn:
            await self._showing.rest()
            return await asyncio.to_thread(job)

    def _forget_failed(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        if task.cancelled() or task.exception() is not None:
            del self._made[key]
