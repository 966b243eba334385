"""Erasing: what people want forgotten is taken out of the file, and anybody can see that, where, and when.

In the place of an erased entry stands a blank one with the same number, time and source, and with the chain value that
the entry had. So nothing else of the chain changes. An entry of the type ``ERASED`` tells which were erased. It is
linked as any other, and its witness is a hash over the blanks and over what stands before each: who altered an entry
before a blank, or made a blank of one that nobody erased, is found out as before. What an erased entry said, nobody can
find out.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dispenser.journal.entry import FIRST_CHAIN

ERASED = "service.journal.erased"
"""The type of the entry that tells of it: ``first`` and ``last`` number, ``count`` and ``witness``."""
BLANK = "service.journal.blank"
"""The type of an entry that was erased."""
_BLANKS = f"""
    SELECT blank.seq, blank.time, blank.source, before.chain, blank.chain FROM entries AS blank
    LEFT JOIN entries AS before ON before.seq = blank.seq - 1
    WHERE blank.seq BETWEEN ? AND ? AND blank.type = '{BLANK}' ORDER BY blank.seq
"""  # noqa: S608  # our words only
_ERASE = f"""
    UPDATE entries SET type = '{BLANK}', data = '{{}}', request = NULL WHERE seq BETWEEN ? AND ? AND type GLOB ?
"""  # noqa: S608  # our words only


def erase(db: sqlite3.Connection, first: int, last: int, family: str) -> dict[str, Any]:
    """Erase entries in the transaction under way; return what is to be told of it.

    :param family: of all types that begin so, with a dot at its end.
    """
    db.execute(_ERASE, (first, last, f"{family}*"))
    rows = db.execute(_BLANKS, (first, last)).fetchall()
    return {"first": first, "last": last, "count": len(rows), "witness": _witness(rows)}


def rightly_blank(db: sqlite3.Connection, told: Iterable[Mapping[str, Any]]) -> list[range]:
    """Where blanks stand rightly, by what the entries of the type ``ERASED`` say."""
    found = []
    for data in told:
        first, last = data.get("first"), data.get("last")
        if isinstance(first, int) and isinstance(last, int):
            rows = db.execute(_BLANKS, (first, last)).fetchall()
            if (len(rows), _witness(rows)) == (data.get("count"), data.get("witness")):
                found.append(range(first, last + 1))
    return found


def _witness(rows: Iterable[Sequence[Any]]) -> str:
    digest = hashlib.sha256()
    for seq, time, source, before, chain in rows:
        digest.update(f"{seq} {time} {source} {before or FIRST_CHAIN} {chain}\n".encode())
    return digest.hexdigest()
