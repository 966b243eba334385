"""Reading the event log: what an entry is, how entries are linked, and how to ask for them."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Self

import msgspec

from dispenser.journal.edges import RecordedEdge, around, kept
from dispenser.journal.errors import SQLITE_ERRORS, FilterError, JournalError, damaged, explain
from dispenser.journal.filters import Wanted, checked, matching
from dispenser.language import Text

FIRST_CHAIN = "0" * 64
"""Stands for the entry before the first."""
UNREADABLE = "service.journal.unreadable"
"""The type of an entry that stands where a damaged one cannot be read; its ``why`` says what is wrong with it."""
_NO_TIME = "1970-01-01T00:00:00.000000Z"
_PAGE = 256  # entries read at a time: no statement stays open between two pages, so a slow reader holds up nothing
_COLUMNS = "seq, time, source, type, CAST(data AS BLOB)"
_KINDS = """
    WITH RECURSIVE known (type) AS (
        SELECT min(type) FROM kinds
        UNION ALL SELECT (SELECT min(type) FROM kinds WHERE type > known.type) FROM known WHERE known.type IS NOT NULL
    )
    SELECT type FROM known WHERE type IS NOT NULL UNION SELECT type FROM entries WHERE seq > ?
"""  # one look into the table for each type, however many entries there are
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


class JournalReader:
    """A journal to read from; ``Journal.read_only`` and ``Journal.reader`` open one.

    One thread at a time: it may be opened on one thread and used on another.
    """

    def __init__(
        self, db: sqlite3.Connection, name: str, mutex: threading.RLock | None = None, *, shared: bool = False
    ) -> None:
        """Not for callers.

        :param mutex: held while ``db`` is asked.
        :param shared: ``db`` belongs to another object, too, which will close it.
        """
        self._db = db
        self._name = name
        self._mutex = mutex or threading.RLock()
        self._shared = shared

    def close(self) -> None:
        """Close the file; may be called twice."""
        if not self._shared:
            with self._mutex:
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

        One that is damaged and cannot be read comes as an entry of the type ``service.journal.unreadable``.

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
        end = self.last_seq + 1
        before = end if before is None else min(max(before, 0), end)  # what SQLite calls a number is smaller than ours
        of_types, indexed = (None, None) if types is None else self._of_types(checked(types))
        wanted = Wanted(
            min(max(after, 0), end), before, of_types, indexed=indexed, source=source, since=since, until=until
        )
        if last is not None:
            sql = f"{wanted.numbers()} ORDER BY seq DESC LIMIT 1 OFFSET :last"
            too_old = self.ask(sql, wanted.parameters | {"last": min(max(last, 0), end)})
            wanted.after = too_old[0][0] if too_old else wanted.after
        return self._pages(wanted, limit)

    def _of_types(self, patterns: list[str]) -> tuple[list[str], int | None]:
        """Which types these patterns mean, and up to which entry ``kinds`` knows where those are."""
        if not self.has_kinds():
            return matching(patterns, (type_ for (type_,) in self.ask("SELECT DISTINCT type FROM entries"))), None
        ((indexed,),) = self.ask("SELECT upto FROM indexed")
        return matching(patterns, (type_ for (type_,) in self.ask(_KINDS, (indexed,)))), indexed

    def has_kinds(self) -> bool:
        """Whether the journal knows where the entries of each type are; version 1 did not."""
        return bool(self.ask("SELECT 1 FROM sqlite_master WHERE name = 'kinds'"))

    def _pages(self, wanted: Wanted, limit: int | None) -> Iterator[Entry]:
        """The wanted entries, a page at a time."""
        where = f"seq IN ({wanted.numbers()} ORDER BY seq LIMIT :limit)" if wanted.merged else wanted.conditions()
        sql = f"SELECT {_COLUMNS} FROM entries WHERE {where} ORDER BY seq LIMIT :limit"  # noqa: S608  # our words only
        after = wanted.after
        while limit is None or limit > 0:
            size = _PAGE if limit is None else min(_PAGE, limit)
            rows = self.ask(sql, wanted.parameters | {"after": after, "limit": size})
            for row in rows:
                if row[0] <= after:
                    raise self._noted(
                        damaged(
                            self._name,
                            Text("entry {entry} stands behind entry {after}").filled(entry=row[0], after=after),
                        )
                    )
                after = row[0]
                yield self._entry(row)
            if len(rows) < size:
                return
            limit = None if limit is None else limit - size

    def answer_to(self, request: str) -> Entry | None:
        """The entry that answers a request (``data["request"]``), the first one if there are several."""
        sql = f"SELECT {_COLUMNS} FROM entries WHERE request = ? ORDER BY seq LIMIT 1"  # noqa: S608  # our words only
        rows = self.ask(sql, (request,))
        return self._entry(rows[0]) if rows else None

    def verify_chain(self) -> int | None:
        """The first number whose entry is missing or was altered; ``None`` when the whole chain fits.

        It finds entries that were changed, taken out or put in between. That the newest were cut off, or that all
        were written anew by somebody with patience, no chain without a secret can show.
        """
        return next((first for first, _ in self.misfits()), None)

    def misfits(
        self, after: int = 0, look: Callable[[Sequence[Any]], object] = lambda _: None
    ) -> Iterator[tuple[int, int]]:
        """The entries that are missing or were altered, as runs of numbers: the first and the last of each.

        :param after: trust the entries up to this one.
        :param look: called with every row of ``linked_rows``.
        """
        run: tuple[int, int] | None = None
        for first, last in self._single_misfits(after, look):
            if run is not None and first > run[1] + 1:
                yield run
                run = None
            run = (run[0] if run else first, last)
        if run is not None:
            yield run

    def _single_misfits(self, after: int, look: Callable[[Sequence[Any]], object]) -> Iterator[tuple[int, int]]:
        chains = {FIRST_CHAIN}  # what the next entry may be linked to: after a damaged one that is not known for sure
        if after > 0:
            chains = {str(chain) for (chain,) in self.ask("SELECT chain FROM entries WHERE seq = ?", (after,))}
            if not chains:
                yield after, after
        for row in self.linked_rows(after):
            look(row)
            seq, time, source, type_, data, stored = row[:6]
            if seq != after + 1:
                yield after + 1, max(after + 1, seq - 1)
                chains = set()
            after = max(after, seq)
            encoded = wire(seq, time, source, type_, data or b"")
            computed = {link(chain, encoded) for chain in chains}
            if chains and stored not in computed:
                yield seq, seq
                chains = computed | {str(stored)}
            else:
                chains = {str(stored)}

    def linked_rows(self, after: int = 0) -> Iterator[Sequence[Any]]:
        """The rows behind the entries as they lie in the file: seq, time, source, type, data as bytes, chain, request.

        :raises JournalDamagedError: it leads in circles.
        """
        sql = f"SELECT {_COLUMNS}, chain, request FROM entries WHERE seq > ? ORDER BY seq LIMIT {_PAGE}"  # noqa: S608
        while rows := self.ask(sql, (after,)):
            yield from rows
            if max(row[0] for row in rows) <= after:
                raise self._noted(
                    damaged(
                        self._name, Text("nothing but older entries stands behind entry {after}").filled(after=after)
                    )
                )
            after = max(row[0] for row in rows)

    def edges_around(self, seq: int, before_s: float, after_s: float) -> list[RecordedEdge]:
        """The raw edges from ``before_s`` seconds before entry ``seq`` to ``after_s`` after it, oldest first.

        Only those that were written already, see ``Journal.flush_edges``, and only the newest are kept at all.

        :raises FilterError: there is no such entry.
        """
        entry = next(self.read(seq - 1, seq + 1), None)
        if entry is None:
            raise FilterError(
                Text("there is no entry {seq}: the last one is {last_seq}").filled(seq=seq, last_seq=self.last_seq)
            )
        with self._explained():
            edges, _ = kept(self._db)
        return around(edges, seq, datetime.fromisoformat(entry.time).timestamp(), before_s, after_s)

    def damaged_edges(self) -> int:
        """How many of the raw edges in the file were altered."""
        with self._explained():
            return kept(self._db)[1]

    def interrupt(self) -> None:
        """End what another thread is asking just now with an error there. From any thread."""
        with suppress(sqlite3.ProgrammingError):  # it is closed
            self._db.interrupt()

    def _end(self) -> tuple[int, str]:
        """Number and chain value of the newest entry."""
        rows = self.ask("SELECT seq, chain FROM entries ORDER BY seq DESC LIMIT 1")
        return rows[0] if rows else (0, FIRST_CHAIN)

    def ask(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[Any]:
        """The rows that SQLite answers, for who looks behind the entries.

        :raises JournalError: it cannot.
        """
        with self._explained():
            return self._db.execute(sql, parameters).fetchall()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """One thing asked of SQLite, its errors as ours."""
        with self._mutex:
            try:
                yield
            except SQLITE_ERRORS as error:
                raise self._noted(explain(error, self._name)) from error

    def _noted(self, error: JournalError) -> JournalError:
        """Called with every error before it is raised."""
        return error

    def _entry(self, row: Sequence[Any]) -> Entry:
        seq, time, source, type_, data = row[:5]
        why = "it has something else where its texts should be"
        if all(isinstance(text, str) for text in (time, source, type_)):
            try:
                datetime.fromisoformat(time)
                return with_json(Entry(seq, time, source, type_, decode(data)), wire(seq, time, source, type_, data))
            except (TypeError, ValueError, msgspec.DecodeError) as error:
                why = str(error)
        return Entry(seq, _NO_TIME, "journal", UNREADABLE, {"why": why})
