"""The file beside a journal (``…-state``): which process writes, and its newest record.

The writer holds a lock (``flock``) on it. The kernel releases the lock when the process ends.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

import msgspec

from dispenser.i18n import Text
from dispenser.journal.errors import JournalError, explain_os
from dispenser.safe_open import NO_LINK, opened

_FLAGS: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | NO_LINK
_NOTE_BYTES: Final = 256  # All notes have this length, so each overwrites the one before completely


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """Note of a journal's last writer: its process id and the number of the newest record."""

    process: int = 0
    seq: int = 0


class StateFile:
    """The state file of one journal, locked.

    :param path: of the journal, links followed.
    :ivar found: the note of the last writer.
    :raises JournalError: another writer has the journal, or the file cannot be opened for writing.
    """

    def __init__(self, path: Path, name: str) -> None:
        try:
            self._file = open(os.open(_state_path(path), _FLAGS, 0o600), "r+b", buffering=0)  # noqa: PTH123, SIM115
        except OSError as error:
            raise explain_os(error, name) from error
        try:
            lock(self._file)
        except BlockingIOError as error:
            self.release()
            locked = Text(
                "{name}: another launcher (process {process}) writes to this journal. Stop that one, or "
                "give this one a journal of its own"
            )
            raise JournalError(locked.filled(name=name, process=_read_note(path).process or "unknown")) from error
        self.found = _read_note(path)

    def write(self, note: Note) -> None:
        """Write the note; takes some 2 µs, without fsync. On a full disk the next start lacks the newest note."""
        with suppress(OSError):
            self._file.seek(0)
            self._file.write(msgspec.json.encode(note).ljust(_NOTE_BYTES))

    def release(self) -> None:
        self._file.close()


def lock(file: int | IO[bytes] | IO[str], *, shared: bool = False) -> None:
    """Lock a file until it is closed. Windows has no such lock: two launchers can open the same file there.

    :raises BlockingIOError: another process has locked it.
    """
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def writer_of(path: Path) -> str | None:
    """Return the process that writes to this journal now; ``None`` if there is none, or this user may not know."""
    path = Path(os.path.realpath(path))
    with suppress(OSError), opened(_state_path(path)) as file:
        try:
            lock(file, shared=True)
        except BlockingIOError:
            return str(_read_note(path).process or "unknown")
    return None


def _state_path(path: Path) -> Path:
    return path.with_name(path.name + "-state")


def _read_note(path: Path) -> Note:
    """Return the note beside a journal; an empty one if none can be read."""
    try:
        with opened(_state_path(path)) as file:
            return msgspec.json.decode(file.read(_NOTE_BYTES), type=Note)
    except (OSError, msgspec.DecodeError):
        return Note()
