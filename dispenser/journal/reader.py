"""Read the journal by number, type, time and request, and verify its hash chain."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Self

from dispenser.i18n import Text
from dispenser.journal.damage import Damage
from dispenser.journal.edges import RecordedEdge, around, kept
from dispenser.journal.errors import FilterError, JournalDamagedError, explained
from dispenser.journal.record import BLANK, ERASED, FIRST_CHAIN, Record, digest_of, link, record_of, stamp
from dispenser.journal.store import connect_read_only

_PAGE = 256  # records read at a time: no statement stays open between two pages, so a slow reader blocks nobody
_COLUMNS = "seq, time, source, type, CAST(data AS BLOB)"
COUNT_BLANK = f"SELECT count(*) FROM records WHERE seq BETWEEN ? AND ? AND type = '{BLANK}'"  # noqa: S608  # our words only
_ALL_TYPES = """
    WITH RECURSIVE known (type) AS (
        SELECT min(type) FROM records
        UNION ALL SELECT (SELECT min(type) FROM records WHERE type > known.type) FROM known WHERE known.type IS NOT NULL
    )
    SELECT type FROM known WHERE type IS NOT NULL
"""
"""All types in the journal: one index lookup per type, however many records there are."""


class JournalReader:
    """A journal open for reading; ``Journal.read_only`` opens one.

    One thread at a time: it may be opened on one thread and used on another.

    :ivar id: identifies the journal: every journal's numbers begin at 1.
    """

    def __init__(self, db: sqlite3.Connection, name: str) -> None:
        self._db = db
        self._name = name
        self.id = str(self.ask("SELECT id FROM journal")[0][0])

    @staticmethod
    def read_only(path: str | Path) -> JournalReader:
        """Open ``path`` for reading, even while it is written or in a read-only folder; takes some 0.4 ms."""
        return JournalReader(connect_read_only(Path(path), str(path)), str(path))

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def last_seq(self) -> int:
        return self.end()[0]

    def end(self) -> tuple[int, str]:
        """Return number and chain value of the newest record; number 0 if there is none."""
        rows = self.ask("SELECT seq, chain FROM records ORDER BY seq DESC LIMIT 1")
        return rows[0] if rows else (0, FIRST_CHAIN)

    def __iter__(self) -> Iterator[Record]:
        return self.read()

    def read(
        self,
        after: int = 0,
        before: int | None = None,
        *,
        types: Iterable[str] | None = None,
        source: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        last: int | None = None,
    ) -> Iterator[Record]:
        """Yield records in order of ``seq``, of those in the journal at the call.

        A damaged record that cannot be read is replaced by one of type ``service.journal.unreadable``.

        :param types: any of these: ``launcher.press`` or ``launcher.press.*`` selects that type and all below it,
            ``launcher.pre*`` all with this prefix.
        :param since: lower bound of time, with a time zone. The journal's clock may have been set back.
        :param until: upper bound of time, with a time zone.
        :param limit: largest number of records, the oldest; ``last``: only the newest so many, still oldest first.
        :raises FilterError: an invalid filter.
        """
        end = self.last_seq + 1  # bounds, because SQLite's integers have 64 bits
        values: dict[str, Any] = {"before": end if before is None else min(max(before, 0), end)}
        conditions = "seq > :after AND seq < :before"
        if source is not None:
            conditions += " AND source = :source"
            values["source"] = source
        for name, moment, compare in (("since", since, ">="), ("until", until, "<=")):
            if moment is not None:
                if moment.tzinfo is None:
                    raise FilterError(Text("{moment} has no time zone: give it one").filled(moment=moment))
                conditions += f" AND time {compare} :{name}"
                values[name] = stamp(moment.timestamp())
        numbers = f"SELECT seq FROM records WHERE {conditions}"  # noqa: S608  # our words only
        if types is not None:
            patterns = [_checked(pattern) for pattern in types]
            matching = [type_ for (type_,) in self.ask(_ALL_TYPES) if any(_matches(each, type_) for each in patterns)]
            if not matching:
                return iter(())
            values |= {f"type{number}": type_ for number, type_ in enumerate(matching)}
            # each is sorted in the index, so SQLite merges them
            numbers = " UNION ALL ".join(f"{numbers} AND type = :type{number}" for number in range(len(matching)))
        after = min(max(after, 0), end)
        if last is not None:
            sql = f"{numbers} ORDER BY seq DESC LIMIT 1 OFFSET :last"
            too_old = self.ask(sql, values | {"after": after, "last": min(max(last, 0), end)})
            after = too_old[0][0] if too_old else after
        size = _PAGE if limit is None else min(_PAGE, limit)
        return islice(self._pages(numbers, values, after, size), None if limit is None else max(limit, 0))

    def _pages(self, numbers: str, values: dict[str, Any], after: int, size: int) -> Iterator[Record]:
        """Yield the records whose numbers this SQL selects, a page at a time."""
        wanted = f"seq IN ({numbers} ORDER BY seq LIMIT :limit)"
        sql = f"SELECT {_COLUMNS} FROM records WHERE {wanted} ORDER BY seq"  # noqa: S608  # our words only
        while rows := self.ask(sql, values | {"after": after, "limit": size}):
            yield from map(record_of, rows)
            if len(rows) < size:
                return
            after = rows[-1][0]

    def answer_to(self, request: str) -> Record | None:
        """Return the record that answers a request (``data["request"]``), the first one if there are several."""
        return next(iter(self.answers_to(request)), None)

    def answers_to(self, request: str) -> list[Record]:
        """Return all answers to a request id: at the table ids are unique only per person."""
        sql = f"SELECT {_COLUMNS} FROM records WHERE request = ? ORDER BY seq"  # noqa: S608  # our words only
        return [record_of(row) for row in self.ask(sql, (request,))]

    def find_damage(self) -> list[Damage]:
        """Check the whole journal with SQLite and its hash chain; takes about 1 s for 50,000 records."""
        found = []
        try:
            complaints = [text for (text,) in self.ask("PRAGMA integrity_check(3)")]
            if complaints != ["ok"]:
                found.append(Damage("file", why="; ".join(complaints).replace("\n", " ")))
            return [*found, *(Damage("records", first, last) for first, last in self.misfits())]
        except JournalDamagedError as error:
            return found or [Damage("file", why=error.what)]

    def verify_chain(self) -> int | None:
        """Return the number of the first record that is missing or altered; ``None`` if the whole chain is valid.

        Detects records that were changed, removed or inserted. Without a secret a chain cannot show that the newest
        were cut off, or that all were rewritten.
        """
        return next((first for first, _ in self._misfits_one_by_one(0)), None)

    def misfits(self, after: int = 0) -> list[tuple[int, int]]:
        """Return ranges (first, last) of records that are missing or altered.

        :param after: trust the records up to this one.
        """
        runs = list[tuple[int, int]]()
        for first, last in self._misfits_one_by_one(after):
            adjoins = runs and first == runs[-1][1] + 1
            runs.append((runs.pop()[0] if adjoins else first, last))
        return runs

    def _misfits_one_by_one(self, after: int) -> Iterator[tuple[int, int]]:
        before = self.ask("SELECT chain FROM records WHERE seq = ?", (after,)) if after > 0 else [(FIRST_CHAIN,)]
        previous = before[0][0] if before else None  # chain value to which the next record must link, if known
        sql = f"SELECT {_COLUMNS}, digest, chain FROM records WHERE seq > ? ORDER BY seq"  # noqa: S608  # our words only
        with explained(self._name):
            for seq, time, source, type_, data, digest, chain in self._db.execute(sql, (after,)):
                if seq != after + 1:
                    yield after + 1, seq - 1
                    previous = None
                is_linked = previous is None or chain == link(previous, seq, time, source, digest)
                is_erased = (type_, data) == (BLANK, b"{}") and self._was_erased(seq)
                if not (is_linked and (is_erased or digest == digest_of(type_, data))):
                    yield seq, seq
                after, previous = seq, chain

    def _was_erased(self, seq: int) -> bool:
        """Return whether an ``ERASED`` record covers this one, with the right number of blank records."""
        for record in self.read(types=[ERASED]):
            match record.data:
                case {"first": int(first), "last": int(last), "count": int(count)} if first <= seq <= last:
                    if self.ask(COUNT_BLANK, (first, last)) == [(count,)]:
                        return True
        return False

    def edges_around(self, seq: int, before_s: float, after_s: float) -> list[RecordedEdge]:
        """Return the raw edges from ``before_s`` seconds before record ``seq`` to ``after_s`` after it, oldest first.

        Only those that were written already, see ``Journal.flush_edges``, and only the newest are kept at all.
        """
        record = next(self.read(seq - 1, seq + 1), None)
        if record is None:
            no_record = Text("there is no record {seq}: the last one is {last_seq}")
            raise FilterError(no_record.filled(seq=seq, last_seq=self.last_seq))
        with explained(self._name):
            edges = kept(self._db)
        return around(edges, seq, datetime.fromisoformat(record.time).timestamp(), before_s, after_s)

    def ask(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[Any]:
        with explained(self._name):
            return self._db.execute(sql, parameters).fetchall()


def _checked(pattern: str) -> str:
    if "*" in pattern.removesuffix("*") or not pattern:
        raise FilterError(Text("{pattern!r} is no type: launcher.press or launcher.* would be").filled(pattern=pattern))
    return pattern


def _matches(pattern: str, type_: str) -> bool:
    stem = pattern.removesuffix("*")
    if stem != pattern and not stem.endswith("."):
        return type_.startswith(stem)
    return f"{type_}.".startswith(f"{stem.removesuffix('.')}.")
