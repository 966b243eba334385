"""The launcher's id on a broker: created once, stored in the state folder."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from pathlib import Path

FILE = "launcher-id"
_ID = re.compile("[0-9a-f]{12}")


def launcher_id(folder: Path) -> str:
    """Return the id stored in this folder, 12 hexadecimal digits; create one if there is none.

    :raises OSError: the folder cannot be read or written.
    """
    if kept := kept_id(folder):
        return kept
    made = secrets.token_hex(6)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(f"{made}\n", encoding="ascii")
    return made


def kept_id(folder: Path) -> str:
    """Return the id stored in this folder; empty if there is none yet."""
    with suppress(FileNotFoundError):
        if _ID.fullmatch(kept := (folder / FILE).read_text(encoding="ascii", errors="replace").strip()):
            return kept
    return ""
