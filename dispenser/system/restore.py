"""Restore a backup: check it, write it beside what is in use, rename; the old files stay under a dated name."""

from __future__ import annotations

import grp
import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from dispenser import safe_open
from dispenser.config import TableError, parse_content, parse_toml
from dispenser.i18n import Text
from dispenser.journal.state import lock, writer_of
from dispenser.service.settings import CALIBRATED, ConfigError, overridden, parse
from dispenser.system.backup import (
    CALIBRATION,
    JOURNAL,
    NO_SETTINGS,
    SETTINGS,
    BackupError,
    Manifest,
    examine_journal,
    opened,
)

GROUP = "dispenser"
"""Whose the settings are besides root's."""


def check(file: Path) -> tuple[Manifest, Path]:
    """What a backup says of itself, and where the journal is by the settings in it.

    :raises BackupError, OSError: it cannot be used.
    :raises ConfigError: this version would not start with its settings, or with the calibration in it.
    """
    with opened(file) as (manifest, archive):
        settings = archive.read(SETTINGS).decode()
        if CALIBRATED in manifest.files:
            try:
                overridden(parse_toml(settings), parse_content(archive.read(CALIBRATED)))
            except TableError as error:
                raise ConfigError(*error.within(file / CALIBRATED)) from error
        return manifest, parse(settings).journal_path().absolute()


def restore(file: Path, settings: Path, journal: Path) -> list[Path]:
    """Put what is in a backup in place. Until all of it is written and checked, nothing changes.

    The renames take an instant; after a power cut between two of them, restore again: nothing is lost.

    :param settings: the settings file's place.
    :param journal: the journal's place, by the settings in the backup.
    :returns: the file and the folder in which the old ones are kept.
    :raises BackupError: it cannot be used, or a launcher writes to the journal.
    :raises OSError: it cannot be done here.
    """
    settings, stamp = settings.resolve(), f"before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    kept_settings, kept = (path.with_name(f"{path.name}.{stamp}") for path in (settings, journal))
    with opened(file) as (manifest, archive), ExitStack() as stack:
        new_settings = None
        if archive.read(SETTINGS) != (settings.read_bytes() if settings.exists() else NO_SETTINGS):
            new_settings = stack.enter_context(_folder_beside(settings)) / SETTINGS
            _unpack(archive, SETTINGS, new_settings, settings)
        if JOURNAL in manifest.files:
            new = stack.enter_context(_folder_beside(journal))
            _unpack(archive, JOURNAL, new / journal.name, journal.parent)
            _check_journal(new / journal.name, manifest)
            for name in CALIBRATION:
                if name in manifest.files:
                    _unpack(archive, name, new / name, journal.parent)
            _replace(journal, new, kept)
        if new_settings is not None:
            with suppress(FileNotFoundError):
                kept_settings.hardlink_to(settings)
            new_settings.rename(settings)
        os.sync()
    return [path for path in (kept_settings, kept) if path.exists()]


@contextmanager
def _folder_beside(target: Path) -> Iterator[Path]:
    """An empty folder that only this user can read, on the same disk as the target; it goes with what is left in it."""
    target.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f"{target.name}.restoring-", dir=target.parent) as folder:
        yield Path(folder)


def _unpack(archive: zipfile.ZipFile, name: str, new: Path, like: Path) -> None:
    """Write a part of a backup to a new file, safely to the disk.

    :param like: the file, or the folder, whose owner it gets; settings get its mode, too.
    """
    with archive.open(name) as inside, safe_open.fresh(new) as file:
        shutil.copyfileobj(inside, file)
        file.flush()
        os.fsync(file.fileno())
        status = like.stat() if like.exists() else None
        if name == SETTINGS:
            os.fchmod(file.fileno(), status.st_mode & 0o777 if status else 0o640)
        if os.geteuid() == 0 and status is not None:
            os.fchown(file.fileno(), status.st_uid, status.st_gid)
        elif os.geteuid() == 0:
            with suppress(KeyError):  # no such group: it is root's
                os.fchown(file.fileno(), -1, grp.getgrnam(GROUP).gr_gid)


def _check_journal(new: Path, manifest: Manifest) -> None:
    entries, damage = examine_journal(new)
    if (entries, [each.en for each in damage]) != (manifest.entries, manifest.damage):
        found = "; ".join(map(str, damage)) or Text("{number:,} entry", plural="{number:,} entries").filled(
            number=entries
        )
        raise BackupError(Text("the journal in it is not what was kept ({found}): use another one").filled(found=found))


def _replace(journal: Path, new: Path, kept: Path) -> None:
    """Move the journal and what belongs to it to the folder ``kept``, and the new files in their place.

    A launcher that starts meanwhile is refused: this holds the lock on the state file, which is moved last.
    """
    state = journal.with_name(f"{journal.name}-state")
    with ExitStack() as stack:
        try:
            with suppress(FileNotFoundError):
                lock(stack.enter_context(safe_open.opened(state)))
        except BlockingIOError as error:
            text = Text("a launcher (process {process}) writes to {journal}: end it first")
            raise BackupError(text.filled(process=writer_of(journal) or "?", journal=journal)) from error
        kept.mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(kept, journal.parent.stat().st_uid, journal.parent.stat().st_gid, follow_symlinks=False)
        beside = [journal.with_name(f"{journal.name}{suffix}") for suffix in ("-wal", "-shm")]
        for old in (journal, *beside, *map(journal.with_name, CALIBRATION)):
            _move(old, kept)
        for name in (journal.name, *CALIBRATION):
            _move(new / name, journal.parent)
        _move(state, kept)
    with suppress(OSError):  # it is not empty
        kept.rmdir()


def _move(old: Path, folder: Path) -> None:
    with suppress(FileNotFoundError):
        old.rename(folder / old.name)
