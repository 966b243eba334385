"""The real journal on a disk that can fill up or become read-only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dispenser.journal import Entry, Journal
from dispenser.journal.errors import full, read_only


@dataclass
class Disk:
    """The disk under the journals of a stage."""

    state: Literal["works", "full", "read-only"] = "works"

    def check(self, name: str) -> None:
        """:raises JournalError: nothing can be written, and why."""
        if self.state == "full":
            raise full(name)
        if self.state == "read-only":
            raise read_only(name)


class StageJournal(Journal):
    """A journal that meets the troubles of its disk at every transaction, and shows what is in it when it is closed."""

    disk: Disk | None = None
    on_close: Callable[[list[Entry], int | None], None] | None = None

    @classmethod
    def open_on(
        cls,
        disk: Disk,
        path: Path | str,
        wall_clock: Callable[[], float],
        on_close: Callable[[list[Entry], int | None], None],
    ) -> StageJournal:
        """Open it; ``on_close`` gets all its entries and the first that does not fit the chain (``None``: all fit)."""
        disk.check(str(path))
        journal = cls.open(path, wall_clock=wall_clock)
        journal.disk = disk
        journal.on_close = on_close
        return journal

    def probe(self) -> None:
        self._check_disk()
        super().probe()

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        self._check_disk()
        with super()._transaction() as db:
            yield db

    def _check_disk(self) -> None:
        if self.disk is not None:
            self.disk.check(self._name)

    def close(self) -> None:
        if self.on_close is not None:
            tell, self.on_close = self.on_close, None
            tell(list(self.read()), self.verify_chain())
        super().close()
