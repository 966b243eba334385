"""Asks programs of the system, such as ``systemctl``."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SYSTEMD = Path("/run/systemd/system")
"""Is there where systemd runs."""


def systemd_runs() -> bool:
    """Whether this computer was started by it."""
    return SYSTEMD.is_dir()


def answer_of(program: str, *arguments: str, timeout_s: float = 10.0) -> str | None:
    """What a program prints; ``None`` where it is not there, fails, or takes too long."""
    found = shutil.which(program)
    if found is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and words of ours
            [found, *arguments], capture_output=True, text=True, errors="replace", timeout=timeout_s, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
