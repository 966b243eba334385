"""``stream``: from an event to the clients of the stream, against a bare FastAPI broadcast that commits the same row.

Two servers and all clients are processes of their own. This process makes the events: it writes the time into a
server's standard input, as an edge would come from outside, twenty a second, a second for one server and a
second for the other. So whatever holds a server's loop up is in the figures.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Any

from tests.bench.measure import Measure, against
from tests.bench.process import environment
from tests.bench.timing import Effort, Series

AT_MOST = 1.3
CLIENTS = (1, 50, 200)
EVERY_S = 0.05
IN_A_TURN = 20
IN_A_BLOCK = 60
SETTLE_S = 0.5


def stream(effort: Effort) -> list[Measure]:
    """At 1, 50 and 200 clients."""
    return [row for clients in CLIENTS for row in _at(clients, effort.pick(15, 1))]


def _at(clients: int, turns: int) -> list[Measure]:
    with ExitStack() as stack:
        servers = [stack.enter_context(process("stream_server", kind, cpu=0)) for kind in ("ours", "bare")]
        ports = [pipes(server)[1].readline().strip() for server in servers]
        readers = stack.enter_context(process("stream_clients", str(clients), *ports, cpu=-1))
        to_readers, from_readers = pipes(readers)
        if from_readers.readline() != "open\n":
            raise RuntimeError("the clients did not get their streams")
        for _ in range(turns):
            for server in servers:
                _events(pipes(server)[0])
        time.sleep(SETTLE_S)
        say(to_readers, "over")
        sides = json.loads(from_readers.readline())
        for server, side in zip(servers, sides, strict=True):
            say(pipes(server)[0], "")
            side["publish_us"] = float(pipes(server)[1].readline())
    return _rows(clients, turns * IN_A_TURN, *sides)


def _events(server: IO[str]) -> None:
    """One turn: a second of events for one server."""
    due = time.monotonic()
    for _ in range(IN_A_TURN):
        due += EVERY_S
        time.sleep(max(0.0, due - time.monotonic()))
        say(server, str(time.perf_counter_ns()))


def say(pipe: IO[str], line: str) -> None:
    pipe.write(f"{line}\n")
    pipe.flush()


def _rows(clients: int, events: int, ours: dict[str, Any], bare: dict[str, Any]) -> list[Measure]:
    times = {name: _series(side) for name, side in (("ours", ours), ("bare", bare))}
    what = f"event → {clients} client{'s' if clients > 1 else ''}"
    detail = {name: series.as_json() for name, series in times.items()} | {"events": events}
    note = (
        f"publishing, journal included, took {ours['publish_us']:.0f} µs (median), "
        f"the bare server's row and queues {bare['publish_us']:.0f} µs"
    )
    rows = [
        against(
            times["bare"].at_us(quantile),
            times["ours"].at_us(quantile),
            "stream",
            f"{what}, {name}",
            "µs",
            at_most=AT_MOST,
            detail=detail,
            note=note if name == "median" else "",
        )
        for name, quantile in (("median", 0.5), ("p99", 0.99))
    ]
    wrong = {name: _missing(side, events, clients) + side["extra"] for name, side in (("ours", ours), ("bare", bare))}
    rows.append(
        Measure(
            benchmark="stream",
            measure=f"{what}, lost or double of {events * clients}",
            unit="",
            ours=wrong["ours"],
            baseline=wrong["bare"],
            goal="0",
            met=wrong["ours"] == 0,
        )
    )
    return rows


def _series(side: dict[str, Any]) -> Series:
    blocks: dict[int, list[int]] = {}
    for number, latency_us in side["events"]:
        blocks.setdefault((number - 1) // IN_A_BLOCK, []).append(round(latency_us * 1e3))
    return Series(tuple(blocks.values()))


def _missing(side: dict[str, Any], events: int, clients: int) -> int:
    return events * clients - (len(side["events"]) - side["extra"])


def pipes(of: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    if of.stdin is None or of.stdout is None:
        raise RuntimeError("the process has no pipes")
    return of.stdin, of.stdout


@contextmanager
def process(module: str, *arguments: str, cpu: int) -> Iterator[subprocess.Popen[str]]:
    """A module of this package as a process, on one CPU; its standard input is its life."""
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {allowed[cpu]})
    try:
        begun = subprocess.Popen(
            [sys.executable, "-m", f"tests.bench.{module}", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )
    finally:
        os.sched_setaffinity(0, set(allowed))
    try:
        yield begun
    finally:
        for pipe in pipes(begun):
            pipe.close()
        try:
            begun.wait(30)
        except subprocess.TimeoutExpired:
            begun.kill()
            begun.wait()
            raise
