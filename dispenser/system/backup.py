"""Make, check and restore a backup: a zip of settings, journal and calibration, with sizes and hashes.

The journal is copied by SQLite's backup API, so a launcher may keep writing to it. A restore writes all files beside
those in use, then renames; the old files are kept under a name with the date.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import msgspec

from dispenser import safe_open
from dispenser.config import TableError, parse_toml
from dispenser.i18n import SpokenError, Text
from dispenser.journal import JournalReader
from dispenser.journal.errors import explained
from dispenser.journal.state import lock, writer_of
from dispenser.journal.store import SCHEMA_VERSION, connect_read_only
from dispenser.service.settings import CALIBRATED, ConfigError, overridden, parse

FORMAT = 1
SETTINGS = "dispenser.toml"
JOURNAL = "journal.sqlite3"
CALIBRATION = ("calibration.json", CALIBRATED)
"""Measurements of a calibration, and the settings that the service derived from them; stored beside the journal."""
NO_SETTINGS = b"# No settings of its own: all the defaults.\n"
_MANIFEST = "manifest.json"
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, KeyError, EOFError, NotImplementedError, RuntimeError),
    *(msgspec.MsgspecError, ValueError),
)
"""Exceptions that a damaged or forged zip may raise."""


class BackupError(SpokenError, ValueError):
    """A backup cannot be made or used. The text says why and what to do."""


class Manifest(msgspec.Struct, frozen=True):
    """Description of a backup, stored in it as JSON.

    :param version: version of the dispenser that made it.
    :param made: time, UTC.
    :param journal_version: version of the journal's schema.
    :param records: number of records in the journal.
    :param damage: damage that the journal had already, in English.
    :param files: SHA-256 of each file, by its name in the archive.
    """

    format: int
    version: str
    made: str
    journal_version: int
    records: int
    damage: list[str]
    files: dict[str, str]


def make(settings: Path | None, journal: Path, target: Path) -> Manifest:
    """Write a backup under a temporary name, read it back and check it, then rename it.

    :param target: the file to create, readable by its owner only; it gets the owner of its folder.
    :raises BackupError, JournalError, OSError: it cannot be made.
    """
    if target.exists():
        raise BackupError(Text("{file} is there already: name another file").filled(file=target))
    try:
        folder = tempfile.TemporaryDirectory(prefix=".dispenser-backup-", dir=target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from error  # it names the temporary folder
    with folder as made:
        copy, draft = Path(made, JOURNAL), Path(made, "backup.zip")
        contents = {SETTINGS: _read(settings, follow_link=True) if settings else NO_SETTINGS}
        records, damage = 0, list[str]()
        if journal.exists():
            records, damage = _copy_journal(journal, copy)
            contents[JOURNAL] = copy.read_bytes()
        for name in CALIBRATION:
            with suppress(FileNotFoundError):
                contents[name] = _read(journal.with_name(name))
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
        moment = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        manifest = Manifest(FORMAT, version("card-dispenser"), moment, SCHEMA_VERSION, records, damage, hashes)
        with safe_open.fresh(draft) as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(_MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
                for name, content in contents.items():
                    archive.writestr(name, content)
            file.flush()
            os.fsync(file.fileno())
        with opened(draft) as (_, _archive):
            pass
        with suppress(OSError):  # FAT file systems, as on USB sticks, have no owners
            os.chown(draft, target.parent.stat().st_uid, target.parent.stat().st_gid)
        draft.rename(target)
    return manifest


def _read(path: Path, *, follow_link: bool = False) -> bytes:
    with safe_open.opened(path, follow_link=follow_link) as file:
        return file.read()


def _copy_journal(source: Path, target: Path) -> tuple[int, list[str]]:
    """Copy the journal by SQLite's backup API, which gives a consistent copy while a launcher writes to it.

    :returns: number of records, and the damage found.
    """
    name = str(source)
    with closing(connect_read_only(source, name)) as db, closing(sqlite3.connect(target)) as copy, explained(name):
        db.backup(copy)
    with JournalReader(connect_read_only(target, name), name) as journal:
        return journal.last_seq, [damage.text.en for damage in journal.find_damage()]


def note_backup_time(journal: Path) -> None:
    """Create an empty file beside the journal, whose mtime is the time of the last backup."""
    safe_open.fresh(_time_file(journal), 0o644).close()


def last_backup(journal: Path) -> datetime | None:
    """Return the time of the last backup made on this computer; ``None`` if there is none."""
    try:
        return datetime.fromtimestamp(_time_file(journal).lstat().st_mtime, UTC)
    except OSError:
        return None


def _time_file(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-backup")


@contextmanager
def opened(file: Path) -> Iterator[tuple[Manifest, zipfile.ZipFile]]:
    """Open a backup and verify the hashes of its parts.

    :raises BackupError, OSError: it is not a backup, is damaged, or was made by another version.
    """
    with ExitStack() as stack:
        content = stack.enter_context(safe_open.opened(file, follow_link=True))
        try:
            archive = stack.enter_context(zipfile.ZipFile(content))
            manifest = msgspec.json.decode(archive.read(_MANIFEST), type=Manifest)
            for name, expected in manifest.files.items():
                if hashlib.sha256(archive.read(name)).hexdigest() != expected:
                    raise zipfile.BadZipFile(f"{name} is not what it was")
            archive.read(SETTINGS).decode()
        except _DAMAGED as error:
            text = Text("{file} is no backup, or a damaged one; use another one")
            raise BackupError(text.filled(file=file)) from error
        if (manifest.format, manifest.journal_version) != (FORMAT, SCHEMA_VERSION):
            text = Text("{file} was made by dispenser {version}, and this is {ours}: install that version first")
            raise BackupError(text.filled(file=file, version=manifest.version, ours=version("card-dispenser")))
        yield manifest, archive


def check(file: Path) -> tuple[Manifest, Path]:
    """Return the manifest of a backup, and the journal's path according to the settings in it.

    :raises BackupError, OSError, ConfigError: this version could not start with it.
    """
    with opened(file) as (manifest, archive):
        settings = archive.read(SETTINGS).decode("utf-8-sig")
        if CALIBRATED in manifest.files:
            try:
                overridden(parse_toml(settings), parse_toml(archive.read(CALIBRATED).decode()))
            except TableError as error:
                raise ConfigError(*error.within(file / CALIBRATED)) from error
        return manifest, parse(settings).journal_path().absolute()


def restore(file: Path, settings: Path, journal: Path) -> list[Path]:
    """Restore a backup. Nothing changes before everything was checked and written to temporary files.

    Then files are renamed, in an instant; after a power cut between two renames, restore again: nothing is lost.

    :param journal: its path, according to the settings in the backup.
    :returns: the file and the folder that keep the old data.
    :raises BackupError, OSError: it cannot be used, or a launcher writes to the journal.
    """
    settings, stamp = settings.resolve(), f"before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    kept_settings, kept = (path.with_name(f"{path.name}.{stamp}") for path in (settings, journal))
    with opened(file) as (manifest, archive), ExitStack() as stack:
        new = stack.enter_context(_folder_beside(journal))
        for name in manifest.files.keys() & {JOURNAL, *CALIBRATION}:
            _unpack(archive, name, new / (journal.name if name == JOURNAL else name), journal.parent)
        new_settings = None
        if archive.read(SETTINGS) != (settings.read_bytes() if settings.exists() else NO_SETTINGS):
            new_settings = stack.enter_context(_folder_beside(settings)) / SETTINGS
            _unpack(archive, SETTINGS, new_settings, settings if settings.exists() else journal.parent)
            new_settings.chmod(settings.stat().st_mode if settings.exists() else 0o640)
        if JOURNAL in manifest.files:
            _replace(journal, new, kept)
        if new_settings is not None:
            with suppress(FileNotFoundError):
                kept_settings.hardlink_to(settings)
            new_settings.rename(settings)
        os.sync()
    return [path for path in (kept_settings, kept) if path.exists()]


@contextmanager
def _folder_beside(target: Path) -> Iterator[Path]:
    """Provide an empty private folder on the target's file system; remove it at the end with what is left in it."""
    target.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{target.name}.restoring-", dir=target.parent) as folder:
        yield Path(folder)


def _unpack(archive: zipfile.ZipFile, name: str, new: Path, like: Path) -> None:
    """Extract one part to a new file and fsync it; it gets the owner of the file or folder ``like``."""
    with archive.open(name) as inside, safe_open.fresh(new) as file:
        shutil.copyfileobj(inside, file)
        file.flush()
        os.fsync(file.fileno())
    _set_owner(new, like)


def _set_owner(new: Path, like: Path) -> None:
    if os.geteuid() == 0:
        os.chown(new, like.stat().st_uid, like.stat().st_gid)


def _replace(journal: Path, new: Path, kept: Path) -> None:
    """Move the journal and its files to the folder ``kept``, and the new files to their place.

    Meanwhile no launcher can start: this holds the lock on the state file, which is moved last.
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
        _set_owner(kept, journal.parent)
        beside = [journal.with_name(f"{journal.name}{suffix}") for suffix in ("-wal", "-shm")]
        for old in (journal, *beside, *map(journal.with_name, CALIBRATION)):
            _move(old, kept)
        for name in (journal.name, *CALIBRATION):
            _move(new / name, journal.parent)
        _move(state, kept)
    with suppress(OSError):  # not empty
        kept.rmdir()


def _move(old: Path, folder: Path) -> None:
    with suppress(FileNotFoundError):
        old.rename(folder / old.name)
