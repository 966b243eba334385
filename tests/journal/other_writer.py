"""``other_writer.py JOURNAL SEED``: append to a journal until this process is killed. Run by the journal's tests.

Prints ``start``, then the number of every last record that was appended.
"""

from __future__ import annotations

import os
import random
import sys

from dispenser.journal import Journal


def content(seq: int) -> dict[str, object]:
    """What the writer puts into record ``seq``, so that the reader can check it."""
    return {"number": seq, "text": "é" * (seq * 7919 % 300), "request": f"r{seq}" if seq % 5 == 0 else None}


def say(text: object) -> None:
    os.write(1, f"{text}\n".encode())


def append_for_ever(path: str, seed: str) -> None:
    dice = random.Random(seed)
    say("start")
    journal = Journal.open(path)
    while True:
        for _ in range(dice.randrange(4)):
            journal.record_edge("button", dice.random() < 0.5, dice.random())
        first = journal.last_seq + 1
        records = journal.append("writer", [("test.record", content(first + i)) for i in range(dice.randint(1, 4))])
        say(records[-1].seq)
        if dice.random() < 0.1:
            journal.checkpoint()
        if dice.random() < 0.1:
            journal.put_secret(f"commitment {first}", "seed")


if __name__ == "__main__":
    append_for_ever(sys.argv[1], sys.argv[2])
