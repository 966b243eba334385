"""Writes single settings into the file where the others stand, and takes them back."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from dispenser.config import TableError, parse_toml, read_file
from dispenser.config.errors import prefixed
from dispenser.config.writer import Changes, rewritten, values_in
from dispenser.i18n import Text, why
from dispenser.safe_open import opened
from dispenser.service.settings import (
    SYSTEM_CONFIG,
    ConfigError,
    Settings,
    calibrated_file,
    find_config,
    overridden,
    parse,
)


def file_to_change(given: Path | None) -> Path:
    """The settings file that is read, or the one that would be."""
    return find_config(given) or SYSTEM_CONFIG


def where_to_write(file: Path, settings: Settings) -> Path:
    """That file, or the one of calibrations, which overrides it: where there is one already, or the service, which may
    write nowhere else, is to write."""
    calibrated = calibrated_file(settings)
    if calibrated is None or (_can_write(file) and not os.path.exists(calibrated)):  # noqa: PTH110 - as in settings.py
        return file
    return calibrated


def _can_write(file: Path) -> bool:
    folder = next((each for each in file.parents if os.path.exists(each)), file.parent)  # noqa: PTH110
    return os.access(folder, os.W_OK | os.X_OK)


def change(path: Path, changes: Changes, file: Path | None = None) -> dict[str, dict[str, Any]]:
    """Write these settings, and nothing that cannot be used.

    :param path: as ``where_to_write`` says.
    :param file: the settings file, if that is another one.
    :returns: what they were before; ``None``: the key was not there.
    :raises ConfigError: the file is wrong, or cannot be written.
    """
    text = _read(path)
    _check(text, path, file)
    before = values_in(text, changes)
    changed = rewritten(text, changes)
    _check(changed, path, file)
    if file is not None and file != path and not changed.strip():
        path.unlink(missing_ok=True)  # it overrides nothing any more
    else:
        _write(path, changed)
    return before


def _check(text: str, path: Path, file: Path | None) -> None:
    """Whether these settings go together, and with those that they override."""
    if file is None or file == path:
        parse(text)
        return
    try:
        overridden(read_file(file) if file.exists() else {}, parse_toml(text))
    except TableError as error:
        raise ConfigError(*error.within(path)) from error


def take_back(path: Path, before: Changes, written: Changes, file: Path | None = None) -> Changes:
    """Put back what was before; a setting that somebody has changed since stays as it is.

    :returns: what was put back.
    :raises ConfigError: as ``change``.
    """
    now = values_in(_read(path), written)
    back = {
        table: {key: value for key, value in keys.items() if now[table][key] == written[table][key]}
        for table, keys in before.items()
    }
    change(path, back, file)
    return {table: keys for table, keys in back.items() if keys}


def _read(path: Path) -> str:
    try:
        with opened(path, follow_link=True) as file:
            return file.read().decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(prefixed(path, Text("cannot be read ({error})").filled(error=error))) from error


def _write(path: Path, text: str) -> None:
    """Whole or not at all, and still its owner's."""
    fresh = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        kept = path.stat() if path.exists() else path.parent.stat()
        fresh.unlink(missing_ok=True)
        fresh.touch(0o600)  # a token may be in it
        fresh.write_text(text, encoding="utf-8")
        fresh.chmod(kept.st_mode & 0o666 if path.exists() else 0o644)
        if os.geteuid() == 0:
            os.chown(fresh, kept.st_uid, kept.st_gid)
        with fresh.open("rb") as file:
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        remedy = Text("cannot be written ({error}): do this with sudo, or name another file with --config")
        raise ConfigError(prefixed(path, remedy.filled(error=why(error)))) from error
