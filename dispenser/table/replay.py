"""Apply the recorded events of an evening to a table: for a start, the audit, the story of an evening and the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Protocol, Self

import msgspec

from dispenser.rules.engine.errors import RulesError
from dispenser.table import messages as m
from dispenser.table.secrets import commitment_of
from dispenser.table.table import Table

MISFITS = (msgspec.ValidationError, RulesError, LookupError, ValueError, TypeError, AttributeError)
"""What is raised by an event that cannot be: none of ours, or not now."""
OF_A_MATCH: Final = (
    m.RoundOpened, m.Dealt, m.Acted, m.Charged, m.Forgiven, m.Paid, m.CountTold, m.CardSet, m.Undone, m.Redone,
)  # fmt: skip
"""What cannot be replayed where the cards are not known."""
_NO_SECRET = b"\0" * 32


class Written(Protocol):
    """What is asked of a journal entry."""

    @property
    def seq(self) -> int: ...
    @property
    def time(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


def entry_of(written: Written) -> m.Entry | None:
    """The table's entry that stands there; ``None`` where another stands.

    :raises msgspec.ValidationError: it says that it is one, and is none.
    """
    kind = m.ENTRIES.get(written.type)
    return None if kind is None else msgspec.convert(written.data, kind)


def seeds_in(entries: Iterable[Written]) -> dict[str, bytes]:
    """The seeds that ends of matches reveal, by their commitments; see ``secrets.commitment_of``."""
    found = {}
    for written in entries:
        for shown in written.data.get("seeds", ()) if written.type == m.MatchEnded.type else ():
            try:
                seed = bytes.fromhex(shown)
            except (TypeError, ValueError):  # the audit tells of it
                continue
            found[commitment_of(seed)] = seed
    return found


class Replay:
    """Applies events in their order.

    :param table: still empty.
    :param seeds: of all shuffles that can be known, by commitment; ``None``: the table knows the evening's secret.
    :ivar hidden: nobody knows the cards of this match yet, so its moves are left out.
    """

    def __init__(self, table: Table, seeds: Mapping[str, bytes] | None) -> None:
        self.table = table
        self.hidden = False
        self._seeds = seeds

    @classmethod
    def without_secret(cls, seeds: Mapping[str, bytes]) -> Self:
        """Of an evening whose secret may be forgotten."""
        return cls(Table(lambda _: _NO_SECRET, seeds), seeds)

    def apply(self, entry: m.Entry) -> bool:
        """Whether it was applied, and not left out.

        :raises MISFITS: it cannot be.
        """
        if isinstance(entry, m.MatchBegun):
            in_hands = entry.telling is m.Telling.CARDS
            self.hidden = in_hands and self._seeds is not None and entry.commitment not in self._seeds
        if self.hidden and isinstance(entry, OF_A_MATCH):
            return False
        self.table.take(entry)
        return True

    def apply_all(self, entries: Iterable[Written]) -> Iterator[tuple[Written, Exception]]:
        """All that can be applied; yields the others, and why not."""
        for written in entries:
            try:
                if (entry := entry_of(written)) is not None:
                    self.apply(entry)
            except MISFITS as error:
                yield written, error
