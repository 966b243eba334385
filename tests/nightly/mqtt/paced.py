"""Virtual time for what talks to real processes, and a subscriber that loses nothing while its broker runs."""

from __future__ import annotations

import asyncio
import json
import math
import selectors
import threading
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from dispenser.clocks.virtual import VirtualLoop
from tests.waiting import LIMIT_S

SPEED = 20.0  # Virtual seconds in a real one
LONGEST_S = 600.0  # Virtual


class PacedLoop(VirtualLoop):
    """Before time jumps, whoever is at the other end of a socket has a part of that time to answer."""

    _selector: selectors.DefaultSelector  # BaseSelectorEventLoop's own

    def must_wait(self, *, idle: bool) -> bool:
        if idle and not self._jobs:
            timer_s = self._scheduled[0].when() if self._scheduled else math.inf
            gap_s = min(timer_s, self.world.next_s()) - self.time()
            if 0 < gap_s < math.inf and selectors.DefaultSelector.select(self._selector, gap_s / SPEED):
                return True
        return super().must_wait(idle=idle)


def paced(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test on such a loop."""

    @wraps(test)
    def run(**fixtures: Any) -> None:
        with asyncio.Runner(loop_factory=PacedLoop) as runner:
            runner.run(asyncio.wait_for(test(**fixtures), 2 * LONGEST_S))

    return run


class Subscriber:
    """Hears a topic on a thread of its own, without acknowledgements: what the broker has sent is read, even when it
    has been killed since.

    :ivar seen: what each message said.
    """

    def __init__(self, topic: str) -> None:
        self.seen: list[Any] = []
        self._topic = topic
        self._client: Client | None = None

    def connect(self, port: int) -> None:
        """Subscribed when it returns. The broker of the connection before was killed."""
        self._leave()
        subscribed, self._gone = threading.Event(), (gone := threading.Event())
        client = self._client = Client(CallbackAPIVersion.VERSION2, reconnect_on_failure=False)
        client.on_connect = lambda *_: client.subscribe(self._topic)
        client.on_subscribe = lambda *_: subscribed.set()
        client.on_message = lambda _client, _data, message: self.seen.append(json.loads(message.payload))
        client.on_disconnect = lambda *_: gone.set()
        client.connect("127.0.0.1", port)
        client.loop_start()
        assert subscribed.wait(LIMIT_S)

    def _leave(self) -> None:
        if self._client is not None:
            assert self._gone.wait(LIMIT_S)
            self._client.loop_stop()

    def close(self) -> None:
        if self._client is not None:
            self._client.disconnect()
            self._leave()
