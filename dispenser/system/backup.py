"""Make, check and restore a backup: a zip of settings, journal and calibration, with sizes and hashes.

The journal in it is SQLite's own copy of one moment, so a launcher may go on writing. A restore writes all of it beside
what is in use, then renames; the old files stay under a dated name.
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
"""What was measured at this launcher, and the settings that the service has made of it; they lie beside the journal."""
NO_SETTINGS = b"# No settings of its own: all the defaults.\n"
_MANIFEST = "manifest.json"
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, KeyError, EOFError, NotImplementedError, RuntimeError),
    *(msgspec.MsgspecError, ValueError),
)
"""What reading a damaged zip, or one that somebody has made up, may raise."""


class BackupError(SpokenError, ValueError):
    """A backup that cannot be made or used; says why and what to do."""


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself.

    :param version: the dispenser that made it.
    :param made: when, UTC.
    :param journal_version: of the journal's schema.
    :param entries: how many the journal has.
    :param damage: what was wrong with the journal already, in English.
    :param files: the SHA-256 of each, by its name inside.
    """

    format: int
    version: str
    made: str
    journal_version: int
    entries: int
    damage: list[str]
    files: dict[str, str]


def make(settings: Path | None, journal: Path, target: Path) -> Manifest:
    """Write a backup, read it back and check it; then it gets its name.

    :param target: the file to be made; it belongs to whom its folder belongs to, and nobody else may read it.
    :raises BackupError, JournalError, OSError: it cannot be made.
    """
    if target.exists():
        raise BackupError(Text("{file} is there already: name another file").filled(file=target))
    with tempfile.TemporaryDirectory(prefix=".dispenser-backup-", dir=target.parent) as made:
        copy, draft = Path(made, JOURNAL), Path(made, "backup.zip")
        contents = {SETTINGS: _read(settings, follow_link=True) if settings else NO_SETTINGS}
        entries, damage = 0, list[str]()
        if journal.exists():
            entries, damage = _copy_journal(journal, copy)
            contents[JOURNAL] = copy.read_bytes()
        for name in CALIBRATION:
            with suppress(FileNotFoundError):
                contents[name] = _read(journal.with_name(name))
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
        moment = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        manifest = Manifest(FORMAT, version("card-dispenser"), moment, SCHEMA_VERSION, entries, damage, hashes)
        with safe_open.fresh(draft) as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(_MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
                for name, content in contents.items():
                    archive.writestr(name, content)
            file.flush()
            os.fsync(file.fileno())
        with opened(draft) as (_, _archive):
            pass
        with suppress(OSError):  # a stick's file system has no owners
            os.chown(draft, target.parent.stat().st_uid, target.parent.stat().st_gid)
        draft.rename(target)
    return manifest


def _read(path: Path, *, follow_link: bool = False) -> bytes:
    with safe_open.opened(path, follow_link=follow_link) as file:
        return file.read()


def _copy_journal(source: Path, target: Path) -> tuple[int, list[str]]:
    """Copy the journal as it is at one moment, whoever writes to it meanwhile.

    :returns: how many entries it has, and what is wrong with it.
    """
    name = str(source)
    with closing(connect_read_only(source, name)) as db, closing(sqlite3.connect(target)) as copy, explained(name):
        db.backup(copy)
    with JournalReader(connect_read_only(target, name), name) as journal:
        return journal.last_seq, [damage.text.en for damage in journal.find_damage()]


def note_backup_time(journal: Path) -> None:
    """Make an empty file beside the journal, whose time is that of the last backup."""
    safe_open.fresh(_time_file(journal), 0o644).close()


def last_backup(journal: Path) -> datetime | None:
    """When the last backup was made, as far as this computer knows."""
    try:
        return datetime.fromtimestamp(_time_file(journal).lstat().st_mtime, UTC)
    except OSError:
        return None


def _time_file(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-backup")


@contextmanager
def opened(file: Path) -> Iterator[tuple[Manifest, zipfile.ZipFile]]:
    """A backup whose every part is what its manifest says.

    :raises BackupError, OSError: it is none, is damaged, or another version made it.
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
            text = Text("{file} is no backup, or a damaged one ({why}); use another one")
            raise BackupError(text.filled(file=file, why=error)) from error
        if (manifest.format, manifest.journal_version) != (FORMAT, SCHEMA_VERSION):
            text = Text("{file} was made by dispenser {version}, and this is {ours}: install that version first")
            raise BackupError(text.filled(file=file, version=manifest.version, ours=version("card-dispenser")))
        yield manifest, archive


def check(file: Path) -> tuple[Manifest, Path]:
    """What a backup says of itself, and where the journal is by the settings in it.

    :raises BackupError, OSError, ConfigError: this version would not start with it.
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
    """Put what is in a backup in place. Until all of it is checked and written, nothing changes.

    The renames take an instant; after a power cut between two of them, restore again: nothing is lost.

    :param journal: its place, by the settings in the backup.
    :returns: the file and the folder in which the old ones are kept.
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
    """An empty folder that only this user can read, on the same disk as the target; it goes with what is left in it."""
    target.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{target.name}.restoring-", dir=target.parent) as folder:
        yield Path(folder)


def _unpack(archive: zipfile.ZipFile, name: str, new: Path, like: Path) -> None:
    """Write a part of a backup to a new file, safely to the disk; its owner is that of the file or folder ``like``."""
    with archive.open(name) as inside, safe_open.fresh(new) as file:
        shutil.copyfileobj(inside, file)
        file.flush()
        os.fsync(file.fileno())
    _set_owner(new, like)


def _set_owner(new: Path, like: Path) -> None:
    if os.geteuid() == 0:
        os.chown(new, like.stat().st_uid, like.stat().st_gid)


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
        _set_owner(kept, journal.parent)
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
