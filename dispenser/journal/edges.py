"""Raw edges of the input lines, kept beside the records so that a bug report can become a test.

They are not records: not numbered, not chained, not exported, and only the newest are kept.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Collection
from typing import NamedTuple

BUFFER_EDGES = 2_000  # Limit of edges in memory until the next append; above it the oldest are dropped
KEEP_EDGES = 20_000  # Limit of edges in the file, the newest; a burst of 5 cards makes some 15 (assumed)


class RecordedEdge(NamedTuple):
    """One raw edge as stored.

    :param run: number of the newest record when the recording process began; tells processes apart.
    :param after_seq: the last record written before this edge.
    :param active: button down, lid open, exit blocked.
    :param at_s: the driver's monotonic clock; ``wall_s``: seconds since 1970.
    """

    run: int
    after_seq: int
    line: str
    active: bool
    at_s: float
    wall_s: float


def write(db: sqlite3.Connection, edges: Collection[RecordedEdge]) -> None:
    """Insert edges and delete those above the limit, in the caller's transaction."""
    if not edges:
        return
    db.executemany("INSERT INTO edges (run, after_seq, line, active, at_s, wall_s) VALUES (?, ?, ?, ?, ?, ?)", edges)
    db.execute("DELETE FROM edges WHERE id <= (SELECT max(id) FROM edges) - ?", (KEEP_EDGES,))


def kept(db: sqlite3.Connection) -> list[RecordedEdge]:
    rows = db.execute("SELECT run, after_seq, line, active, at_s, wall_s FROM edges ORDER BY id")
    return [RecordedEdge(run, after, line, bool(active), *times) for run, after, line, active, *times in rows]


def place(edges: list[RecordedEdge], seq: int, wall_s: float) -> tuple[float, int]:
    """Return a record's time on the monotonic clock of the edges, and the run of that clock.

    A record has no monotonic time, so it is placed among the edges by their ``after_seq`` first, and by the wall clock
    only from the nearest one: setting the clock costs precision only at that place.
    """
    split = bisect_left(edges, seq, key=lambda edge: edge.after_seq)
    nearest = edges[max(split - 1, 0)]
    gap_s = wall_s - nearest.wall_s
    at_s = nearest.at_s + (max(0.0, gap_s) if split else min(0.0, gap_s))
    if 0 < split < len(edges) and edges[split].run == nearest.run:
        at_s = min(at_s, edges[split].at_s)
    return at_s, nearest.run


def around(
    edges: list[RecordedEdge], seq: int, record_wall_s: float, before_s: float, after_s: float
) -> list[RecordedEdge]:
    """Return the edges of the same process in this interval around record ``seq``, oldest first."""
    if not edges:
        return []
    at_s, run = place(edges, seq, record_wall_s)
    return [edge for edge in edges if edge.run == run and at_s - before_s <= edge.at_s <= at_s + after_s]
