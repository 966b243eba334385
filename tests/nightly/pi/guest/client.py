"""Inside the virtual Pi: somebody who follows the launcher's stream of events, and tells the tests of each at once.

What it has told is outside, so a power cut does not take it back. It goes on where it was: ``client.py SEQ``.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import time

sys.path.append("/usr/local/lib/pi")

from agent import port, send

PAUSE_S = 0.2
SILENCE_S = 40


def follow(line: int, seq: int) -> int:
    """One connection, until it ends; how far it came."""
    connection = http.client.HTTPConnection("127.0.0.1", 8112, timeout=SILENCE_S)
    try:
        connection.request("GET", "/api/v1/events", headers={"Last-Event-ID": str(seq)})
        answer = connection.getresponse()
        if answer.status != http.HTTPStatus.OK:
            send(line, {"refused": answer.status})
            return seq
        for row in answer:
            field, _, value = row.decode().strip().partition(": ")
            if field == "data":
                record = json.loads(value)
                if "seq" in record:
                    seq = record["seq"]
                    send(line, {"record": record, "at_s": time.monotonic()})
    except (OSError, http.client.HTTPException):
        pass
    finally:
        connection.close()
    return seq


def main() -> None:
    line = port("client")
    os.set_blocking(line, True)
    seq = int(sys.argv[1])
    send(line, {"hello": time.monotonic()})
    while True:
        seq = follow(line, seq)
        time.sleep(PAUSE_S)


if __name__ == "__main__":
    main()
