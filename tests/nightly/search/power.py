"""A disk whose power may be cut: it has what was brought to it, and of all else what it happened to write already.

Linux writes the pages of a file whenever and in whichever order it likes; only a sync says that they are there. So
after a cut each page of the write-ahead log is, by chance, as it was at the last sync or as last written. The file
itself changes at a checkpoint alone, and SQLite brings its pages to the disk before it uses the log anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partialmethod
from pathlib import Path
from random import Random
from typing import Final

import pytest

from dispenser.journal import Journal

PAGE_BYTES: Final = 4096
LOG_HEADER_BYTES: Final = 32
Files = dict[str, bytes]
"""What stands in them, by what their names end with."""
_checkpoint = Journal.checkpoint
_fdatasync = os.fdatasync


class Disk:
    """The disk under one journal.

    :param dice: decides what it has written of its own accord.
    :ivar on_checkpoint: called with what is there if the power is cut in the middle of one.
    :ivar syncs: how often it was asked to have all of the log.
    """

    def __init__(self, journal: Path, dice: Random) -> None:
        self.on_checkpoint: Callable[[Files], object] = lambda _: None
        self.syncs = 0
        self._path = journal
        self.dice = dice
        self._safe: Files = {}

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While it is watched what is brought to it."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fdatasync", self._sync)
            patch.setattr(Journal, "checkpoint", partialmethod(_watched_checkpoint, disk=self))
            yield

    def cut(self) -> Files:
        """What is there when the power comes back."""
        share = self.dice.choice((0.0, 0.5, 1.0))
        left = {"": self._safe[""], "-wal": self._torn(self._safe["-wal"], self._now("-wal"), share)}
        return left | ({"-state": self._now("-state")} if self.dice.random() < 0.5 else {})

    def _now(self, end: str) -> bytes:
        return Path(f"{self._path}{end}").read_bytes()

    def _torn(self, old: bytes, new: bytes, share: float) -> bytes:
        pages = range(0, max(len(old), len(new)), PAGE_BYTES)
        written = [(new if self.dice.random() < share else old)[at : at + PAGE_BYTES] for at in pages]
        return b"".join(page.ljust(PAGE_BYTES, b"\0") for page in written)

    # --- what is brought to it ---

    def _sync(self, fd: int) -> None:
        """What is written after this has begun need not be there when it ends."""
        self.syncs += 1
        self._safe.setdefault("", self._now(""))
        log = self._now("-wal")
        _fdatasync(fd)
        self._safe["-wal"] = log

    def move_log_into_file(self, journal: Journal) -> None:
        """A checkpoint: SQLite asks for all of the file at its end, and for the head of a log that is begun anew."""
        before = self._safe.get("", b"")
        _checkpoint(journal)
        log, file = self._safe["-wal"], self._now("")
        if before:
            self.on_checkpoint({"": self._torn(before, file, 0.5), "-wal": log})
        self._safe[""] = file
        self._safe["-wal"] = self._now("-wal")[:LOG_HEADER_BYTES] + log[LOG_HEADER_BYTES:]


def _watched_checkpoint(journal: Journal, *, disk: Disk) -> None:
    disk.move_log_into_file(journal)
