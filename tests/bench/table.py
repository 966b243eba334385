"""``table``: from a move tapped to the phones at the table.

Against a bare broadcast that first writes one row to SQLite (what is told is kept, also when the power is cut), then
sends as many bytes to as many streams. Servers and phones are processes of their own; the servers take turns. A shot is
over when the last phone has it. What bare does not do and a table must: draw luck, know the rules, and show each seat
something else.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import time
from bisect import bisect_left
from contextlib import ExitStack
from typing import Any

from tests.bench.measure import Measure, against
from tests.bench.process import PATIENCE_S
from tests.bench.stream import pipes, process, say
from tests.bench.table_server import HOST, SEATS
from tests.bench.timing import Effort, Series

AT_MOST = 1.3
PHONES = (1, 10, 50)
EVERY_MS = 100
IN_A_TURN = 2 * SEATS
"""Each seat is in turn as often as the others, so a turn of shots ends where it began."""
TURNS_A_BLOCK = 2
SETTLE_S = 0.5
Shots = list[tuple[int, int]]
"""Numbers that phones are told, and when each was sent for."""


def table(effort: Effort) -> list[Measure]:
    """At 1, 10 and 50 phones, of which ten are seats and the rest watch."""
    return [row for phones in PHONES for row in _at(phones, effort)]


class Driver:
    """Taps at one server, and keeps when."""

    def __init__(self, server: subprocess.Popen[str], every_s: float) -> None:
        self.every_s = every_s
        _, output = pipes(server)
        self.about: dict[str, Any] = json.loads(output.readline())
        self.about.setdefault("cookies", [""])
        self.moves: Shots = []
        self._phone = http.client.HTTPConnection("127.0.0.1", self.about["port"], timeout=PATIENCE_S)

    def lay(self, seat: int) -> None:
        """A card, which is taken back soon."""
        begin = time.perf_counter_ns()
        action = ["play", seat, {"act": "lay", "card": "red 1"}]
        self.moves.append((self._tell(seat, {"do": "act", "action": action}), begin))
        time.sleep(self.every_s)
        self._tell(seat, {"do": "undo"})

    def _tell(self, seat: int, tell: dict[str, Any]) -> int:
        headers = self._headers(seat) | {"Content-Type": "application/json"}
        self._phone.request("POST", "/api/v1/table/tell", json.dumps({"tell": tell}), headers)
        answer = self._phone.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status} {answer.read()!r}")
        return int(json.loads(answer.read())["at"])

    def turn(self) -> int:
        """Whose it is; ``bare`` knows no turns."""
        self._phone.close()  # servers soon hang up; from now on the line is in use
        if "sizes" not in self.about:
            return 0
        self._phone.request("GET", "/api/v1/table/view", headers=self._headers(0))
        seats = json.loads(self._phone.getresponse().read())["seats"]
        return next(int(each["seat"]) for each in seats if each["turn"])

    def close(self) -> None:
        self._phone.close()

    def _headers(self, seat: int) -> dict[str, str]:
        cookies = self.about["cookies"]
        return {"Host": f"{HOST}:{self.about['port']}", "Cookie": cookies[seat % len(cookies)]}


def _at(phones: int, effort: Effort) -> list[Measure]:
    every_s = effort.pick(EVERY_MS, 30) / 1000
    with ExitStack() as stack:
        ours = Driver(stack.enter_context(process("table_server", "ours", cpu=0)), every_s)
        sizes = map(str, ours.about["sizes"])
        bare = Driver(stack.enter_context(process("table_server", "bare", *sizes, cpu=0)), every_s)
        for driver in (ours, bare):
            stack.callback(driver.close)
        clients = stack.enter_context(process("table_clients", str(phones), cpu=-1))
        to_clients, from_clients = pipes(clients)
        say(to_clients, json.dumps([ours.about, bare.about]))
        if from_clients.readline() != "open\n":
            raise RuntimeError("the phones did not get their streams")
        time.sleep(SETTLE_S)
        for _ in range(effort.pick(10, 1)):
            for driver in (ours, bare):
                _shots(driver)
        say(to_clients, json.dumps([driver.moves[-1][0] for driver in (ours, bare)]))
        told = json.loads(from_clients.readline())
    by_ours, by_bare = (_series(driver.moves, side) for driver, side in zip((ours, bare), told, strict=True))
    return _rows(f"move tapped → {phones} phone{'s' if phones > 1 else ''}", by_ours, by_bare)


def _shots(driver: Driver) -> None:
    seat = driver.turn()
    for _ in range(IN_A_TURN):
        driver.lay(seat)
        time.sleep(driver.every_s)


def _series(shots: Shots, phones: list[list[tuple[int, int]]]) -> Series:
    """How long it took until the last phone knew of each shot: was told its number, or a later one."""
    blocks: dict[int, list[int]] = {}
    for place, (number, begin) in enumerate(shots):
        last = max(_heard(phone, number) for phone in phones)
        blocks.setdefault(place // (TURNS_A_BLOCK * IN_A_TURN), []).append(last - begin)
    return Series(tuple(blocks.values()))


def _heard(phone: list[tuple[int, int]], number: int) -> int:
    place = bisect_left(phone, number, key=lambda told: told[0])
    if place == len(phone):
        raise RuntimeError(f"a phone was never told number {number}")
    return phone[place][1]


def _rows(what: str, ours: Series, bare: Series) -> list[Measure]:
    detail = {"ours": ours.as_json(), "bare": bare.as_json()}
    return [
        against(
            bare.at_us(quantile), ours.at_us(quantile), "table", f"{what}, {name}", "µs", at_most=AT_MOST, detail=detail
        )
        for name, quantile in (("median", 0.5), ("p99", 0.99))
    ]
