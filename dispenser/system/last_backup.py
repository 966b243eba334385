"""When the last backup was made: a note beside the journal."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from dispenser.safe_open import fresh, opened


class LastBackup(msgspec.Struct, frozen=True):
    """The backup that was made last.

    :param made: when.
    :param entries: how many the journal had.
    """

    made: datetime
    entries: int


def remember(journal: Path, entries: int) -> None:
    """A backup with so many entries was made just now. Without a folder for the journal there is nothing to remember.

    :raises OSError: the note cannot be written.
    """
    if journal.parent.is_dir():
        draft = _note(journal).with_suffix(".draft")
        with fresh(draft, 0o644) as file:
            file.write(msgspec.json.encode(LastBackup(datetime.now(UTC), entries)))
        draft.replace(_note(journal))


def last_backup(journal: Path) -> LastBackup | None:
    """The last one that is known of."""
    try:
        with opened(_note(journal)) as file:
            return msgspec.json.decode(file.read(), type=LastBackup)
    except (OSError, msgspec.MsgspecError):
        return None


def _note(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-backup")
