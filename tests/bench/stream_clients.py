"""All clients of ``stream`` and ``table``, as one process: ``python -m tests.bench.stream_clients CLIENTS``.

It reads one JSON line, the servers (``port``, ``path``, ``host``, ``pattern``, ``cookies``), opens so many streams at
each, prints ``open``, and reads until a line comes on standard input (JSON: for each server the last number) and each
client knows that number. Then it prints a JSON list with one list for each server: for each client the numbers that it
was told and when (``perf_counter_ns``).
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
from typing import Any

from tests.bench.process import PATIENCE_S
from tests.bench.timing import go_first

STILL_S = 0.2


@dataclass(slots=True)
class Client:
    """One stream; what arrived and when is only kept, and looked at when all is over.

    :ivar pattern: of a whole event, with its number.
    """

    connection: socket.socket
    pattern: re.Pattern[bytes]
    received: list[tuple[int, bytes]] = field(default_factory=list)

    @classmethod
    def open(cls, server: dict[str, Any], number: int) -> Client:
        connection = socket.create_connection(("127.0.0.1", server["port"]), timeout=PATIENCE_S)
        cookie = server["cookies"][min(number, len(server["cookies"]) - 1)]
        head = f"GET {server['path']} HTTP/1.1\r\nHost: {server['host']}:{server['port']}\r\nCookie: {cookie}\r\n\r\n"
        connection.sendall(head.encode())
        answer = b""
        while b"retry:" not in answer:
            part = connection.recv(65536)
            if not part or b" 200 " not in (answer + part)[:20]:
                raise RuntimeError(f"{server['path']} does not stream: {(answer + part)[:300]!r}")
            answer += part
        connection.setblocking(False)
        return cls(connection, re.compile(server["pattern"].encode()))

    def told(self) -> list[tuple[int, int]]:
        """Each number and when it was there whole."""
        ends = list(accumulate(len(part) for _, part in self.received))
        text = _without_chunks(b"".join(part for _, part in self.received))
        found = self.pattern.finditer(text)
        return [(int(match[1]), self.received[bisect_left(ends, match.end())][0]) for match in found]


def _without_chunks(text: bytes) -> bytes:
    """The heads of chunks stand within the text; nothing that is looked for has their form, but they cut it up."""
    return re.sub(rb"\r\n[0-9a-f]+\r\n", lambda head: b" " * len(head[0]), text)


def main(number: int) -> None:
    servers = json.loads(sys.stdin.readline())
    groups = [[Client.open(server, each) for each in range(number)] for server in servers]
    with selectors.DefaultSelector() as selector:
        for client in (client for group in groups for client in group):
            selector.register(client.connection, selectors.EVENT_READ, client)
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
    print(json.dumps([[client.told() for client in group] for group in groups]), flush=True)


def _know(clients: list[Client], last: int) -> bool:
    return all(max((number for number, _ in client.told()), default=0) >= last for client in clients)


if __name__ == "__main__":
    go_first()
    main(int(sys.argv[1]))
