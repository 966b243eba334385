"""All clients of the ``stream`` benchmark, as one process: ``python -m tests.bench.stream_clients CLIENTS PORT...``.

It opens so many streams on each port, prints ``open``, and reads until a line comes on standard input. Then it prints
a JSON list with one object for each port: ``events``, the number and the latency in microseconds of every event
at every client, and ``extra``, how many of them came twice or out of order.
"""

from __future__ import annotations

import json
import re
import selectors
import socket
import sys
import time
from dataclasses import dataclass, field
from itertools import pairwise

from tests.bench.timing import go_first

REQUEST = b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
EVENT = re.compile(rb'"number": ?(\d+), ?"at_ns": ?(\d+)\}[^\n]*\n\n')
PATIENCE_S = 20.0


@dataclass(slots=True)
class Client:
    """One stream; what arrived and when is only kept, and looked at when all is over."""

    connection: socket.socket
    received: list[tuple[int, bytes]] = field(default_factory=list)

    @classmethod
    def open(cls, port: int) -> Client:
        connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        connection.sendall(REQUEST)
        answer = b""
        while b"retry:" not in answer:
            part = connection.recv(65536)
            if not part:
                raise RuntimeError(f"port {port} does not stream: {answer[:200]!r}")
            answer += part
        connection.setblocking(False)
        return cls(connection)

    def events(self) -> list[tuple[int, float]]:
        """Number and latency in microseconds of every event, in the order of their arrival."""
        text = b"".join(part for _, part in self.received)
        found, ends = [], []
        end = 0
        for at_ns, part in self.received:
            end += len(part)
            ends.append((end, at_ns))
        arrivals = iter(ends)
        end, at_ns = next(arrivals, (0, 0))
        for match in EVENT.finditer(text):
            while end < match.end():
                end, at_ns = next(arrivals)
            found.append((int(match[1]), (at_ns - int(match[2])) / 1e3))
        return found


def report(clients: list[Client]) -> dict[str, object]:
    seen = [client.events() for client in clients]
    numbers = [[number for number, _ in events] for events in seen]
    return {
        "events": [(number, round(latency, 1)) for events in seen for number, latency in events],
        "extra": sum(later <= sooner for each in numbers for sooner, later in pairwise(each)),
    }


def main(number: int, ports: list[int]) -> None:
    groups = [[Client.open(port) for _ in range(number)] for port in ports]
    with selectors.DefaultSelector() as selector:
        for client in (client for group in groups for client in group):
            selector.register(client.connection, selectors.EVENT_READ, client)
        selector.register(sys.stdin, selectors.EVENT_READ, None)
        print("open", flush=True)
        over = False
        while not over:
            for key, _ in selector.select():
                if key.data is None:
                    over = True
                    continue
                part = key.data.connection.recv(65536)
                key.data.received.append((time.perf_counter_ns(), part))
                if not part:
                    raise RuntimeError("a server ended a stream")
    print(json.dumps([report(group) for group in groups]), flush=True)
    for client in (client for group in groups for client in group):
        client.connection.close()


if __name__ == "__main__":
    go_first()
    main(int(sys.argv[1]), [int(port) for port in sys.argv[2:]])
