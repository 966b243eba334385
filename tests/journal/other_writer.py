"""A process that writes to a journal until it is killed, or until the disk is full. Run by the journal's tests.

``journal_writer.py endless JOURNAL SEED``: says ``start``, then the number of every last entry that was appended.
``journal_writer.py full JOURNAL BYTES``: lets no file grow beyond BYTES, writes until that fails, takes the limit away,
and says as JSON what happened.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys

from dispenser.journal import Journal, JournalError


def content(seq: int) -> dict[str, object]:
    """What the writer puts into entry ``seq``, so that the reader can check it."""
    return {"number": seq, "text": "é" * (seq * 7919 % 300), "request": f"r{seq}" if seq % 5 == 0 else None}


def say(text: object) -> None:
    os.write(1, f"{text}\n".encode())


def endless(path: str, seed: str) -> None:
    dice = random.Random(seed)
    say("start")
    journal = Journal.open(path)
    while True:
        for _ in range(dice.randrange(4)):
            journal.record_edge("button", dice.random() < 0.5, dice.random())
        first = journal.last_seq + 1
        entries = journal.append("writer", [("test.entry", content(first + i)) for i in range(dice.randint(1, 4))])
        say(entries[-1].seq)
        if dice.random() < 0.1:
            journal.checkpoint()
        if dice.random() < 0.1:
            journal.put_secret(f"commitment {first}", "seed")


def full(path: str, limit_bytes: int) -> None:
    journal = Journal.open(path)
    told = 0
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    findings: dict[str, object] = {}
    try:
        while True:
            told = journal.append("writer", [("test.entry", content(told + 1)), ("test.entry", content(told + 2))])[
                -1
            ].seq
    except JournalError as error:
        findings |= {"error": type(error).__name__, "text": str(error), "told": told, "last": journal.last_seq}
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    findings["next"] = journal.append("writer", [("test.entry", content(told + 1))])[0].seq
    journal.close()
    say(json.dumps(findings))


if __name__ == "__main__":
    if sys.argv[1] == "endless":
        endless(sys.argv[2], sys.argv[3])
    else:
        full(sys.argv[2], int(sys.argv[3]))
