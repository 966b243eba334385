"""An evening brought back from what is written of it, when its secret may be forgotten: for story and audit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

import msgspec

from dispenser.rules.engine.errors import RulesError
from dispenser.table import messages as m
from dispenser.table.secrets import commitment_of
from dispenser.table.table import Table

MISFITS = (msgspec.ValidationError, RulesError, LookupError, ValueError, TypeError, AttributeError)
"""What is raised by an entry that cannot be: none of ours, or not now."""
OF_A_MATCH: Final = (
    m.RoundOpened, m.Dealt, m.Acted, m.Charged, m.Forgiven, m.Paid, m.CountTold, m.CardSet, m.Undone, m.Redone,
)  # fmt: skip
"""What cannot be played where the cards are not known."""
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


def replayed(seeds: Mapping[str, bytes], secret: bytes = b"") -> Table:
    """A table on which an evening can be played again.

    :param secret: the evening's, while it is not over: without it, shuffles that were not revealed are others.
    """
    return Table(lambda _: secret or _NO_SECRET, seeds)
