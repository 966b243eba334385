"""Puts a backup in the place of settings and journal. What was there stays beside them, under another name."""

from __future__ import annotations

import grp
import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from dispenser import safe_open
from dispenser.config import TableError, parse_content, parse_toml
from dispenser.i18n import Text
from dispenser.journal.errors import MIN_FREE_BYTES
from dispenser.journal.state import writer_of
from dispenser.service.settings import CALIBRATED, ConfigError, overridden, parse
from dispenser.system import links
from dispenser.system.backup import (
    CALIBRATION,
    JOURNAL,
    NO_SETTINGS,
    SETTINGS,
    BackupError,
    Manifest,
    examine_journal,
    opened,
    unpack,
)
from dispenser.system.swap import Replacement, plan_beside, replace_all, settle

GROUP = "dispenser"
"""Whose the settings are besides root's."""
_BESIDE = ("-wal", "-shm", "-state")
"""What belongs to a journal, and must not get to another."""


def look_into(file: Path) -> Manifest:
    """What a backup says of itself; all of it is checked.

    :raises BackupError, OSError: it cannot be used.
    """
    with opened(file) as (manifest, _):
        return manifest


def journal_after(file: Path) -> Path:
    """Where the journal is by the settings in a backup.

    :raises ConfigError: this version would not start with them, or with the calibration in it.
    """
    with opened(file) as (manifest, archive):
        settings = archive.read(SETTINGS).decode()
        if CALIBRATED in manifest.files:
            try:
                overridden(parse_toml(settings), parse_content(archive.read(CALIBRATED)))
            except TableError as error:
                raise ConfigError(*error.within(file / CALIBRATED)) from error
        return parse(settings).journal_path().absolute()


def restore(file: Path, settings: Path, journal: Path) -> list[Path]:
    """Put what is in a backup there: all of it or, whatever happens, nothing.

    :param settings: the settings file's place.
    :param journal: the journal's place, by the settings in the backup.
    :returns: under which names the files are kept that were there.
    :raises BackupError: it cannot be used, or a launcher writes to the journal.
    :raises JournalError: somebody else has made a link there.
    :raises SwapError, OSError: it cannot be done here; nothing has changed.
    """
    settings, journal = links.followed(settings), links.followed(journal)
    journal.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    settle(plan_beside(journal))
    if (process := writer_of(journal)) is not None:
        text = Text("a launcher (process {process}) writes to {journal}: end it first")
        raise BackupError(text.filled(process=process, journal=journal))
    stamp = f"before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    with opened(file) as (manifest, archive), ExitStack() as stack:
        replacements = []
        _refuse_too_large(manifest, journal.parent)
        if JOURNAL in manifest.files:
            folder = stack.enter_context(_staging(journal))
            replacements = _of_journal(journal, _checked_journal(archive, manifest, folder / journal.name), stamp)
            replacements += [
                _of_calibration(archive, manifest, journal.with_name(name), folder, stamp) for name in CALIBRATION
            ]
        if archive.read(SETTINGS) != (settings.read_bytes() if settings.exists() else NO_SETTINGS):
            new = stack.enter_context(_staging(settings)) / settings.name
            unpack(archive, SETTINGS, new)
            _dress(new, settings, 0o640, None)
            replacements.append(Replacement(settings, settings.with_name(f"{settings.name}.{stamp}"), new))
        if replacements:
            replace_all(plan_beside(journal), sorted(replacements, key=lambda each: each.new is not None))
    return [each.kept for each in replacements if each.new is not None and each.kept.exists()]


def _refuse_too_large(manifest: Manifest, folder: Path) -> None:
    needed, free = sum(part.size for part in manifest.files.values()), shutil.disk_usage(folder).free
    if needed > free - MIN_FREE_BYTES:
        text = Text("{folder}: what is in it needs {needed:,} MB, and {free:,} MB are free: make room first")
        raise BackupError(text.filled(folder=folder, needed=(needed + MIN_FREE_BYTES >> 20) + 1, free=free >> 20))


def _of_journal(journal: Path, new: Path, stamp: str) -> list[Replacement]:
    """It, and what belongs to the one that was there, which goes aside with it."""
    _dress(new, journal, 0o600, journal.parent)
    kept = journal.with_name(f"{journal.name}.{stamp}")
    names = [(journal.with_name(journal.name + suffix), kept.with_name(kept.name + suffix)) for suffix in _BESIDE]
    return [*(Replacement(here, there) for here, there in names), Replacement(journal, kept, new)]


def _of_calibration(archive: zipfile.ZipFile, manifest: Manifest, here: Path, folder: Path, stamp: str) -> Replacement:
    """One of its files, in the place of the one that is there."""
    new = None
    if here.name in manifest.files:
        new = folder / here.name
        unpack(archive, here.name, new)
        _dress(new, here, 0o600, here.parent)
    return Replacement(here, here.with_name(f"{here.name}.{stamp}"), new)


def _checked_journal(archive: zipfile.ZipFile, manifest: Manifest, new: Path) -> Path:
    unpack(archive, JOURNAL, new)
    entries, damage = examine_journal(new)
    if (entries, [each.en for each in damage]) != (manifest.entries, manifest.damage):
        found = "; ".join(map(str, damage)) or Text("{number:,} entry", plural="{number:,} entries").filled(
            number=entries
        )
        raise BackupError(Text("the journal in it is not what was kept ({found}): use another one").filled(found=found))
    for suffix in _BESIDE:
        new.with_name(new.name + suffix).unlink(missing_ok=True)
    return new


@contextmanager
def _staging(target: Path) -> Iterator[Path]:
    """A folder on the same disk as the target, where nobody looks."""
    folder = target.with_name(f"{target.name}.restoring")
    shutil.rmtree(folder, ignore_errors=True)  # of one that was cut off
    folder.mkdir(mode=0o700, parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _dress(new: Path, target: Path, mode: int, like: Path | None) -> None:
    """The owner and rights of the file that was there; else those that the installation gives it.

    :param like: whose owner it gets where there was none.
    """
    was = target.stat() if target.exists() else None
    owner = was or (like.stat() if like else None)
    with safe_open.opened(new) as file:  # by its number: its folder may be another user's
        os.fchmod(file.fileno(), was.st_mode & 0o777 if was else mode)
        if os.geteuid() == 0 and owner is not None:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        elif os.geteuid() == 0:
            with suppress(KeyError):  # no such group: it is root's
                os.fchown(file.fileno(), -1, grp.getgrnam(GROUP).gr_gid)
