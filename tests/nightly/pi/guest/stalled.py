"""Inside the virtual Pi: ``dispenser run``, held up at random, every 30 to 120 ms.

``stalled.py sleep SECONDS|lock|garbage``.

``sleep``: its loop. ``lock``: a thread that has the interpreter's lock for 100 ms and lets nobody else have it.
``garbage``: its loop, by a full collection with as much about as a page brings.
"""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import threading
import time
from collections.abc import Callable

from dispenser.__main__ import main

PAUSE_S = (0.03, 0.12)
LOCKED_S = 0.1
PROBE = 100_000
dice = random.Random(11)


def collect_garbage() -> None:
    rubbish = [[number] for number in range(100_000)]
    for one in rubbish:
        one.append(one)
    del rubbish
    gc.collect()


def hold_lock() -> None:
    """One call of C after the other that lets go of nothing."""
    begin_s = time.perf_counter()
    sum(range(PROBE))
    number = int(PROBE * LOCKED_S / (time.perf_counter() - begin_s))
    while True:
        time.sleep(dice.uniform(*PAUSE_S))
        sum(range(number))


def hold_up_each_loop(hold_up: Callable[[], object]) -> None:
    run = asyncio.BaseEventLoop.run_forever

    def run_forever(loop: asyncio.BaseEventLoop) -> None:
        def again() -> None:
            hold_up()
            loop.call_later(dice.uniform(*PAUSE_S), again)

        loop.call_later(dice.uniform(*PAUSE_S), again)
        run(loop)

    asyncio.BaseEventLoop.run_forever = run_forever


kind, *more = sys.argv[1:]
if kind == "lock":
    threading.Thread(target=hold_lock, daemon=True).start()
else:
    hold_up_each_loop(collect_garbage if kind == "garbage" else lambda: time.sleep(float(more[0])))
sys.argv[1:] = ["run"]
main()
