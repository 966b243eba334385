"""Find files that are shipped with the package: units, rules, boards, firmware sources."""

from __future__ import annotations

import sys
from pathlib import Path

from dispenser.i18n import SpokenError, Text

SHARE = Path("share/card-dispenser")  # Where a wheel puts them, below `sys.prefix`
LOCK = "requirements.lock"  # Lies beside the package in the project's folder, and among them everywhere else


class NotShippedError(SpokenError, FileNotFoundError):
    """A file that comes with the program is not there."""


def source_folder() -> Path | None:
    """The project's folder, if the program runs from it."""
    beside = Path(__file__).resolve().parents[2]
    return beside if (beside / LOCK).is_file() else None


def shipped(name: str) -> Path:
    """The file or folder ``name``, such as ``hardware/boards``: in the project's folder, else where a wheel puts it."""
    found = (source_folder() or Path(sys.prefix) / SHARE) / name
    if not found.exists():
        missing = Text(
            "{file} is missing, which comes with the program: install it anew from the project's source or its wheel"
        )
        raise NotShippedError(missing.filled(file=found))
    return found
