"""Builds the Debian package.

It has the project's folder as far as ``systemd/install`` needs it, and a folder of wheels; its scripts call that
installer, which does the same as for everybody else.
"""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

from dispenser.system.install.found import look
from dispenser.system.install.place import PACKAGE, Place
from dispenser.system.install.plan import takes_lgpio_from_apt
from dispenser.system.install.source import Project
from dispenser.system.install.steps import CopyTree, Run
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
    here = Place(WORK / "place")
    found = look(Place())
    from_apt = takes_lgpio_from_apt(found, None)
    wheels = _wheels(here, from_apt=from_apt)
    tree = WORK / "tree"
    _fill(tree, wheels)
    major, minor = found.python or (3, 11)
    depends = [f"python3 (>= {major}.{minor})", f"python3 (<< {major}.{minor + 1})", "python3-venv", "systemd"]
    _control(tree, [*depends, *(["python3-lgpio"] if from_apt else [])])
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    for old in dist.glob("*.deb"):
        old.unlink()
    subprocess.run(["/usr/bin/dpkg-deb", "--build", "--root-owner-group", tree, dist], check=True)


def _wheels(place: Place, *, from_apt: bool) -> Path:
    """Ours, and those of all that it needs, for the system's Python."""
    tools = place.cache / "tools"
    Run(("/usr/bin/python3", "-m", "venv", tools)).do()
    pip = (tools / "bin/python", "-m", "pip", "--disable-pip-version-check")
    project = Project(ROOT)
    for step in project.steps(place, pip):
        step.do()
    wheel = project.wheel(place)
    what = f"{wheel}{'' if from_apt else '[pi]'}"
    Run((*pip, "wheel", "-c", ROOT / "requirements.lock", "--wheel-dir", wheel.parent, what)).do()
    return wheel.parent


def _fill(tree: Path, wheels: Path) -> None:
    folder = tree / PACKAGE
    CopyTree(ROOT, PARTS, folder).do()
    shutil.copytree(wheels, folder / "wheels")
    licence = tree / "usr/share/doc/card-dispenser/copyright"
    licence.parent.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", licence)


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
