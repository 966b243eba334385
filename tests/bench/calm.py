"""``calm``: how long an edge waits for its callback while another Python thread is busy.

The edge is the time in a pipe, written by another process; the callback's thread sleeps in ``read``, as a pin
factory's does. Baseline: Python as it is. What the shorter turns cost is how much less the busy thread gets done.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

from dispenser.system.calm import SWITCH_S
from tests.bench.measure import Measure, against
from tests.bench.process import environment
from tests.bench.timing import BLOCKS, Effort, Series, go_first

USUAL_S = 0.005
_EDGES = """
import os, sys, time
for _ in range(int(sys.argv[1])):
    time.sleep(0.003)
    os.write(1, time.perf_counter_ns().to_bytes(8, "little"))
"""


def calm(effort: Effort) -> list[Measure]:
    """At Python's usual turns, and at ours."""
    edges = effort.pick(2_200, 44)
    before = sys.getswitchinterval()
    go_first()
    try:
        (bare, bare_work), (ours, our_work) = (_waits(switch_s, edges) for switch_s in (USUAL_S, SWITCH_S))
    finally:
        sys.setswitchinterval(before)
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    detail = {"usual": bare.as_json(), "ours": ours.as_json()}
    rows = [
        against(bare.at_us(q), ours.at_us(q), "calm", f"edge → callback, a thread is busy, {name}", "µs", detail=detail)
        for name, q in (("median", 0.5), ("p99", 0.99))
    ]
    rows.append(
        Measure(
            benchmark="calm",
            measure="what the busy thread gets done",
            unit="a second",
            ours=our_work,
            baseline=bare_work,
            ratio=bare_work / our_work,
        )
    )
    return rows


def _waits(switch_s: float, edges: int) -> tuple[Series, float]:
    """How long the edges waited, and how much the busy thread did in a second."""
    sys.setswitchinterval(switch_s)
    blocks: list[list[int]] = [[] for _ in range(BLOCKS)]
    done = threading.Event()
    work = [0]

    def keep_busy() -> None:
        count = 0
        while not done.is_set():
            count += 1
        work[0] = count

    command = [sys.executable, "-c", _EDGES, str(edges)]
    busy = threading.Thread(target=keep_busy)
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(), bufsize=0) as process:
        if process.stdout is None:
            raise RuntimeError("no pipe")
        busy.start()
        begin = time.perf_counter()
        for number in range(edges):
            at_ns = int.from_bytes(process.stdout.read(8), "little")
            blocks[number * BLOCKS // edges].append(time.perf_counter_ns() - at_ns)
        took_s = time.perf_counter() - begin
        done.set()
        busy.join()
    return Series(tuple(blocks)), work[0] / took_s
