"""All phones of the ``table`` benchmark, as one process: ``python -m tests.bench.table_clients PHONES``.

It reads one JSON line, the ports and the cookies of the phones, opens so many streams of views on each port, prints
``open``, and reads until a line comes on standard input (JSON: for each port the number of the last view) and each
phone has been told that. Then it prints a JSON list with one list for each port: for each phone the numbers of the
views it was told and when (``perf_counter_ns``).
"""

from __future__ import annotations

import json
import math
import re
import selectors
import socket
import sys
import time
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import accumulate, starmap

from tests.bench.timing import go_first

PATIENCE_S = 20.0
STILL_S = 0.2
VIEW = re.compile(rb'event: view\ndata: [^\n]*?"at":(\d+)[^\n]*\n\n')


@dataclass(slots=True)
class Phone:
    """One stream; what arrived and when is only kept, and looked at when all is over."""

    connection: socket.socket
    received: list[tuple[int, bytes]] = field(default_factory=list)

    @classmethod
    def open(cls, port: int, cookie: str) -> Phone:
        connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        connection.sendall(
            f"GET /api/v1/table/views HTTP/1.1\r\nHost: 192.168.1.20:{port}\r\nCookie: {cookie}\r\n\r\n".encode()
        )
        answer = b""
        while b"retry:" not in answer:
            part = connection.recv(65536)
            if not part or b" 200 " not in (answer + part)[:20]:
                raise RuntimeError(f"port {port} does not stream: {(answer + part)[:300]!r}")
            answer += part
        connection.setblocking(False)
        return cls(connection)

    def told(self) -> list[tuple[int, int]]:
        """Each number and when it was there whole."""
        ends = list(accumulate(len(part) for _, part in self.received))
        text = b"".join(part for _, part in self.received)
        return [
            (int(match[1]), self.received[bisect_left(ends, match.end())][0]) for match in VIEW.finditer(_bare(text))
        ]


def _bare(text: bytes) -> bytes:
    """The heads of chunks stand within the text; nothing that is looked for has their form, but they cut it up."""
    return re.sub(rb"\r\n[0-9a-f]+\r\n", lambda head: b" " * len(head[0]), text)


def main(number: int) -> None:
    servers = json.loads(sys.stdin.readline())
    groups = [
        [
            Phone.open(server["port"], server["cookies"][min(phone, len(server["cookies"]) - 1)])
            for phone in range(number)
        ]
        for server in servers
    ]
    with selectors.DefaultSelector() as selector:
        for phone in (phone for group in groups for phone in group):
            selector.register(phone.connection, selectors.EVENT_READ, phone)
        selector.register(sys.stdin, selectors.EVENT_READ, None)
        print("open", flush=True)
        last: list[int] = []
        guard_s = math.inf
        while time.monotonic() < guard_s:
            ready = selector.select(STILL_S if last else None)
            if not ready and all(starmap(_know, zip(groups, last, strict=True))):
                break
            for key, _ in ready:
                if key.data is None:
                    last, guard_s = json.loads(sys.stdin.readline()), time.monotonic() + PATIENCE_S
                    selector.unregister(sys.stdin)
                    continue
                part = key.data.connection.recv(262144)
                key.data.received.append((time.perf_counter_ns(), part))
                if not part:
                    raise RuntimeError("a server ended a stream")
    told = [[phone.told() for phone in group] for group in groups]
    print(json.dumps(told), flush=True)
    for phone in (phone for group in groups for phone in group):
        phone.connection.close()


def _know(phones: list[Phone], last: int) -> bool:
    return all(max((number for number, _ in phone.told()), default=0) >= last for phone in phones)


if __name__ == "__main__":
    go_first()
    main(int(sys.argv[1]))
