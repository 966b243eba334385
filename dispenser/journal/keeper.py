"""Looks after the file of a journal that is open for writing: is it still there, is it whole, how is it left."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from dispenser.journal.check import CheckThread, JournalCheck
from dispenser.journal.damage import Damage, header_trouble, is_journal, put_aside, wal_was_cut
from dispenser.journal.errors import JournalDamagedError, JournalMissingError, damaged, explain_os
from dispenser.journal.file import APPLICATION_ID
from dispenser.journal.lock import Seal, WriterLock
from dispenser.journal.reader import JournalReader
from dispenser.language import Text, verbatim

SMALL_BYTES = 1 << 20
"""A journal up to this size (some 3,000 entries, an evening or two) is looked through before the start. Of a larger one
only the newest entries; the rest afterwards, on a thread."""
NEWEST = 500
"""Entries at the end of a large journal whose chain is checked before the start: 4 ms here."""
_SUSPECT = "damaged"
_Look = tuple[int, ...]
Mend = Callable[[dict[int, str | None]], None]


def put_aside_damaged(path: Path, name: str, stamp: str, error: JournalDamagedError) -> Damage:
    """Put a journal that SQLite cannot use aside, so that a new one can be begun.

    :raises JournalDamagedError: the same error: the file was never a journal, so it is not ours to touch.
    :raises JournalError: that is not possible here.
    """
    lock = WriterLock(path, name)
    try:
        if not is_journal(lock.read, APPLICATION_ID):
            raise error
        kept_as = put_aside(path, name, stamp)
    finally:
        lock.release()
    detail = f"the journal was damaged ({error.what}); it was put aside as {kept_as}, and a new one begun"
    return Damage("file", detail, kept_as=kept_as)


class JournalKeeper:
    """One journal's file, from before SQLite opens it until after it has closed it."""

    def __init__(self, path: Path, name: str) -> None:
        """Lock the journal ``path``, no link.

        :param name: what it is called in errors.
        :raises JournalLockedError: somebody else writes to it.
        :raises JournalDamagedError: SQLite would be misled by its first bytes.
        """
        self.path = path
        self._name = name
        self._wal = path.with_name(path.name + "-wal")
        self._lock = WriterLock(path, name)
        self._seal = Seal.from_line(self._lock.was)
        self._left_suspect = self._lock.was.startswith(_SUSPECT)
        self._look: tuple[_Look, _Look] | None = None
        self._check = JournalCheck()
        self._thread: CheckThread | None = None
        self._unchecked = True
        self._broken = False
        trouble = header_trouble(self._lock.read(100, 0), APPLICATION_ID) if self._lock.size() else ""
        if trouble and is_journal(self._lock.read, APPLICATION_ID):
            self.release()
            raise damaged(name, verbatim(trouble))

    # --- is it whole? ---

    def examine(self, journal: JournalReader, end: tuple[int, str], mend: Mend) -> list[Damage]:
        """What is wrong with the journal that was just opened, as far as that can be seen before the start.

        :param end: number and chain value of its last entry.
        :param mend: makes anew what follows from the entries, with these requests set right; or finds that this does
            not help, raises ``JournalDamagedError``, and leaves the file as it is.
        :raises JournalDamagedError: SQLite cannot use it.
        """
        found = []
        frames = journal.ask("PRAGMA wal_checkpoint(PASSIVE)")[0][1]
        if wal_was_cut(self._wal, max(frames, 0)):
            detail = f"the newest entries may be lost, those after {end[0]}: {self._wal.name} cannot be read to its end"
            found.append(Damage("newest entries", detail, end[0] + 1))
        seal = self._seal
        if seal is not None and (frames > 0 or (seal.seq, seal.chain) != end):
            seal = None  # written to since; a power cut may bring back an old seal
        self._check = JournalCheck(self._lock, seal)
        newest = journal.misfits(after=max(0, end[0] - NEWEST))
        if self._left_suspect or self._lock.size() <= SMALL_BYTES or next(newest, None):
            found += self._examine_all(journal, mend)
        return found

    def _examine_all(self, journal: JournalReader, mend: Mend) -> list[Damage]:
        found = self._check.run(journal)
        self._unchecked = False
        if self._check.broken or self._check.requests:
            mend(self._check.requests)
            self._broken = False
            detail = f"an index was damaged ({self._check.broken}) and made anew; no entry was touched"
            found = [Damage("index", detail) if damage.what == "file" else damage for damage in found]
        return found

    def check_rest(
        self,
        open_reader: Callable[[], JournalReader],
        resting: Callable[[], bool],
        tell: Callable[[list[Damage]], object],
    ) -> None:
        """Look at what was not looked at before the start, on a thread of its own.

        :param tell: called on that thread, if something is wrong.
        """
        if not self._unchecked or self._thread is not None:
            return

        def done(found: list[Damage], through: bool) -> None:
            self._unchecked = not through
            self._broken = self._broken or bool(self._check.broken or self._check.requests)
            if found:
                tell(found)

        self._thread = CheckThread(self._check, open_reader, resting, done)

    @property
    def compares_bytes(self) -> bool:
        """The file itself is being compared with its seal: nothing may be brought into it just now."""
        return self._unchecked and self._check.sealed

    @property
    def broken(self) -> bool:
        """SQLite cannot be relied on with this file; the next opening mends it, or puts it aside."""
        return self._broken

    def suspect(self) -> None:
        """SQLite stumbled over it."""
        self._broken = True

    # --- is it still there? ---

    def remember(self) -> None:
        """How the file looks now is how it should look: called after each change of our own."""
        self._look = self._looks()

    def still_there(self) -> None:
        """:raises JournalMissingError: somebody removed, replaced or changed the file."""
        if self._look is not None and self._look != self._looks():
            raise JournalMissingError(
                Text(
                    "{name}: the journal was removed, replaced or changed while in use; what is written now would "
                    "be lost. The launcher begins again by itself, with what it finds there or with a new journal"
                ).filled(name=self._name)
            )

    def is_another(self) -> bool:
        """The name belongs to another file now, or to none."""
        return self._look is not None and self._look[0][:2] != self._looks()[0][:2]

    def empty_log(self) -> None:
        """Throw away what is in the write-ahead log."""
        with suppress(OSError):
            os.truncate(self._wal, 0)

    def _looks(self) -> tuple[_Look, _Look]:
        # Not what is in it: while it is open, only a checkpoint of ours changes the file itself.
        file, wal = self._status(self._name), self._status(self._wal)
        return (
            (file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns) if file else (),
            (wal.st_dev, wal.st_ino) if wal else (),
        )

    def _status(self, path: str | Path) -> os.stat_result | None:
        try:
            return os.stat(path)  # noqa: PTH116  # before each append, and a third of Path's time
        except FileNotFoundError:
            return None
        except OSError as error:
            raise explain_os(error, self._name) from error

    def sync_log(self) -> None:
        """Bring the write-ahead log safely to the disk, and leave the file as it is."""
        try:
            with self._wal.open("rb") as file:
                os.fsync(file.fileno())
        except OSError as error:
            raise explain_os(error, self._name) from error

    # --- the end ---

    def stop_check(self) -> None:
        """No more looking; before SQLite closes the file."""
        if self._thread is not None:
            self._thread.stop()

    def release(self, end: tuple[int, str] | None = None) -> None:
        """Leave the file, which SQLite has closed, to others.

        :param end: number and chain value of its last entry, when it was closed well.
        """
        if self._look is not None and not self.is_another():
            if self._broken:
                self._lock.leave(_SUSPECT + "\n")
            elif end is not None and not self._unchecked and not self._wal.exists():
                self._lock.leave(self._lock.seal(*end).line())
        self._lock.release()
