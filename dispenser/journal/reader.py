"""Reading the event log: how to ask for entries, and whether they fit together."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, Self

from dispenser.i18n import Text
from dispenser.journal.edges import RecordedEdge, around, kept
from dispenser.journal.entry import FIRST_CHAIN, Entry, entry_of, link
from dispenser.journal.erasing import BLANK, ERASED, rightly_blank
from dispenser.journal.errors import SQLITE_ERRORS, FilterError, JournalError, damaged, explain
from dispenser.journal.filters import ALL_TYPES, Wanted, checked, matching

_PAGE = 256  # entries read at a time: no statement stays open between two pages, so a slow reader holds up nothing
_COLUMNS = "seq, time, source, type, CAST(data AS BLOB)"


class JournalReader:
    """A journal to read from; ``Journal.read_only`` opens one.

    One thread at a time: it may be opened on one thread and used on another.
    """

    def __init__(self, db: sqlite3.Connection, name: str) -> None:
        """``db``: from ``file``; ``name``: what the journal is called in errors."""
        self._db = db
        self._name = name
        self._blanks: list[range] = []

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def last_seq(self) -> int:
        """Number of the newest entry; 0 when there is none."""
        return self.end()[0]

    def end(self) -> tuple[int, str]:
        """Number and chain value of the newest entry."""
        rows = self.ask("SELECT seq, chain FROM entries ORDER BY seq DESC LIMIT 1")
        return rows[0] if rows else (0, FIRST_CHAIN)

    def __iter__(self) -> Iterator[Entry]:
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
        of_types, indexed = None, 0
        if types is not None:
            patterns = checked(types)
            ((indexed,),) = self.ask("SELECT upto FROM indexed")
            of_types = matching(patterns, (type_ for (type_,) in self.ask(ALL_TYPES, (indexed,))))
        after = min(max(after, 0), end)
        wanted = Wanted(after, before, of_types, indexed, source=source, since=since, until=until)
        if last is not None:
            sql = f"{wanted.numbers()} ORDER BY seq DESC LIMIT 1 OFFSET :last"
            too_old = self.ask(sql, wanted.parameters | {"last": min(max(last, 0), end)})
            after = too_old[0][0] if too_old else after
        return self._pages(wanted, after, limit)

    def _pages(self, wanted: Wanted, after: int, limit: int | None) -> Iterator[Entry]:
        """The wanted entries, a page at a time."""
        sql = f"SELECT {_COLUMNS} FROM entries WHERE {wanted.rows()} ORDER BY seq LIMIT :limit"  # noqa: S608
        while limit is None or limit > 0:
            size = _PAGE if limit is None else min(_PAGE, limit)
            rows = self.ask(sql, wanted.parameters | {"after": after, "limit": size})
            for row in rows:
                after = self._in_order(row[0], after)
                yield entry_of(row)
            if len(rows) < size:
                return
            limit = None if limit is None else limit - size

    def _in_order(self, seq: int, after: int) -> int:
        if seq <= after:
            text = Text("entry {entry} stands behind entry {after}").filled(entry=seq, after=after)
            raise self._noted(damaged(self._name, text))
        return seq

    def answer_to(self, request: str) -> Entry | None:
        """The entry that answers a request (``data["request"]``), the first one if there are several."""
        return next(iter(self.answers_to(request)), None)

    def answers_to(self, request: str) -> list[Entry]:
        """All of them: at the table everybody has ids of their own."""
        sql = f"SELECT {_COLUMNS} FROM entries WHERE request = ? ORDER BY seq"  # noqa: S608  # our words only
        return [entry_of(row) for row in self.ask(sql, (request,))]

    def verify_chain(self) -> int | None:
        """The first number whose entry is missing or was altered; ``None`` when the whole chain fits.

        It finds entries that were changed, taken out or put in between. That the newest were cut off, or that all
        were written anew by somebody with patience, no chain without a secret can show.
        """
        return next((first for first, _ in self.misfits()), None)

    def misfits(self, after: int = 0, pause: Callable[[], object] = lambda: None) -> Iterator[tuple[int, int]]:
        """The entries that are missing or were altered, as runs of numbers: the first and the last of each.

        :param after: trust the entries up to this one.
        :param pause: called at each entry.
        """
        run: tuple[int, int] | None = None
        for first, last in self._single_misfits(after, pause):
            if run is not None and first > run[1] + 1:
                yield run
                run = None
            run = (run[0] if run else first, last)
        if run is not None:
            yield run

    def _single_misfits(self, after: int, pause: Callable[[], object]) -> Iterator[tuple[int, int]]:
        chains = {FIRST_CHAIN}  # what the next entry may be linked to: after a damaged one that is not known for sure
        if after > 0:
            chains = {str(chain) for (chain,) in self.ask("SELECT chain FROM entries WHERE seq = ?", (after,))}
            if not chains:
                yield after, after
        for *row, stored in self._linked_rows(after):
            pause()
            seq = row[0]
            if seq != after + 1:
                yield after + 1, max(after + 1, seq - 1)
                chains = set()
            after = max(after, seq)
            if (row[3], row[4]) == (BLANK, b"{}") and self._is_rightly_blank(seq):
                chains = {str(stored)}
                continue
            computed = {link(chain, row) for chain in chains}
            if chains and stored not in computed:
                yield seq, seq
                chains = computed | {str(stored)}
            else:
                chains = {str(stored)}

    def _is_rightly_blank(self, seq: int) -> bool:
        """Whether an entry was erased in good order, and nothing around it was altered since."""
        if not any(seq in each for each in self._blanks):  # it may have been erased since they were read
            self._blanks = rightly_blank(self.ask, (entry.data for entry in self.read(types=[ERASED])))
        return any(seq in each for each in self._blanks)

    def _linked_rows(self, after: int) -> Iterator[Sequence[Any]]:
        """The rows behind the entries as they lie in the file: seq, time, source, type, data as bytes, chain.

        :raises JournalDamagedError: it leads in circles.
        """
        sql = f"SELECT {_COLUMNS}, chain FROM entries WHERE seq > ? ORDER BY seq LIMIT {_PAGE}"  # noqa: S608
        while rows := self.ask(sql, (after,)):
            yield from rows
            after = self._in_order(max(row[0] for row in rows), after)

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

    def ask(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[Any]:
        """The rows that SQLite answers, for who looks behind the entries.

        :raises JournalError: it cannot.
        """
        with self._explained():
            return self._db.execute(sql, parameters).fetchall()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """One thing asked of SQLite, its errors as ours."""
        try:
            yield
        except SQLITE_ERRORS as error:
            raise self._noted(explain(error, self._name)) from error

    def _noted(self, error: JournalError) -> JournalError:
        """Called with every error before it is raised."""
        return error
