"""Debian's kernel for the virtual Pi, and the kernel's own simulated GPIO chip, which Debian does not build."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.nightly.pi.chip import changed

SOURCES = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
MODULES = (
    "virtio_pci",
    "virtio_console",
    "nfit",
    "nd_pmem",
    "crc32c_generic",
    "ext4",
    "configfs",
    "irq_sim",
    "gpio-sim",
)
"""What is loaded before systemd runs."""
HEADERS = Path("/usr/src")


class NoKernelError(RuntimeError):
    """The text says what is missing, and how to get it."""


def release() -> str:
    """Of the newest kernel whose headers are installed, such as ``6.1.0-56-amd64``."""
    found = [
        path for path in HEADERS.glob("linux-headers-*-amd64") if "cloud" not in path.name and "-rt-" not in path.name
    ]
    if not found:
        raise NoKernelError("there are no kernel headers: .ci/setup test")
    newest = max(
        found, key=lambda path: [int(part) for part in path.name.replace(".", "-").split("-") if part.isdigit()]
    )
    return newest.name.removeprefix("linux-headers-")


def version() -> str:
    """Of the package that it comes in, such as ``6.1.192-2``."""
    asked = ["dpkg-query", "-W", "-f", "${Version}", f"linux-headers-{release()}"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()


def series() -> str:
    """Such as ``6.1``."""
    return ".".join(release().split(".")[:2])


def build(work: Path) -> tuple[Path, Path]:
    """Fetch the kernel and build the chip.

    :param work: an empty folder.
    :returns: the kernel, and the folder of its modules (as ``modprobe --dirname`` wants it).
    """
    debs, source, root = work / "debs", work / "source", work / "root"
    for folder in (debs, source, root):
        folder.mkdir(parents=True)
    debs.chmod(0o777)  # apt fetches as a user of its own
    _run(
        "apt-get",
        "download",
        "-qq",
        f"linux-image-{release()}={version()}",
        f"linux-source-{series()}={version()}",
        cwd=debs,
    )
    _run("dpkg-deb", "-x", next(debs.glob("linux-image-*.deb")), root)
    _unpack_source(next(debs.glob("linux-source-*.deb")), source)
    chip = work / "chip"
    chip.mkdir()
    for name in SOURCES:
        file = chip / Path(name).name
        file.write_text(changed(file.name, (source / name).read_text()))
    (chip / "Makefile").write_text("obj-m := irq_sim.o gpio-sim.o\n")
    _run("make", "-s", "-C", HEADERS / f"linux-headers-{release()}", f"M={chip}", "modules")
    extra = root / "lib/modules" / release() / "extra"
    extra.mkdir()
    for module in chip.glob("*.ko"):
        shutil.copy(module, extra)
    _run("/sbin/depmod", "-b", root, release())
    return root / f"boot/vmlinuz-{release()}", root


def modules(root: Path) -> list[Path]:
    """The files of ``MODULES`` and of what they need, in the order of loading."""
    files: dict[Path, None] = {}
    for name in MODULES:
        asked = ["/sbin/modprobe", "-d", str(root), "-S", release(), "--show-depends", name]
        told = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
        files |= dict.fromkeys(Path(line.split()[1]) for line in told.splitlines() if line.startswith("insmod"))
    return list(files)


def _unpack_source(package: Path, folder: Path) -> None:
    """Three files of a large archive."""
    top = f"linux-source-{series()}"
    inner = f"./usr/src/{top}.tar.xz"
    names = " ".join(f"{top}/{name}" for name in SOURCES)
    # tar ends before the archive does; what is in front of it minds, and need not
    pipe = f'dpkg-deb --fsys-tarfile "$1" | tar -xO {inner} | tar -xJ -C "$2" --strip-components=1 {names}'
    _run("sh", "-c", pipe, "sh", package, folder)


def _run(*words: str | Path, cwd: Path | None = None) -> None:
    env = os.environ | {"LC_ALL": "C"}
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoKernelError(f"{' '.join(map(str, words))}: {done.stderr.strip() or done.returncode}")
