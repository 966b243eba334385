"""Keeps Python itself from getting in the way while the motor turns: garbage, and who runs next.

A full garbage collection stops every thread: 32 ms on a fast computer with the page loaded, half a second on a small
Pi. So nothing is collected when it happens to be time for it, only when ``tidy`` finds the motor at rest, and what is
there to stay (modules, the page's machinery) is put aside once, after which a collection is over in a moment. And a
thread that has waited for the interpreter gets it after 0.5 ms, not after 5.

Both belong to the process and not to a launcher, so ``dispenser run`` and ``dispenser demo`` do it and the Python API
does not. A program of your own may do the same::

    calm.begin()
    async with launcher_on_pins() as launcher:
        launcher.on_alive = lambda: calm.tidy(resting=not launcher.motor_may_turn)
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType

SWITCH_S = 0.0005
"""After so long a busy thread lets another one run. ``python -m tests.bench calm`` measures what others bring."""
WORTH_COLLECTING = 2_000
"""Objects that have come since the last collection; fewer are no reason for one."""
LASTING = 10_000
"""Objects that a collection leaves: so many at once are there to stay."""
LONGEST_RUN_S = 10.0
"""No run of the motor is longer."""
LOOK_S = 0.05

_before = sys.getswitchinterval()


def begin() -> None:
    """From now on collect only in ``tidy``; whatever is there now is there to stay."""
    gc.disable()
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_S)


def tidy(*, resting: bool) -> None:
    """Once a second: collect, if the motor rests and it is worth it.

    Call it on the loop's thread, which alone starts the motor. A run of the motor is short, so this gets its chance.
    """
    come = gc.get_count()[0]
    if resting and come > WORTH_COLLECTING and come - gc.collect() > LASTING:
        gc.freeze()


def end() -> None:
    """As it was before ``begin``."""
    gc.unfreeze()
    gc.enable()
    sys.setswitchinterval(_before)


def import_at_rest(name: str, motor_may_turn: Callable[[], bool], wanted: Callable[[], bool]) -> ModuleType:
    """Import a module on this thread, and whatever it needs, each of them while the motor rests.

    An import takes the interpreter from every other thread for milliseconds at a time, and the web's takes seconds on a
    small Pi, just after the start. So it stops before the next module for as long as the motor may turn.

    :param wanted: asked before each module, too.
    :raises ImportError: it is not wanted any more.
    """
    pause = _Pause(motor_may_turn, wanted)
    sys.meta_path.insert(0, pause)
    try:
        return import_module(name)
    finally:
        sys.meta_path.remove(pause)


class _Pause:
    """Finds no module; is asked for each first, and takes its time when this thread asks."""

    def __init__(self, motor_may_turn: Callable[[], bool], wanted: Callable[[], bool]) -> None:
        self._motor_may_turn = motor_may_turn
        self._wanted = wanted
        self._thread = threading.current_thread()

    def find_spec(self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None, /) -> None:
        if threading.current_thread() is self._thread:
            until = time.monotonic() + LONGEST_RUN_S
            while self._motor_may_turn() and time.monotonic() < until:
                time.sleep(LOOK_S)
            if not self._wanted():
                raise ImportError(f"{name} is not wanted any more")
