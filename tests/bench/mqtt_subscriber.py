"""Subscribe to the records that launchers publish, as a process: ``python -m tests.bench.mqtt_subscriber PORT EVERY``.

It prints a line when it has subscribed, and then the time whenever so many events of the benchmark have come; the end
of standard input ends it.
"""

from __future__ import annotations

import sys
import time
from itertools import count
from typing import Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

TYPE = "bench.event"


def main(port: int, every: int) -> None:
    client, numbers = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5), count(1)

    def heard(_client: Client, _data: Any, message: MQTTMessage) -> None:
        if TYPE.encode() in message.payload and next(numbers) % every == 0:
            print(time.perf_counter_ns(), flush=True)

    client.on_connect = lambda *_: client.subscribe("dispenser/+/journal", qos=1)
    client.on_subscribe = lambda *_: print("subscribed", flush=True)
    client.on_message = heard
    client.connect("127.0.0.1", port)
    client.loop_start()
    sys.stdin.read()
    client.loop_stop()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
