"""``stream``: from an event to the clients of the stream. ``table``: from a move tapped to the phones at the table.

Both against a bare broadcast that first writes one row to SQLite and syncs it, then sends as many bytes to as many
streams. Servers and clients are processes of their own; the servers take turns. A move is over when the last phone has
it. What bare does not do and a table must: draw luck, know the rules, and show each seat something else.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import IO, Any

from tests.bench.measure import Measure, against
from tests.bench.process import PATIENCE_S, environment
from tests.bench.stream_server import HOST, SEATS
from tests.bench.timing import Effort, Series

AT_MOST = 1.3
CLIENTS = (1, 50, 200)
PHONES = (1, 10, 50)
EVENT_EVERY_S = 0.05
MOVE_EVERY_S = 0.1
EVENTS_IN_A_TURN = 20
MOVES_IN_A_TURN = 2 * SEATS
"""Each seat is in turn as often as the others, so a turn of shots ends where it began."""
SHOTS_A_BLOCK = 60
SETTLE_S = 0.5
EVENTS = {"path": "/api/v1/events", "host": "127.0.0.1", "pattern": r'"number": ?(\d+)\}[^\n]*\n\n'}
VIEWS = {"path": "/api/v1/table/views", "host": HOST, "pattern": r'event: view\ndata: [^\n]*?"at":(\d+)[^\n]*\n\n'}
Told = list[list[tuple[int, int]]]
"""For each client the numbers that it was told, and when."""


class Server:
    """One of the two servers, and the shots that were made at it.

    :ivar shots: numbers that clients are told, and when each was sent for.
    """

    def __init__(self, process: subprocess.Popen[str], effort: Effort) -> None:
        self._input, output = pipes(process)
        self.about: dict[str, Any] = json.loads(output.readline())
        self.shots: list[tuple[int, int]] = []
        self._numbers = count(1)
        self._move_every_s = effort.pick(MOVE_EVERY_S * 1000, 30) / 1000
        self._phone = http.client.HTTPConnection("127.0.0.1", self.about["port"], timeout=PATIENCE_S)

    def events(self) -> None:
        """One turn: a second of events, which this process makes, as an edge would come from outside."""
        due = time.monotonic()
        for number in (next(self._numbers) for _ in range(EVENTS_IN_A_TURN)):
            due += EVENT_EVERY_S
            time.sleep(max(0.0, due - time.monotonic()))
            self.shots.append((number, time.perf_counter_ns()))
            say(self._input, str(number))

    def moves(self) -> None:
        """One turn of cards that the seat in turn lays and takes back."""
        self._phone.close()  # servers soon hang up; from now on the line is in use
        seat = self._turn()
        action = ["play", seat, {"act": "lay", "card": "red 1"}]
        for _ in range(MOVES_IN_A_TURN):
            begin = time.perf_counter_ns()
            self.shots.append((self._tell(seat, {"do": "act", "action": action}), begin))
            time.sleep(self._move_every_s)
            self._tell(seat, {"do": "undo"})
            time.sleep(self._move_every_s)
        self._phone.close()

    def _turn(self) -> int:
        """Whose it is; ``bare`` knows no turns."""
        if "sizes" not in self.about:
            return 0
        self._phone.request("GET", "/api/v1/table/view", headers=self._headers(0))
        seats = json.loads(self._phone.getresponse().read())["seats"]
        return next(int(each["seat"]) for each in seats if each["turn"])

    def _tell(self, seat: int, tell: dict[str, Any]) -> int:
        headers = self._headers(seat) | {"Content-Type": "application/json"}
        self._phone.request("POST", "/api/v1/table/commands", json.dumps({"command": tell}), headers)
        answer = self._phone.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status} {answer.read()!r}")
        return int(json.loads(answer.read())["at"])

    def _headers(self, seat: int) -> dict[str, str]:
        cookies = self.about["cookies"]
        return {"Host": f"{HOST}:{self.about['port']}", "Cookie": cookies[seat % len(cookies)]}


def stream(effort: Effort) -> list[Measure]:
    """At 1, 50 and 200 clients."""
    rows = list[Measure]()
    for clients in CLIENTS:
        servers, told = _played(clients, EVENTS, Server.events, effort.pick(15, 1), effort)
        rows += _rows("stream", f"event → {clients} client{'s' if clients > 1 else ''}", servers, told)
        ours, bare = (_lost_or_double(server, each) for server, each in zip(servers, told, strict=True))
        what = f"event → {clients} client{'s' if clients > 1 else ''}, lost or double"
        rows.append(
            Measure(benchmark="stream", measure=what, unit="", ours=ours, baseline=bare, goal="0", met=not ours)
        )
    return rows


def table(effort: Effort) -> list[Measure]:
    """At 1, 10 and 50 phones, of which ten are seats and the rest watch."""
    rows = list[Measure]()
    for phones in PHONES:
        servers, told = _played(phones, VIEWS, Server.moves, effort.pick(10, 1), effort)
        rows += _rows("table", f"move tapped → {phones} phone{'s' if phones > 1 else ''}", servers, told)
    return rows


def _played(
    clients: int, streams: dict[str, str], turn: Callable[[Server], None], turns: int, effort: Effort
) -> tuple[list[Server], list[Told]]:
    """Both servers, ours first, after so many turns of each, and what their clients were told."""
    with ExitStack() as stack:
        ours = Server(stack.enter_context(process("stream_server", "ours", cpu=0)), effort)
        sizes = map(str, ours.about["sizes"])
        bare = Server(stack.enter_context(process("stream_server", "bare", *sizes, cpu=0)), effort)
        readers = stack.enter_context(process("stream_clients", str(clients), cpu=-1))
        to_readers, from_readers = pipes(readers)
        say(to_readers, json.dumps([server.about | streams for server in (ours, bare)]))
        if from_readers.readline() != "open\n":
            raise RuntimeError("the clients did not get their streams")
        time.sleep(SETTLE_S)
        for _ in range(turns):
            for server in (ours, bare):
                turn(server)
        say(to_readers, json.dumps([server.shots[-1][0] for server in (ours, bare)]))
        return [ours, bare], json.loads(from_readers.readline())


def _rows(benchmark: str, what: str, servers: list[Server], told: list[Told]) -> list[Measure]:
    ours, bare = (_series(each, at, last=benchmark == "table") for each, at in zip(servers, told, strict=True))
    detail = {"ours": ours.as_json(), "bare": bare.as_json()}
    return [
        against(
            bare.at_us(quantile),
            ours.at_us(quantile),
            benchmark,
            f"{what}, {name}",
            "µs",
            at_most=AT_MOST,
            detail=detail,
        )
        for name, quantile in (("median", 0.5), ("p99", 0.99))
    ]


def _series(server: Server, told: Told, *, last: bool) -> Series:
    """How long it took until each client knew of each shot (was told its number, or a later one), or the last did."""
    blocks: dict[int, list[int]] = {}
    for place, (number, begin) in enumerate(server.shots):
        took_ns = [_received(client, number) - begin for client in told]
        blocks.setdefault(place // SHOTS_A_BLOCK, []).extend([max(took_ns)] if last else took_ns)
    return Series(tuple(blocks.values()))


def _received(client: list[tuple[int, int]], number: int) -> int:
    place = bisect_left(client, number, key=lambda told: told[0])
    if place == len(client):
        raise RuntimeError(f"a client was never told number {number}")
    return client[place][1]


def _lost_or_double(server: Server, told: Told) -> int:
    """How many clients were not told each number once and in order."""
    numbers = [number for number, _ in server.shots]
    return sum([number for number, _ in client] != numbers for client in told)


def say(pipe: IO[str], line: str) -> None:
    pipe.write(f"{line}\n")
    pipe.flush()


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
