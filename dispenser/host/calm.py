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

SWITCH_S = 0.0005
"""After so long a busy thread lets another one run. ``python -m tests.bench calm`` measures what others bring."""
WORTH_COLLECTING = 2_000
"""Objects that have come since the last collection; fewer are no reason for one."""
LASTING = 10_000
"""Objects that a collection leaves: so many at once are there to stay."""

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
