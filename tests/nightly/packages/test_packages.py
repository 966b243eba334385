"""The wheel and the source distribution are whole: either has all that the folder of the project has."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDERS = ("dispenser", "firmware", "hardware", "systemd", "tests", ".ci")
LITTER = ("__pycache__", "build", "node_modules", "*.egg-info", ".lgd-nfy*")
SHARED = ("systemd", "hardware/boards", "firmware")
BUILD = """
import sys
from setuptools import build_meta
print(getattr(build_meta, sys.argv[1])(sys.argv[2]))
"""
COPY = """
import sys
from pathlib import Path
from dispenser.system.install.paths import Paths
from dispenser.system.install.source import running_source
for action in running_source(Paths(), (3, 11)).copy(Path(sys.argv[1])):
    action.do()
"""
"""What an installation from a package that is running builds the program from."""


def files_of(folder: Path, parts: Iterable[str] = ("",)) -> set[str]:
    return {str(path.relative_to(folder)) for part in parts for path in (folder / part).rglob("*") if path.is_file()}


def built(what: str, source: Path, into: Path) -> Path:
    into.mkdir()
    command = [sys.executable, "-c", BUILD, f"build_{what}", str(into)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (made,) = into.iterdir()
    return made


def project_in(folder: Path) -> Path:
    """The project's folder, without what has been built in it."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*LITTER))
    for file in ROOT.iterdir():
        if file.is_file() and not file.name.startswith("."):
            shutil.copy(file, folder)
    return folder


def test_either_package_is_whole(tmp_path: Path) -> None:
    """One test, because building takes seconds."""
    project = project_in(tmp_path / "project")
    shows_its_installation(project)
    archive = built("sdist", project, tmp_path / "sdist")
    subprocess.run(["tar", "-xf", archive, "-C", tmp_path], check=True)  # tarfile has no filter in Debian 12's Python
    source = tmp_path / archive.name.removesuffix(".tar.gz")
    assert {name for name in files_of(project) - files_of(source) if ".egg-info" not in name} == set()
    wheel = built("wheel", source, tmp_path / "wheel")
    environment = installed(wheel, tmp_path / "environment")
    share = environment / "share/card-dispenser"
    assert files_of(share, SHARED) == files_of(project, SHARED)
    (package,) = environment.glob("lib/python*/site-packages")
    assert files_of(package, ["dispenser"]) == files_of(project, ["dispenser"])
    assert (share / "requirements.lock").read_bytes() == (project / "requirements.lock").read_bytes()
    copy = tmp_path / "copy"
    subprocess.run([environment / "bin/python", "-B", "-c", COPY, copy], check=True)
    assert contents(built("wheel", copy, tmp_path / "again")) == contents(wheel)


def shows_its_installation(project: Path) -> None:
    """Without any package, and it leaves nothing behind."""
    before = files_of(project)
    command = ["sh", str(project / "systemd/install"), "--dry-run", "--later"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert f"{project}/systemd/dispenser.service" in shown
    assert files_of(project) == before


def installed(wheel: Path, environment: Path) -> Path:
    """A virtual environment that has the wheel alone."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip = [sys.executable, "-m", "pip", "--python", environment / "bin/python", "install", "-q"]
    subprocess.run([*pip, "--no-deps", "--no-index", "--no-compile", wheel], check=True)
    return environment


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist() if not name.endswith(("/", "/RECORD"))}
