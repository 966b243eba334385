"""What a computer can do to its service, in the rig's plays: break its pins, kill its process, refuse to write."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import Journal
from dispenser.simulator import Simulator, SimulatorFactory, SimulatorPin

_Arguments = TypeVarTuple("_Arguments")
_Result = TypeVar("_Result")


# --- pins that can break down ---


def _unless_broken(use: Callable[..., Any]) -> Any:
    @wraps(use)
    def used(pin: BreakablePin, *values: Any) -> Any:
        if pin.factory.broken:
            raise OSError(errno.EIO, "the GPIO chip does not answer")
        return use(pin, *values)

    return used


class BreakablePin(SimulatorPin):
    """While its factory is ``broken`` every use of it is an error and no edge is heard."""

    _get_state = _unless_broken(SimulatorPin._get_state)
    _set_state = _unless_broken(SimulatorPin._set_state)
    _set_function = _unless_broken(SimulatorPin._set_function)
    _set_pull = _unless_broken(SimulatorPin._set_pull)
    _set_frequency = _unless_broken(SimulatorPin._set_frequency)

    def put(self, level: bool) -> bool:
        if self.factory.broken:
            self._outside = level
            return False
        return super().put(level)

    def read_again(self) -> None:
        """As an input: the edges of some time were missed."""
        if self._function == "input" and self._outside is not None:
            self._change_state(self._outside)

    def let_go(self) -> None:
        """As an output: off, as the pull-downs make it."""
        if self._function == "output" and self._state:
            self._change_state(0.0)

    def close(self) -> None:
        """Let go of it, which even a chip that is gone allows: Python closes devices that nobody holds any more."""
        if not self.factory.broken:
            super().close()


class BreakablePinFactory(SimulatorFactory):
    """A pin factory of :class:`BreakablePin`."""

    broken = False

    def __init__(self) -> None:
        super().__init__()
        self.pin_class = BreakablePin
        self.pins: dict[Any, BreakablePin]

    def break_down(self, *, hold_outputs: bool) -> None:
        """The chip answers no more."""
        self.broken = True
        if not hold_outputs:
            self.let_go()

    def repair(self) -> None:
        """The chip answers again."""
        self.broken = False
        for pin in self.pins.values():
            pin.read_again()

    def let_go(self) -> None:
        """All outputs off."""
        for pin in self.pins.values():
            pin.let_go()

    def forget_devices(self) -> None:
        """The process that had the pins is dead: no edge reaches its devices, and others may have the pins."""
        self._reservations.clear()
        for pin in self.pins.values():
            pin.when_changed = None


# --- processes that can be killed ---


_PROCESS: ContextVar[Process | None] = ContextVar("process", default=None)


class Process:
    """A process on a :class:`ProcessLoop`, and its driver's clock.

    Whatever is set going in it (a task, a timer, what these set going in turn) belongs to it, and no longer runs once
    it is not ``alive``, as after ``kill -9``. An edge reaches a driver from the world; what the driver sets going then
    is the process's.
    """

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


class ProcessLoop(VirtualLoop):
    """A loop in virtual time that asks, before anything runs, whether its process is still alive."""

    def call_soon(
        self, callback: Callable[[*_Arguments], object], *args: *_Arguments, context: Context | None = None
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


# --- what outlasts a process ---


class JournalOnDisk(Journal):
    """A journal that meets the troubles of the disk at every transaction, and tells when it is closed."""

    check_disk: Callable[[], None] = staticmethod(lambda: None)
    on_close: Callable[[Journal], object] | None = None

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        self.check_disk()
        with super()._transaction() as db:
            yield db

    def close(self) -> None:
        tell, self.on_close = self.on_close, None
        if tell is not None:
            tell(self)
        super().close()


class LastingSimulator(Simulator):
    """Stays on the table when the service stops."""

    def close(self) -> None:
        """Nothing."""
