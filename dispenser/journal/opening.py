"""Opening a journal for writing when its file is damaged: it is put aside, and a new one is begun."""

from __future__ import annotations

import glob
import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from dispenser.journal.damage import Damage
from dispenser.journal.errors import JournalDamagedError, explain_os
from dispenser.journal.state import Note
from dispenser.journal.store import connect


def open_or_put_aside(path: Path, name: str, found: Note, stamp: str) -> tuple[sqlite3.Connection, list[Damage]]:
    """Open the journal ``path`` for writing, and say what was done about a damaged one.

    :param found: what its last writer has noted.
    :param stamp: for the name of a file that is put aside.
    :raises JournalDamagedError: the file was never a journal; it is left as it is.
    :raises JournalError: it cannot be opened.
    """
    was_empty = not (path.exists() and path.stat().st_size)
    try:
        db = connect(path, name)
    except JournalDamagedError as error:
        if not found.seq and _is_another_file(path):
            raise
        kept_as = _put_aside(path, name, stamp)
        return connect(path, name), [Damage("put aside", kept_as=kept_as, why=error.what)]
    return db, [Damage("gone", last=found.seq)] if was_empty and found.seq else []


def _is_another_file(path: Path) -> bool:
    """Whether it begins neither like SQLite's files nor with the zeros that a power cut may leave."""
    with path.open("rb") as file:
        start = file.read(1 << 16)
    return not start.startswith(b"SQLite format 3") and bool(start.strip(b"\0"))


def _put_aside(path: Path, name: str, stamp: str) -> str:
    """Rename a journal's file, with what belongs to it, to ``….damaged-STAMP`` in the same folder; return that name.

    :raises JournalError: that is not possible here.
    """
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
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
