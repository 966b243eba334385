"""Errors of the journal: what happened, in which file, what to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from dispenser.i18n import SpokenError, Text, verbatim, why


class JournalError(SpokenError):
    """A journal operation failed. Nothing was written in part; what was written before is safe."""


class JournalMissingError(JournalError):
    """The journal does not exist, or no longer."""


class JournalFormatError(JournalError):
    """The file belongs to another program, or has another schema version."""


class JournalDamagedError(JournalError):
    """The file cannot be read as a journal; ``what`` says which part and why."""

    what = ""


class NotAJournalError(JournalDamagedError):
    """The file's first bytes are not those of a journal: it is another program's, or they are damaged."""


class FilterError(JournalError):
    """An invalid query. The journal is fine; the caller is wrong."""


class RecordError(SpokenError, ValueError):
    """A record that has no JSON form. The journal is fine; the caller is wrong."""


READ_ONLY = Text(
    "{name}: the journal cannot be written: the file, its folder or the whole disk is read-only for this user. Give it "
    "write permission, mount the disk writable, or use another journal"
)
FULL = Text("{name}: the disk is full, nothing more can be recorded. Make room (1 MB or more); nothing was lost so far")
_DAMAGED = Text(
    "{name}: the journal is damaged ({what}). When a launcher starts with it, it puts it aside under another name "
    "and begins a new one"
)
_NO_JOURNAL = Text(
    "{name}: this file is not a journal (or its first bytes are damaged). It is left as it is: move it aside, or use "
    "another journal"
)
_NOT_OPENED = Text("{name}: the journal cannot be opened: {error}. Look at the path, or use another journal")
_BUSY = Text("{name}: another program is writing to the journal ({error}). Close it; only the launcher may write")
_REFUSED = Text(
    "{name}: the disk refuses to read or write ({error}). It may be failing, or a quota or file size "
    "limit is reached: look into the system's log"
)
_OTHER = Text("{name}: the journal cannot do this: {error}")

_OF_SYSTEM: dict[int | None, Text] = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), READ_ONLY),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), FULL),
    errno.EIO: _REFUSED,
}
_OF_SQLITE = {
    sqlite3.SQLITE_FULL: FULL,
    **dict.fromkeys((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM), READ_ONLY),
    sqlite3.SQLITE_CANTOPEN: _NOT_OPENED,
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), _BUSY),
    sqlite3.SQLITE_IOERR: _REFUSED,
}
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG}
"""SQLite's error codes for a damaged file: no statement of ours breaks a constraint in an undamaged one."""


def damaged(name: str, what: object, *, journal: bool = True) -> JournalDamagedError:
    """Return the error for a journal that cannot be read; ``what`` says which part and why.

    :param journal: whether the file looks like a journal.
    """
    kind, text = (JournalDamagedError, _DAMAGED) if journal else (NotAJournalError, _NO_JOURNAL)
    error = kind(text.filled(name=name, what=what))
    error.what = str(what)
    return error


def explain_os(error: OSError, name: str) -> JournalError:
    """Return the ``JournalError`` for an error of the operating system."""
    return JournalError(_OF_SYSTEM.get(error.errno, _NOT_OPENED).filled(name=name, error=why(error, verbatim(error))))


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Raise SQLite errors of the block as ``JournalError``."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # UnicodeDecodeError: of a name in a damaged file
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            raise damaged(name, error, journal=False) from error
        if code in _DAMAGE or isinstance(error, UnicodeDecodeError):
            raise damaged(name, error) from error
        raise JournalError(_OF_SQLITE.get(code, _OTHER).filled(name=name, error=error)) from error
