"""Where the program to install comes from: the project's folder, the Debian package or an environment."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

from dispenser.system.install.actions import Run
from dispenser.system.install.paths import Paths
from dispenser.system.shipped import LOCK, shipped, source_folder
from dispenser.version import VERSION

PARTS = ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in", LOCK, "systemd", "hardware", "firmware")
"""Files that a build needs besides the package."""


@dataclass(frozen=True, slots=True)
class Source:
    """A version of the program.

    :ivar name: name of its folder in ``Paths.versions``.
    :ivar share: the folder that contains its ``systemd``.
    :ivar wheels: a folder with wheels of it and its dependencies; ``None`` to download them.
    """

    name: str
    share: Path
    wheels: Path | None = None

    def copy(self, folder: Path) -> list[Run]:
        """Copy the running program to a build folder, so that the build leaves no files in the project's folder."""
        return [
            Run(("rm", "-rf", folder)),
            Run(("mkdir", "-p", folder)),
            Run(("cp", "-rt", folder, _package(), *(self.share / part for part in PARTS))),
        ]


def running_source(paths: Paths, python: tuple[int, int]) -> Source:
    """Return the running program as a ``Source`` for this version of the system's Python."""
    share = shipped(LOCK).parent
    if source_folder() is None and Path(sys.prefix).resolve().parent == paths.versions.resolve():
        return Source(Path(sys.prefix).resolve().name, share)
    wheels = share / "wheels"
    return Source(f"{VERSION}-{_digest(share, python)}", share, wheels if wheels.is_dir() else None)


def _package() -> Path:
    return Path(__file__).resolve().parents[2]


def _digest(share: Path, python: tuple[int, int]) -> str:
    """Return a hash of the program's files and the Python version, which both require a new installation on change."""
    digest = hashlib.sha256(str(python).encode())
    for top in (_package(), *(share / part for part in PARTS)):
        for file in sorted(top.rglob("*")) if top.is_dir() else [top]:
            path = file.relative_to(top.parent)
            if file.is_file() and not {"__pycache__", "build"} & set(path.parts):
                digest.update(f"{path}\n".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:8]
