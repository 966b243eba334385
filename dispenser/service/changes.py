"""Change single settings in the settings file or in the calibrated file, and undo a calibration's changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dispenser.config import parse_toml, read_file, read_text
from dispenser.config.errors import prefixed
from dispenser.config.writer import Changes, rewritten
from dispenser.i18n import Text, why
from dispenser.safe_open import write_whole
from dispenser.service.settings import (
    SYSTEM_CONFIG,
    ConfigError,
    Settings,
    calibrated_file,
    errors_in,
    find_config,
    from_tables,
    overridden,
)


def file_to_change(given: Path | None) -> Path:
    """The settings file that is read, or the one that would be."""
    return find_config(given) or SYSTEM_CONFIG


def where_to_write(file: Path, settings: Settings) -> Path:
    """That file, or the one of calibrations, which overrides it: where there is one already, or the service, which may
    write nowhere else, is to write."""
    calibrated = calibrated_file(settings)
    folder = next((each for each in file.parents if each.exists()), file.parent)
    return file if os.access(folder, os.W_OK | os.X_OK) and not calibrated.exists() else calibrated


def change(path: Path, changes: Changes, file: Path | None = None) -> dict[str, dict[str, Any]]:
    """Write these settings, and nothing that cannot be used.

    :param path: as ``where_to_write`` says.
    :param file: the settings file, if that is another one.
    :returns: what they were before; ``None``: the key was not there.
    :raises ConfigError: the file is wrong, or cannot be written.
    """
    with errors_in(path):
        text = _text(path)
        before = _values(text, changes)
        changed = rewritten(text, changes)
        if file in (None, path):
            from_tables(parse_toml(changed))
        else:
            overridden(read_file(file) if file.exists() else {}, parse_toml(changed))
    try:
        if file in (None, path) or changed.strip():
            write_whole(path, changed.encode(), path.stat().st_mode & 0o666 if path.exists() else 0o644)
        else:
            path.unlink(missing_ok=True)  # it overrides nothing any more
    except OSError as error:
        remedy = Text("cannot be written ({error}): do this with sudo, or name another file with --config")
        raise ConfigError(prefixed(path, remedy.filled(error=why(error)))) from error
    return before


def take_back(path: Path, before: Changes, written: Changes, file: Path | None = None) -> Changes:
    """Put back what was before; a setting that somebody has changed since stays as it is.

    :returns: what was put back.
    :raises ConfigError: as ``change``.
    """
    with errors_in(path):
        now = _values(_text(path), written)
    back = {
        table: {key: value for key, value in keys.items() if now[table][key] == written[table][key]}
        for table, keys in before.items()
    }
    change(path, back, file)
    return {table: keys for table, keys in back.items() if keys}


def _text(path: Path) -> str:
    return read_text(path) if path.exists() else ""


def _values(text: str, keys: Changes) -> dict[str, dict[str, Any]]:
    tables = parse_toml(text)
    return {table: {key: tables.get(table, {}).get(key) for key in each} for table, each in keys.items()}
