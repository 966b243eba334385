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
"""Signals that terminate a process by default, as far as they can be handled."""
SETTLE_S = 0.05
"""Delay before the process stops, seconds: the thread that owns the pins may be busy when the command comes."""


def on_signal(end: Callable[[int], object], motor_off: Callable[[], object]) -> None:
    """Make the running loop call ``end`` with the number of each of the ``ENDING`` signals; Ctrl-Z turns the motor off.

    A blocked loop handles a signal only when it continues; a motor run ends by itself meanwhile.
    """
    loop = asyncio.get_running_loop()
    for number in ENDING:
        if number in {signal.SIGINT, signal.SIGTERM} or signal.getsignal(number) is not signal.SIG_IGN:  # as by nohup
            try:
                loop.add_signal_handler(number, end, number)
            except NotImplementedError:  # on Windows; a signal wakes its loop all the same
                signal.signal(number, lambda number, _: loop.call_soon_threadsafe(end, number))

    def stop_process() -> None:
        motor_off()
        time.sleep(SETTLE_S)
        os.kill(os.getpid(), signal.SIGSTOP)

    if hasattr(signal, "SIGTSTP"):  # not on Windows
        loop.add_signal_handler(signal.SIGTSTP, stop_process)


@contextmanager
def on_thread_error(failed: Callable[[BaseException], object]) -> Iterator[None]:
    """Within the context, call ``failed`` on a thread that an exception ends, then the default ``excepthook``."""
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
