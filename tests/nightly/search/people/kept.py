"""A pure table whose power is cut often, at little cost: what the next start has is folded all along."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dispenser.table import events as e
from dispenser.table.table import Table
from tests.nightly.search.people.sitting import Sitting, fingerprint


class Kept(Sitting):
    """A second table hears the entries alone, as JSON; at a power cut it goes on, and the first becomes the second."""

    def __init__(self) -> None:
        super().__init__(careful=False)
        self._folded = 0

    def replayed(self, entries: Sequence[e.Event]) -> Table:
        """What the entries bring back; those that were folded before are not folded again."""
        again = self.twin
        for entry in entries[self._folded :]:
            again.apply(msgspec.json.decode(msgspec.json.encode(entry), type=type(entry)))
        self._folded, self.twin = len(entries), self.table
        return again

    def check_from_the_start(self) -> None:
        """All entries of the evening in a row give the same table."""
        assert fingerprint(super().replayed(self.entries)) == fingerprint(self.table), "the entries give another table"
