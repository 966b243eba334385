"""Make and read a backup: a zip of settings, journal and calibration, with a manifest of their sizes and hashes.

The journal in it is SQLite's own copy of one moment, so a launcher may go on writing.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import re
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from dispenser import safe_open
from dispenser.i18n import SpokenError, Text
from dispenser.journal import Journal
from dispenser.journal.errors import SQLITE_ERRORS, explain
from dispenser.journal.store import SCHEMA_VERSION, connect_read_only
from dispenser.service.settings import CALIBRATED
from dispenser.system.audit import audited

FORMAT = 1
SETTINGS = "dispenser.toml"
JOURNAL = "journal.sqlite3"
CALIBRATION = ("calibration.json", CALIBRATED)
"""What was measured at this launcher, and the settings that the service has made of it; they lie beside the journal."""
_MANIFEST = "manifest.json"
NO_SETTINGS = b"# No settings of its own: all the defaults.\n"
_MANIFEST = "manifest.json"
_PARTS = (SETTINGS, JOURNAL, *CALIBRATION)
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, KeyError, EOFError, NotImplementedError, RuntimeError),
    *(msgspec.MsgspecError, ValueError),
)
"""What reading a damaged zip, or one that somebody has made up, may raise."""
_Version = Annotated[str, Meta(pattern=r"^[0-9A-Za-z.+-]{1,40}\Z")]
_Time = Annotated[str, Meta(pattern=r"^[0-9TZ:-]{1,40}\Z")]


class BackupError(SpokenError, ValueError):
    """A backup that cannot be made or used; says why and what to do."""


class Part(msgspec.Struct, frozen=True):
    """One file inside."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself.

    :param version: the dispenser that made it.
    :param made: when, UTC.
    :param journal_version: the newest kind of journal that one knew.
    :param entries: how many the journal has.
    :param damage: what was wrong with the journal already, in English.
    :param files: by name inside.
    """

    format: int
    version: _Version
    made: _Time
    journal_version: int
    entries: int
    damage: list[str]
    files: dict[str, Part]


def make(settings: Path | None, journal: Path, target: Path) -> Manifest:
    """Write a backup, read it back and check it; then it gets its name.

    :param settings: the settings file; ``None`` where there is none.
    :param target: the file to be made; it belongs to whom its folder belongs to, and nobody else may read it.
    :raises BackupError: there is such a file already.
    :raises JournalError, OSError: what is to be kept cannot be read, or the file not be written.
    """
    if target.exists():
        raise BackupError(Text("{file} is there already: name another file").filled(file=target))
    with tempfile.TemporaryDirectory(prefix=".dispenser-backup-", dir=target.parent) as made:
        folder = Path(made)
        (folder / SETTINGS).write_bytes(_content(settings) if settings else NO_SETTINGS)
        entries, damage = 0, list[Text]()
        if journal.exists():
            _copy_journal(journal, folder / JOURNAL)
            entries, damage = examine_journal(folder / JOURNAL, journal)
        for name in CALIBRATION:
            with suppress(FileNotFoundError), safe_open.opened(journal.with_name(name)) as measured:
                (folder / name).write_bytes(measured.read())
        parts = {name: _part(folder / name) for name in _PARTS if (folder / name).exists()}
        moment = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        known = [each.en for each in damage]
        manifest = Manifest(FORMAT, version("card-dispenser"), moment, SCHEMA_VERSION, entries, known, parts)
        draft = folder / "backup.zip"
        _write(draft, folder, manifest)
        with opened(draft) as (_, _archive):
            pass
        with suppress(OSError):  # a stick's file system has no owners
            os.chown(draft, target.parent.stat().st_uid, target.parent.stat().st_gid)
        draft.rename(target)
    return manifest


def remember(journal: Path) -> None:
    """Leave an empty file beside the journal: when it was made is when the last backup was.

    :raises OSError: it cannot be written.
    """
    safe_open.fresh(_note(journal), 0o644).close()


def last_backup(journal: Path) -> datetime | None:
    """When the last backup was made, as far as this computer knows."""
    try:
        return datetime.fromtimestamp(_note(journal).lstat().st_mtime, UTC)
    except OSError:
        return None


def _note(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-backup")


def _copy_journal(source: Path, target: Path) -> None:
    """Copy the journal as it is at one moment, whoever writes to it meanwhile.

    :raises JournalError: it cannot be read, or there is no room.
    """
    with closing(connect_read_only(source)) as db, closing(sqlite3.connect(target)) as copy:
        try:
            db.backup(copy)
        except SQLITE_ERRORS as error:
            raise explain(error, str(source)) from error


def examine_journal(journal: Path, copy_of: Path | None = None) -> tuple[int, list[Text]]:
    """How many entries a journal has, and what is wrong with it: by SQLite, its chain of hashes, and the audit.

    :param copy_of: the journal that errors name, where ``journal`` is a copy that nobody can look at afterwards.
    :raises JournalError: it cannot be read.
    """
    with Journal.read_only(journal, called=copy_of) as reader:
        found = [each.text for each in reader.find_damage()]
        report = audited(reader)
        return reader.last_seq, found + [problem.in_words for problem in report.problems]


def _content(settings: Path) -> bytes:
    with safe_open.opened(settings, follow_link=True) as file:
        return file.read()


def _part(path: Path) -> Part:
    with path.open("rb") as file:
        return Part(path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def _write(target: Path, folder: Path, manifest: Manifest) -> None:
    with target.open("wb") as file:
        target.chmod(0o600)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
            for name in manifest.files:
                archive.write(folder / name, name)
        file.flush()
        os.fsync(file.fileno())


# --- reading ---------------------------------------------------------------------------------------------------------


@contextmanager
def opened(file: Path) -> Iterator[tuple[Manifest, zipfile.ZipFile]]:
    """A backup whose every part is what its manifest says.

    :raises BackupError: it is none, is damaged, or a newer dispenser made it.
    :raises OSError: it cannot be read.
    """
    with ExitStack() as stack:
        content = stack.enter_context(safe_open.opened(file, follow_link=True))
        try:
            archive = stack.enter_context(zipfile.ZipFile(content))
            head = archive.read(_MANIFEST)
            _refuse_newer(file, head)
            manifest = msgspec.json.decode(head, type=Manifest)
            for name in [SETTINGS, *(name for name in _PARTS[1:] if name in manifest.files)]:
                part = manifest.files[name]
                if archive.getinfo(name).file_size != part.size or _hash_inside(archive, name) != part.sha256:
                    raise zipfile.BadZipFile(f"{name} is not what it was")
            archive.read(SETTINGS).decode()
        except BackupError:
            raise
        except _DAMAGED as error:
            text = Text("{file} is no backup, or a damaged one ({why}); use another one")
            raise BackupError(text.filled(file=file, why=error)) from error
        yield manifest, archive


class _Made(msgspec.Struct, frozen=True):
    """So much of a manifest is the same in each version to come."""

    format: int
    version: _Version
    journal_version: int = 0


def _refuse_newer(file: Path, head: bytes) -> None:
    made, ours = msgspec.json.decode(head, type=_Made), version("card-dispenser")
    if made.format > FORMAT or made.journal_version > SCHEMA_VERSION or _order(made.version) > _order(ours):
        text = Text("{file} was made by dispenser {version}, and this is {ours}: update this one first")
        raise BackupError(text.filled(file=file, version=made.version, ours=ours))


def _order(version_: str) -> list[int]:
    """The numbers of a version, by which one is older than another."""
    return [int(number) for number in re.findall(r"\d+", version_.partition("+")[0])]


def _hash_inside(archive: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with archive.open(name) as inside:
        for chunk in iter(lambda: inside.read(1 << 18), b""):
            digest.update(chunk)
    return digest.hexdigest()
