"""Builds what the virtual Pi boots from; what has been built once is kept by what it was made of."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.nightly.pi import kernel

HERE = Path(__file__).parent
BASE = HERE / "base"
PACKAGES = ("systemd", "systemd-sysv", "dbus", "udev", "kmod", "python3", "python3-venv", "sudo", "e2fsprogs")
"""What Raspberry Pi OS Lite has of what we need, and no more: each unit makes a boot longer."""
DISK_MIB = 1280
UNUSED_S = 7 * 86400.0
"""So long what nobody has used is kept: other checkouts of this computer may use it."""
REVISION = "Revision\t: c03115\nModel\t\t: Raspberry Pi 4 Model B Rev 1.5\n"
"""By which gpiozero knows a Pi 4."""


@dataclass(frozen=True, slots=True)
class Image:
    """What QEMU is given.

    :ivar disk: the Pi's SD card, as it is before anything of ours is on it. Nobody writes to this file.
    """

    kernel: Path
    initrd: Path
    disk: Path


def cache() -> Path:
    """Where built images are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dispenser-pi"


def codename() -> str:
    """This machine's Debian, which is the Pi's, too: the wheels are for its Python."""
    told = Path("/etc/os-release").read_text(encoding="utf-8")
    return next(line.partition("=")[2].strip('"') for line in told.splitlines() if line.startswith("VERSION_CODENAME="))


def image(package: Path | None = None) -> Image:
    """The image for this machine, built if it is not there yet.

    :param package: a Debian package that is on its disk already, unpacked and configured as on any system that does not
        run yet; its service has no settings, so it has not started.
    """
    linux = kept("kernel", [kernel.version(), _text(HERE / "kernel.py"), _text(HERE / "chip.py")], _fetch_kernel)
    packages = kept("packages", [codename(), *PACKAGES], _fetch_packages)
    ours = [file for file in sorted(BASE.rglob("*")) if file.is_file() and "__pycache__" not in file.parts]
    scripts = [HERE / "image.py", HERE / "disk.sh", *ours]
    parts = [linux.name, packages.name, *(f"{file.name} {_text(file)}" for file in scripts)]
    what = "image"
    if package is not None:
        what = "installed"
        parts.append(hashlib.sha256(package.read_bytes()).hexdigest())
    made = kept(what, parts, lambda work: _put_together(work, linux, packages, package))
    return Image(linux / "vmlinuz", made / "initrd", made / "disk")


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def kept(what: str, parts: list[str], build: Callable[[Path], None]) -> Path:
    """A folder of the cache, made by ``build`` unless one of the same parts is there."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part.encode()).digest())
    made = cache() / f"{what}-{digest.hexdigest()[:16]}"
    if made.is_dir():
        os.utime(made)
        return made
    work = cache() / f"{os.getpid()}-{made.name}"
    work.mkdir(parents=True)
    try:
        build(work)
        for old in cache().glob(f"{what}-*"):
            if time.time() - old.stat().st_mtime > UNUSED_S:
                shutil.rmtree(old)
        work.rename(made)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return made


def _fetch_kernel(work: Path) -> None:
    linux, root = kernel.build(work / "build")
    shutil.copy(linux, work / "vmlinuz")
    (work / "modules").mkdir()
    order = kernel.modules(root)
    for module in order:
        subprocess.run(["strip", "-g", "-o", work / "modules" / module.name, module], check=True)
    (work / "order").write_text("".join(f"{module.name}\n" for module in order))
    shutil.rmtree(work / "build")


def _fetch_packages(work: Path) -> None:
    """Debian's packages. What is mounted meanwhile is mounted for that program alone: were it killed, nothing stays."""
    command = [
        "mmdebstrap",
        "--quiet",
        "--variant=minbase",
        f"--include={','.join(PACKAGES)}",
        codename(),
        work / "root.tar",
    ]
    alone = ["unshare", "--mount", "--propagation", "private"] if os.geteuid() == 0 else []
    subprocess.run([*alone, *command], check=True)


def _put_together(work: Path, linux: Path, packages: Path, package: Path | None) -> None:
    _initrd(work, linux)
    root = [] if os.geteuid() == 0 else ["sudo"]
    more = [] if package is None else [package]
    subprocess.run(
        [*root, "sh", "-eu", HERE / "disk.sh", packages / "root.tar", BASE, work, str(DISK_MIB), *more], check=True
    )


def _initrd(work: Path, linux: Path) -> None:
    tree = work / "i"
    for folder in ("bin", "dev", "proc", "sys", "root", "config"):
        (tree / folder).mkdir(parents=True)
    shutil.copy("/bin/busybox", tree / "bin/busybox")
    shutil.copytree(linux / "modules", tree / "modules")
    shutil.copy(linux / "order", tree)
    (tree / "revision").write_text(REVISION)
    shutil.copy(BASE / "init", tree / "init")
    (tree / "init").chmod(0o755)
    pack = "find . | cpio --create --format=newc --quiet --owner=0:0 | gzip -1"
    with (work / "initrd").open("wb") as out:
        subprocess.run(["sh", "-c", pack], cwd=tree, stdout=out, check=True)
    shutil.rmtree(tree)
