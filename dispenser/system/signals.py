"""Handle signals and other ends of this process: turn the motor off first.

===============================  =======================================================================================
a signal that ends programs      an orderly end (``on_signal``): motor off, seed revealed, journal closed
Ctrl-Z                           motor off, then the process sleeps as asked (``on_signal``)
an exception in a thread         motor off, and a fault that says so; the service goes on (``on_thread_error``)
``sys.exit`` anywhere, an error  the service stops as its ``async with`` ends
the loop ends, nobody stopped    motor off as the service's task is cancelled
the interpreter ends             motor off (``atexit``, which the service asks for itself)
``kill -9``, a crash, no power   nothing of ours runs any more: ``dispenser.motor_off``, and the pull-down resistor
===============================  =======================================================================================
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_NAMES = ("HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "XCPU", "POLL", "PWR")
ENDING = tuple(getattr(signal, f"SIG{name}") for name in _NAMES if hasattr(signal, f"SIG{name}"))
"""Signals that end a program which does not listen to them, as far as one can."""
SETTLE_S = 0.05
"""Before the process sleeps: another thread may have the pins just now, and has to take the order first, seconds."""


def on_signal(end: Callable[[int], object], motor_off: Callable[[], object]) -> None:
    """From now on the running loop calls ``end`` at each of ``ENDING``, with its number; Ctrl-Z turns off the motor.

    A loop that is held up hears of a signal when it goes on; a run of the motor ends by itself meanwhile.
    """
    loop = asyncio.get_running_loop()
    for number in ENDING:
        if number in {signal.SIGINT, signal.SIGTERM} or signal.getsignal(number) is not signal.SIG_IGN:  # as by nohup
            try:
                loop.add_signal_handler(number, end, number)
            except NotImplementedError:  # Windows' loop; a signal wakes it all the same
                signal.signal(number, lambda number, _: loop.call_soon_threadsafe(end, number))

    def stop_process() -> None:
        motor_off()
        time.sleep(SETTLE_S)
        os.kill(os.getpid(), signal.SIGSTOP)

    if hasattr(signal, "SIGTSTP"):  # not on Windows
        loop.add_signal_handler(signal.SIGTSTP, stop_process)


@contextmanager
def on_thread_error(failed: Callable[[BaseException], object]) -> Iterator[None]:
    """Inside, call ``failed`` with an exception that ends a thread, on that very thread; then show it as usual."""
    usual = threading.excepthook

    def hook(about: threading.ExceptHookArgs) -> None:
        try:
            if about.exc_value is not None:
                failed(about.exc_value)
        finally:
            usual(about)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = usual
