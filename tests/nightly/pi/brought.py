"""What the tests bring to the virtual Pi: the world's programs, and which Debian package of ours is on its disk.

The programs are one archive, seen inside as a device, from which the tests unpack it into ``/brought``.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PROJECT = ROOT / "build/deb/tree/usr/lib/card-dispenser"
"""What ``.ci/deb`` has put into the package."""
OF_THE_WORLD = ("gpiozero", "colorzero")
"""What the simulator needs beside our package; the service's are its own."""
ALIGNED = 128 << 20
"""Sizes of such a device, bytes."""


class NotBuiltError(RuntimeError):
    """The text says what to do."""


def package() -> Path:
    """Our Debian package.

    :raises NotBuiltError: there is none.
    """
    built = next((ROOT / "dist").glob("*.deb"), None)
    if built is None or not PROJECT.is_dir():
        raise NotBuiltError("there is no Debian package: run .ci/deb")
    return built


def pack(archive: Path) -> Path:
    """Write the archive.

    :raises NotBuiltError: ``.ci/deb`` has not run.
    """
    with tarfile.open(archive, "w") as tar:
        tar.add(_world(archive.with_name("world")), "world")
    size = archive.stat().st_size
    with archive.open("r+b") as file:
        file.truncate(-(-size // ALIGNED) * ALIGNED)
    return archive


def _world(folder: Path) -> Path:
    """The simulator's package and the programs that play the world, compiled: inside, that would take half a minute."""
    shutil.copytree(HERE / "guest", folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "dispenser", folder / "dispenser", ignore=shutil.ignore_patterns("__pycache__", "rules"))
    for name in OF_THE_WORLD:
        with zipfile.ZipFile(next((PROJECT / "wheels").glob(f"{name}-*.whl"))) as wheel:
            wheel.extractall(folder)
    compiled = ["/usr/bin/python3", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", folder]
    subprocess.run(compiled, check=True)
    return folder
