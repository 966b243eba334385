"""Reading the event log: what an entry is, how entries are linked, and how to ask for them."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

import msgspec

from dispenser.journal_edges import RecordedEdge, around, kept
from dispenser.journal_errors import FilterError, damaged, explain

FIRST_CHAIN = "0" * 64
"""Stands for the entry before the first."""
_PAGE = 256  # entries read at a time: no statement stays open between two pages, so a slow reader holds up nothing
_SELECT = "SELECT seq, time, source, type, CAST(data AS BLOB) FROM entries"
encode = msgspec.json.Encoder().encode
"""The JSON of an entry's ``data``."""
decode = msgspec.json.Decoder(dict[str, Any]).decode
"""An entry's ``data`` from its JSON."""


class _JsonCache:
    """Room for the encoded form beside the fields, so that ``dataclasses.asdict`` and friends do not see it."""

    __slots__ = ("_json",)
    _json: bytes


@dataclass(frozen=True, slots=True)
class Entry(_JsonCache):
    """One thing that happened.

    :param seq: its number; the first is 1 and there is no gap.
    :param time: UTC, ISO 8601 with microseconds and ``Z``; may go backwards.
    :param source: who made it happen or saw it.
    :param type: such as ``launcher.press.accepted``.
    :param data: plain JSON values.
    """

    seq: int
    time: str
    source: str
    type: str
    data: dict[str, Any]

    def json(self) -> bytes:
        """This entry as one JSON object without line breaks, as the API sends it; encoded once."""
        try:
            return self._json
        except AttributeError:
            return with_json(self, wire(self.seq, self.time, self.source, self.type, encode(self.data))).json()


def with_json(entry: Entry, json: bytes) -> Entry:
    """The same entry, whose JSON is known already."""
    object.__setattr__(entry, "_json", json)
    return entry


class _Wire(msgspec.Struct):
    """The order of the fields in an entry's JSON, which the chain depends on."""

    seq: int
    time: str
    source: str
    type: str
    data: msgspec.Raw


def wire(seq: int, time: str, source: str, type_: str, data: bytes) -> bytes:
    """The JSON of an entry; ``data`` is JSON already and goes in as it is."""
    return encode(_Wire(seq, time, source, type_, msgspec.Raw(data)))


def link(previous: str, encoded: bytes) -> str:
    """The chain value of an entry: SHA-256 over the one before and the entry's JSON, in hexadecimal digits."""
    return hashlib.sha256(previous.encode() + encoded).hexdigest()


def stamp(wall_s: float) -> str:
    """Seconds since 1970 as an entry shows them."""
    return datetime.fromtimestamp(wall_s, UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def _conditions(
    types: Iterable[str] | None, source: str | None, since: datetime | None, until: datetime | None
) -> tuple[str, list[str]]:
    """SQL after a ``WHERE ...`` and its parameters, for the filters of ``Journal.read``."""
    sql, parameters = "", []
    if types is not None:
        patterns = [types] if isinstance(types, str) else list(types)
        matches = []
        for pattern in patterns:
            stem = pattern.removesuffix("*")
            if "*" in stem or not pattern:
                raise FilterError(f"{pattern!r} is no type: launcher.press or launcher.* would be")
            if stem != pattern and not stem.endswith("."):
                matches.append("substr(type, 1, length(?)) = ?")
                parameters += [stem, stem]
            else:
                family = stem.removesuffix(".")
                matches.append("(type = ? OR (type > ? AND type < ?))")
                parameters += [family, family + ".", family + "/"]  # "/" follows "." in the alphabet
        sql += f" AND ({' OR '.join(matches) or 'FALSE'})"
    if source is not None:
        sql += " AND source = ?"
        parameters.append(source)
    for moment, compare in ((since, ">="), (until, "<=")):
        if moment is not None:
            if moment.tzinfo is None:
                raise FilterError(f"{moment} has no time zone: give it one")
            sql += f" AND time {compare} ?"
            parameters.append(stamp(moment.timestamp()))
    return sql, parameters


class JournalReader:
    """A journal to read from; ``Journal.read_only`` opens one. Use one object in one thread only."""

    def __init__(self, db: sqlite3.Connection, name: str) -> None:
        """Not for callers: see ``Journal.read_only``."""
        self._db = db
        self._name = name

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def last_seq(self) -> int:
        """Number of the newest entry; 0 when there is none."""
        return self._end()[0]

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
    ) -> Iterator[Entry]:
        """Entries in their order, of those that are there now.

        :param after: only entries with a larger number.
        :param before: only entries with a smaller number.
        :param types: any of these: ``launcher.press`` or ``launcher.press.*`` means that type and all below it,
            ``launcher.pre*`` all that begin so.
        :param since: not earlier, with a time zone. Mind that the journal's clock may have been set.
        :param until: not later, with a time zone.
        :param limit: at most so many, the oldest.
        :param last: only the newest so many of them, still oldest first.
        :raises FilterError: a filter that makes no sense.
        """
        where, filters = _conditions(types, source, since, until)
        where = f"WHERE seq > ? AND seq < ?{where}"
        end = self.last_seq + 1
        before = end if before is None else min(max(before, 0), end)  # what SQLite calls a number is smaller than ours
        after = min(max(after, 0), end)
        if last is not None:
            sql = f"SELECT seq FROM entries {where} ORDER BY seq DESC LIMIT 1 OFFSET ?"  # noqa: S608  # our words only
            too_old = self._rows(sql, (after, before, *filters, min(max(last, 0), end)))
            after = too_old[0][0] if too_old else after
        return self._pages(f"{_SELECT} {where} ORDER BY seq LIMIT ?", after, (before, *filters), limit)

    def _pages(self, sql: str, after: int, parameters: Sequence[Any], limit: int | None) -> Iterator[Entry]:
        """The rows of a query that takes ``after`` first and the page's size last, a page at a time."""
        while limit is None or limit > 0:
            size = _PAGE if limit is None else min(_PAGE, limit)
            rows = self._rows(sql, (after, *parameters, size))
            for row in rows:
                if row[0] <= after:
                    raise damaged(self._name, f"entry {row[0]} stands behind entry {after}")
                after = row[0]
                yield self._entry(row)
            if len(rows) < size:
                return
            limit = None if limit is None else limit - size

    def requests(self, limit: int = 1000) -> dict[str, Entry]:
        """The newest entries that answer a request (``data["request"]``), by request, oldest first."""
        rows = self._rows(
            "SELECT seq, time, source, type, CAST(data AS BLOB), request FROM entries INDEXED BY entries_with_request"
            " WHERE request IS NOT NULL ORDER BY seq DESC LIMIT ?",
            (limit,),
        )
        return {row[5]: self._entry(row[:5]) for row in reversed(rows)}

    def verify_chain(self) -> int | None:
        """The first number whose entry is missing or was altered; ``None`` when the whole chain fits.

        It finds entries that were changed, taken out or put in between. That the newest were cut off, or that all
        were written anew by somebody with patience, no chain without a secret can show.
        """
        return self._first_misfit(1)

    def edges_around(self, seq: int, before_s: float, after_s: float) -> list[RecordedEdge]:
        """The raw edges from ``before_s`` seconds before entry ``seq`` to ``after_s`` after it, oldest first.

        Only those that were written already, see ``Journal.flush_edges``, and only the newest are kept at all.

        :raises FilterError: there is no such entry.
        """
        entry = next(self.read(seq - 1, seq + 1), None)
        if entry is None:
            raise FilterError(f"there is no entry {seq}: the last one is {self.last_seq}")
        with self._explained():
            edges = kept(self._db)
        return around(edges, seq, datetime.fromisoformat(entry.time).timestamp(), before_s, after_s)

    def _first_misfit(self, expected: int) -> int | None:
        """``verify_chain`` from the entry ``expected`` on, trusting the chain value of the one before."""
        chain = FIRST_CHAIN
        if expected > 1:
            before = self._rows("SELECT chain FROM entries WHERE seq = ?", (expected - 1,))
            if not before:
                return expected - 1
            chain = str(before[0][0])
        sql = (
            "SELECT seq, time, source, type, CAST(data AS BLOB), chain FROM entries WHERE seq >= ? ORDER BY seq LIMIT ?"
        )
        while rows := self._rows(sql, (expected, _PAGE)):
            for seq, time, source, type_, data, stored in rows:
                chain = link(chain, wire(seq, time, source, type_, data or b""))
                if seq != expected or stored != chain:
                    return expected
                expected += 1
        return None

    def _end(self) -> tuple[int, str]:
        """Number and chain value of the newest entry."""
        rows = self._rows("SELECT seq, chain FROM entries ORDER BY seq DESC LIMIT 1")
        return rows[0] if rows else (0, FIRST_CHAIN)

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with self._explained():
            return self._db.execute(sql, parameters).fetchall()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Errors of SQLite as ours."""
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error, self._name) from error

    def _entry(self, row: Sequence[Any]) -> Entry:
        seq, time, source, type_, data = row
        if not all(isinstance(text, str) for text in (time, source, type_)):
            raise damaged(self._name, f"entry {seq} has something else where its texts should be")
        try:
            datetime.fromisoformat(time)
            return with_json(Entry(seq, time, source, type_, decode(data)), wire(seq, time, source, type_, data))
        except (TypeError, ValueError, msgspec.DecodeError) as error:
            raise damaged(self._name, f"entry {seq}: {error}") from error
