"""A virtual Pi on which the launcher has been installed, by one command and from nothing.

That takes by far more instructions than all else, so it is done in this computer's time, and the disk is kept by what
was installed: the next run on the same content goes on from there.
"""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.pi.brought import PROJECT, parts_of_project
from tests.pi.image import Image, kept
from tests.pi.pi import Pi

HERE = Path(__file__).parent


@dataclasses.dataclass(frozen=True, slots=True)
class Installed:
    """:ivar image: with the disk as it was when the installed Pi was switched off.
    :ivar log: what the installation said.
    """

    image: Image
    log: str


def installed(bare: Image) -> Installed:
    """The disk after the installation.

    :raises PiError: it failed; the text has what it said.
    """
    assert PROJECT.is_dir(), "run .ci/deb first"
    digest = hashlib.sha256()
    for part in parts_of_project():
        digest.update(hashlib.sha256(part).digest())
    parts = [bare.disk.parent.name, digest.hexdigest(), (HERE / "installed.py").read_text()]
    made = kept("installed", parts, lambda work: _install(bare, work))
    return Installed(dataclasses.replace(bare, disk=made / "disk"), (made / "log").read_text())


def _install(bare: Image, work: Path) -> None:
    disk = work / "disk"
    subprocess.run(["cp", "--sparse=always", bare.disk, disk], check=True)
    folder = Path(tempfile.mkdtemp(prefix="pi-"))
    pi = Pi(dataclasses.replace(bare, disk=disk), folder, hurried=True)
    try:
        pi.boot()
        pi.unpack()
        done = pi.install()
        (work / "log").write_text(str(done))
        pi.switch_off()
    finally:
        pi.close()
        shutil.rmtree(folder, ignore_errors=True)
