"""Builds the Debian package.

It has the project's folder as far as ``systemd/install`` needs it, with a folder of wheels; its scripts call that
installer, which takes all packages from there.
"""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

from dispenser.system.install.actions import Run
from dispenser.system.install.detect import Detected
from dispenser.system.install.paths import PACKAGE, Paths
from dispenser.system.install.source import running_source
from dispenser.system.install.steps import takes_lgpio_from_apt
from dispenser.system.programs import AVAHI, HOTSPOT_PACKAGES

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "deb"
PARTS = ("dispenser", "systemd", "hardware/boards", "requirements.lock")
"""What the installer reads."""
CONTROL = """\
Package: card-dispenser
Version: {version}
Architecture: {architecture}
Maintainer: card-dispenser <card-dispenser@localhost>
Depends: {depends}
Recommends: {recommends}
Section: misc
Priority: optional
Description: {description}
 The launcher as a service, its page and its tools. 'sudo dispenser install' asks how
 the launcher is wired, and starts it.
"""


def main() -> None:
    """Build it."""
    shutil.rmtree(WORK, ignore_errors=True)
    found = Detected(Paths())
    from_apt = takes_lgpio_from_apt(found.machine, found.python, None)
    wheels = _wheels(found.python, from_apt=from_apt)
    tree = WORK / "tree"
    _fill(tree, wheels)
    major, minor = found.python
    depends = [f"python3 (>= {major}.{minor})", f"python3 (<< {major}.{minor + 1})", "python3-venv", "systemd"]
    _control(tree, [*depends, *(["python3-lgpio"] if from_apt else [])])
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    for old in dist.glob("*.deb"):
        old.unlink()
    subprocess.run(["/usr/bin/dpkg-deb", "--build", "--root-owner-group", tree, dist], check=True)


def _wheels(python: tuple[int, int], *, from_apt: bool) -> Path:
    """Ours, and those of all that it needs, for the system's Python."""
    tools, copy, wheels = WORK / "tools", WORK / "source", WORK / "wheels"
    Run(("/usr/bin/python3", "-m", "venv", tools)).do()
    for action in running_source(Paths(), python).copy(copy):
        action.do()
    pip = (tools / "bin/python", "-m", "pip", "--disable-pip-version-check", "wheel")
    Run((*pip, "-c", ROOT / "requirements.lock", "--wheel-dir", wheels, f"{copy}{'' if from_apt else '[pi]'}")).do()
    return wheels


def _fill(tree: Path, wheels: Path) -> None:
    folder = tree / PACKAGE
    for part in PARTS:
        _copy(ROOT / part, folder / part)
    shutil.copytree(wheels, folder / "wheels")
    licence = tree / "usr/share/doc/card-dispenser/copyright"
    licence.parent.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", licence)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def _control(tree: Path, depends: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    architecture = subprocess.run(
        ["/usr/bin/dpkg", "--print-architecture"], check=True, capture_output=True, text=True
    ).stdout.strip()
    control = tree / "DEBIAN"
    shutil.copytree(ROOT / ".ci" / "debian", control)
    (control / "control").write_text(
        CONTROL.format(
            version=project["version"],
            architecture=architecture,
            depends=", ".join(depends),
            recommends=", ".join([*(HOTSPOT_PACKAGES[program] for program in ("iw", "dnsmasq")), AVAHI]),
            description=project["description"],
        ),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
