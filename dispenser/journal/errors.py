"""What can go wrong with the journal, each in words that say what happened, where, and what to do."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dispenser.i18n import SpokenError, Text, verbatim, why

MIN_FREE_BYTES = 1 << 20
"""With less room than this on its disk the journal counts as full (assumed: some hundred bursts fit into it)."""
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What may come out of asking SQLite; ``explain`` makes ours of it."""


class JournalError(SpokenError):
    """The journal cannot do what was asked. Nothing was half-written; what was written before is safe."""


class JournalFullError(JournalError, OSError):
    """There is no room left."""


class JournalReadOnlyError(JournalError, PermissionError):
    """The journal may be read, but not written."""


class JournalIoError(JournalError, OSError):
    """The operating system refused for another reason; the message has its words."""


class JournalMissingError(JournalError, FileNotFoundError):
    """There is no such journal, or no longer."""


class JournalDamagedError(JournalError, ValueError):
    """The file was a journal once, and a part of it cannot be read; ``what`` says which part and why."""

    what = ""


class JournalFormatError(JournalError, ValueError):
    """The file is not a journal, or one of another version."""


class JournalLockedError(JournalError, BlockingIOError):
    """Another process writes to this journal."""


class EntryError(SpokenError, ValueError):
    """An entry that cannot be written down as JSON. The journal is fine; the caller is wrong."""


class FilterError(JournalError, ValueError):
    """A question to the journal that makes no sense. The journal is fine; the caller is wrong."""


_DAMAGED = Text(
    "{name}: the journal is damaged ({what}). When a launcher starts with it, it puts it aside under another name "
    "and begins a new one"
)
_READ_ONLY = Text(
    "{name}: the journal cannot be written: the file, its folder or the whole disk is read-only for this user. Give it "
    "write permission, mount the disk writable, or use another journal"
)
_FULL = Text(
    "{name}: the disk is full, nothing more can be recorded. Make room (1 MB or more); nothing was lost so far"
)
_NOT_OPENED = Text("{name}: the journal cannot be opened: {error}. Look at the path, or use another journal")
_NO_JOURNAL = Text(
    "{name}: this file is not a journal (or its first bytes are damaged). It is left as it is: move it aside, or use "
    "another journal"
)
_BUSY = Text("{name}: another program is writing to the journal ({error}). Close it; only the launcher may write")
_REFUSED = Text(
    "{name}: the disk refuses to read or write ({error}). It may be failing, or a quota or file size "
    "limit is reached: look into the system's log"
)
_OTHER = Text("{name}: the journal cannot do this: {error}")

_OF_SYSTEM: dict[int, tuple[type[JournalError], Text]] = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), (JournalReadOnlyError, _READ_ONLY)),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), (JournalFullError, _FULL)),
    errno.EIO: (JournalIoError, _REFUSED),
}
_OF_SQLITE: dict[int, tuple[type[JournalError], Text]] = {
    sqlite3.SQLITE_FULL: (JournalFullError, _FULL),
    **dict.fromkeys(
        (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN), (JournalReadOnlyError, _READ_ONLY)
    ),
    sqlite3.SQLITE_NOTADB: (JournalFormatError, _NO_JOURNAL),
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), (JournalLockedError, _BUSY)),
    sqlite3.SQLITE_IOERR: (JournalIoError, _REFUSED),
}
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG}
"""What SQLite says of a damaged file: no statement of ours breaks a constraint in one that is whole."""


def damaged(name: str, what: Text) -> JournalDamagedError:
    """The error for a journal that cannot be read; ``what`` says which part and why."""
    error = JournalDamagedError(_DAMAGED.filled(name=name, what=what))
    error.what = str(what)
    return error


def read_only(name: str) -> JournalReadOnlyError:
    """The error for a file, folder or disk that may not be written."""
    return JournalReadOnlyError(_READ_ONLY.filled(name=name))


def full(name: str) -> JournalFullError:
    """The error for a disk without room."""
    return JournalFullError(_FULL.filled(name=name))


def disk_trouble(name: str) -> JournalError | None:
    """What is wrong with the disk under the file ``name`` (mounted read-only, no room), or ``None``."""
    if not hasattr(os, "statvfs"):  # Windows
        return None
    disk = os.statvfs(Path(name).parent)
    if disk.f_flag & os.ST_RDONLY:
        return read_only(name)
    if disk.f_blocks and disk.f_bavail * disk.f_frsize < MIN_FREE_BYTES:
        return full(name)
    return None


def explain_os(error: OSError, name: str) -> JournalError:
    """Our error for one of the operating system, met before SQLite had the file."""
    kind, text = _OF_SYSTEM.get(error.errno or 0, (JournalIoError, _NOT_OPENED))
    return kind(text.filled(name=name, error=why(error, verbatim(error))))


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Something asked of SQLite; its errors are raised as ours."""
    try:
        yield
    except SQLITE_ERRORS as error:
        raise explain(error, name) from error


def explain(error: sqlite3.Error | UnicodeDecodeError, name: str) -> JournalError:
    """Our error for one of SQLite, or for a name in a damaged file that made its message unreadable."""
    if isinstance(error, UnicodeDecodeError):
        return damaged(name, Text("SQLite names something that is no text: {named!r}").filled(named=error.object))
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_IOERR and Path(name).is_dir():
        return explain_os(IsADirectoryError(errno.EISDIR, "a folder"), name)
    if code in _DAMAGE:
        return damaged(name, verbatim(error))
    if code == sqlite3.SQLITE_IOERR and (trouble := disk_trouble(name)):
        return trouble
    kind, text = _OF_SQLITE.get(code, (JournalError, _OTHER))
    return kind(text.filled(name=name, error=error))
