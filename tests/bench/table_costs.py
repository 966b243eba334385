"""What a table costs beside: a phone's first load, memory, and wake-ups while ten phones look and nobody moves.

Two processes of ``dispenser run`` on mock pins: one with its page alone, one with an evening of ten.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from tests.bench.idle import SETTLE_S
from tests.bench.measure import Measure, against
from tests.bench.process import PATIENCE_S, LauncherProcess
from tests.bench.timing import Effort

PHONES = 10
MEMORY_AT_MOST = 1.2
"""Times that of a launcher's process without a table."""
LOAD_KB = 100
LOAD_REQUESTS = 12
APART_S = 0.3
"""Between two phones that come."""
_FETCHED = re.compile(r'"(/static/[^"]+)"')


class Evening:
    """Ten people at a launcher's process, and what they say; on this machine, so each may do anything."""

    def __init__(self, launcher: LauncherProcess) -> None:
        self.address = launcher.page.removeprefix("http://").strip("/")
        self._connection = http.client.HTTPConnection(self.address, timeout=PATIENCE_S)
        self.cookies = [self._sit({"do": "open", "name": "Léa"})]
        self.cookies += [self._sit({"do": "join", "name": f"Player {number}"}) for number in range(2, PHONES + 1)]
        self.tell({"do": "start", "game": "uno-extreme", "options": {"customizable": 0}})
        self.tell({"do": "act", "action": ["answer", None, "red 7"]})

    def _sit(self, tell: dict[str, Any]) -> str:
        return (self._post(tell, {})[1] or "").partition(";")[0]

    def tell(self, tell: dict[str, Any]) -> None:
        self._post(tell, {"Cookie": self.cookies[0]})

    def _post(self, tell: dict[str, Any], headers: dict[str, str]) -> tuple[bytes, str | None]:
        headers = headers | {"Content-Type": "application/json"}
        return self._ask("POST", "/api/v1/table/tell", json.dumps({"tell": tell}), headers)

    def get(self, path: str, **headers: str) -> bytes:
        return self._ask("GET", path, None, {"Cookie": self.cookies[1], **headers})[0]

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[bytes, str | None]:
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {content[:300]!r}")
        return content, answer.headers["set-cookie"]

    def views(self, phone: int) -> tuple[socket.socket, bytes]:
        """A phone's stream, and what came until its first view was there."""
        host, _, port = self.address.rpartition(":")
        client = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
        cookie = self.cookies[phone]
        request = f"GET /api/v1/table/views HTTP/1.1\r\nHost: {self.address}\r\nCookie: {cookie}\r\n\r\n"
        client.sendall(request.encode())
        received = b""
        while not re.search(rb"event: view\n[^\n]+\n\n", received):
            received += client.recv(65536)
        return client, received

    def close(self) -> None:
        self._connection.close()


def costs(effort: Effort) -> list[Measure]:
    """Of a table, against a launcher without."""
    with ExitStack() as stack:
        alone = stack.enter_context(LauncherProcess(web=True, count=True))
        table = stack.enter_context(LauncherProcess(web=True, count=True))
        alone.look_at_the_page()
        stack.enter_context(alone.open_stream())
        table.look_at_the_page()
        evening = stack.enter_context(closing(Evening(table)))
        load = _first_load(evening)
        for phone in range(PHONES):
            client, _ = evening.views(phone)
            stack.enter_context(client)
            time.sleep(APART_S)
        for _ in range(effort.pick(30, 3)):
            evening.tell({"do": "undo"})
            evening.tell({"do": "redo"})
            evening.get("/api/v1/table/sheet")
        memory = _memory(alone, table)
        for _ in range(PHONES - 1):
            stack.enter_context(alone.open_stream())
            time.sleep(APART_S)
        return [*load, memory, _idle(alone, table, effort.pick(60, 6))]


def _first_load(evening: Evening) -> list[Measure]:
    """What a browser asks for that has never been here, packed as browsers take it, and the first view."""
    page = evening.get("/table").decode()
    paths = ["/table", *sorted(set(_FETCHED.findall(page)))]
    sizes = {path: len(evening.get(path, **{"Accept-Encoding": "gzip"})) for path in paths}
    client, first = evening.views(0)
    client.close()
    kb, requests = (sum(sizes.values()) + len(first)) / 1e3, len(paths) + 1
    return [
        Measure(
            benchmark="table",
            measure=f"a phone's first load, {what}",
            unit=unit,
            ours=ours,
            goal=f"< {goal}",
            met=ours < goal,
            detail=sizes | {"first view": len(first)},
        )
        for what, unit, ours, goal in (("bytes", "kB", kb, LOAD_KB), ("requests", "", requests, LOAD_REQUESTS))
    ]


def _memory(alone: LauncherProcess, table: LauncherProcess) -> Measure:
    plain, ours = alone.peak_memory_mib(), table.peak_memory_mib()
    pss = [_pss_mib(each.process.pid) for each in (alone, table)]
    return against(
        plain,
        ours,
        "table",
        f"peak memory, table and {PHONES} phones over page and stream",
        "MiB",
        at_most=MEMORY_AT_MOST,
        note=f"{ours - plain:+.1f} MiB; of its own and shared in part (PSS) {pss[1]:.1f} against {pss[0]:.1f} MiB",
    )


def _pss_mib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _idle(alone: LauncherProcess, table: LauncherProcess, seconds: int) -> Measure:
    time.sleep(SETTLE_S)
    before = [each.wakeups() for each in (alone, table)]
    begin = time.monotonic()
    time.sleep(seconds)
    plain, ours = (each.wakeups() - start for each, start in zip((alone, table), before, strict=True))
    minutes = (time.monotonic() - begin) / 60
    return Measure(
        benchmark="table",
        measure=f"wake-ups a minute, idle table, {PHONES} phones (launcher alone, as many streams)",
        unit="",
        ours=ours.waits / minutes,
        baseline=plain.waits / minutes,
        ratio=ours.waits / plain.waits,
        goal="no more",
        met=ours.waits <= plain.waits,
        note=f"sleeps of all threads {ours.sleeps / minutes:.0f} against {plain.sleeps / minutes:.0f}",
    )
