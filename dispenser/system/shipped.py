"""Find files that are shipped with the package: units, rules, boards, firmware sources."""

from __future__ import annotations

import sys
from pathlib import Path

from dispenser.i18n import SpokenError, Text

SHARE = Path("share/card-dispenser")  # Install location of a wheel's data files, below `sys.prefix`
LOCK = "requirements.lock"  # In a checkout it lies beside the package, in an installation in SHARE


class NotShippedError(SpokenError, FileNotFoundError):
    """A file that is shipped with the program is missing."""


def source_folder() -> Path | None:
    """Return the project's folder if the program runs from a checkout."""
    beside = Path(__file__).resolve().parents[2]
    return beside if (beside / LOCK).is_file() else None


def shipped(name: str) -> Path:
    """Return the path of a shipped file or folder, such as ``hardware/boards``: in the checkout, else in ``SHARE``."""
    found = (source_folder() or Path(sys.prefix) / SHARE) / name
    if not found.exists():
        missing = Text(
            "{file} is missing, which comes with the program: install it anew from the project's source or its wheel"
        )
        raise NotShippedError(missing.filled(file=found))
    return found
