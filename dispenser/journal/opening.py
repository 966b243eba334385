"""Opening a journal for writing when its file is damaged: it is put aside, and a new one is begun."""

from __future__ import annotations

import glob
import os
import sqlite3
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

from dispenser.i18n import verbatim
from dispenser.journal.damage import Damage
from dispenser.journal.errors import JournalDamagedError, JournalFormatError, damaged, explain_os, explained
from dispenser.journal.state import Note
from dispenser.journal.store import connect
from dispenser.safe_open import refuse_other_than_regular


def open_or_put_aside(path: Path, name: str, found: Note, stamp: str) -> tuple[sqlite3.Connection, list[Damage]]:
    """Open the journal ``path`` for writing, and say what was done about a damaged one.

    :param found: what its last writer has noted.
    :param stamp: for the name of a file that is put aside.
    :raises JournalFormatError: the file is something else, or of another version; it is left as it is.
    :raises JournalError: it cannot be opened.
    """
    was_empty = not (path.exists() and path.stat().st_size)
    try:
        db = _open(path, name, found)
    except (JournalDamagedError, JournalFormatError) as error:
        why = error.what if isinstance(error, JournalDamagedError) else str(error.__cause__ or "")
        if not why or not (isinstance(error, JournalDamagedError) or found.seq or _is_zeros(path)):
            raise  # nobody else's file is touched
        damage = Damage("put aside", kept_as=_put_aside(path, name, stamp), why=why)
        return _open(path, name, Note()), [damage]
    return db, [Damage("gone", last=found.seq)] if was_empty and found.seq else []


def _open(path: Path, name: str, found: Note) -> sqlite3.Connection:
    """Open it, and let SQLite look at its structure unless it was closed well; some 0.1 s for 10 MB."""
    try:
        if not path.exists():
            path.touch(mode=0o600)
        refuse_other_than_regular(path.stat(), path)
    except OSError as error:
        raise explain_os(error, name) from error
    with ExitStack() as undo, explained(name):
        db = connect(path, name)
        undo.callback(db.close)
        ((id_, last),) = db.execute("SELECT id, (SELECT coalesce(max(seq), 0) FROM entries) FROM journal")
        if found != Note(0, id_, last) and (complaint := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise damaged(name, verbatim(complaint))
        undo.pop_all()
    return db


def _is_zeros(path: Path) -> bool:
    """What a power cut may leave of a file."""
    with suppress(OSError), path.open("rb") as file:
        return not file.read(1 << 16).strip(b"\0")
    return False


def _put_aside(path: Path, name: str, stamp: str) -> str:
    """Rename a journal's file, with what belongs to it, to ``….damaged-STAMP`` in the same folder; return that name.

    :raises JournalError: that is not possible here.
    """
    names = (f"{path.name}.damaged-{stamp}" + f"-{number}" * (number > 1) for number in count(1))
    aside = next(each for each in map(path.with_name, names) if not each.exists())
    try:
        for suffix in ("-wal", "-shm", ""):  # the file itself last: after a kill in between, the rest follows
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    except OSError as error:
        raise explain_os(error, name) from error
    return aside.name


def put_aside_before(path: Path) -> list[str]:
    """The names of the damaged journals that were put aside beside this one, oldest first."""
    path = Path(os.path.realpath(path))
    found = path.parent.glob(f"{glob.escape(path.name)}.damaged-*")
    return sorted(file.name for file in found if not file.name.endswith(("-wal", "-shm")))
