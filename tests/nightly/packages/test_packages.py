"""The wheel and the source distribution are whole: either has all that the folder of the project has."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from dispenser.system.install.source import Pack, WheelFile

ROOT = Path(__file__).parents[3]
FOLDERS = ("dispenser", "firmware", "hardware", "systemd", "tests", ".ci")
LITTER = ("__pycache__", "build", "node_modules", "*.egg-info", ".lgd-nfy*")
SHARED = ("systemd", "hardware/boards", "firmware")
BUILD = """
import sys
from setuptools import build_meta
print(getattr(build_meta, sys.argv[1])(sys.argv[2]))
"""


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


def test_either_package_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test, because building takes seconds."""
    project = project_in(tmp_path / "project")
    archive = built("sdist", project, tmp_path / "sdist")
    subprocess.run(["tar", "-xf", archive, "-C", tmp_path], check=True)  # tarfile has no filter in Debian 12's Python
    source = tmp_path / archive.name.removesuffix(".tar.gz")
    assert {name for name in files_of(project) - files_of(source) if ".egg-info" not in name} == set()
    wheel = built("wheel", source, tmp_path / "wheel")
    folder = tmp_path / "unpacked"
    WheelFile(wheel).unpack(folder)
    assert not WheelFile(wheel).differs()
    other = tmp_path / wheel.name
    shutil.copy(wheel, other)
    with zipfile.ZipFile(other, "a") as packed:
        packed.writestr("card_dispenser-0.1.0.data/data/share/card-dispenser/systemd/dispenser-new.service", "")
    assert WheelFile(other).differs()
    assert files_of(folder, SHARED) == files_of(project, SHARED)
    manual = {"dispenser/cli/dispenser.1"}  # goes where 'man' looks
    assert files_of(folder, ["dispenser"]) == files_of(project, ["dispenser"]) - manual
    assert (folder / "requirements.lock").read_bytes() == (project / "requirements.lock").read_bytes()
    can_be_installed(folder, wheel)
    is_made_again(wheel, tmp_path, monkeypatch)


def can_be_installed(folder: Path, wheel: Path) -> None:
    """An unpacked wheel shows how it would install itself, and leaves nothing behind."""
    before = files_of(folder)
    command = ["sh", str(folder / "systemd/install"), "--dry-run", "--later", "--wheel", str(wheel)]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert f"{wheel}" in shown
    assert f"{folder}/systemd/dispenser.service" in shown
    assert files_of(folder) == before


def is_made_again(wheel: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an installed package, the same wheel is made."""
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--ignore-installed",
        "--no-compile",
    ]
    subprocess.run([*pip, "--prefix", str(folder / "prefix"), str(wheel)], check=True, capture_output=True)
    (info,) = (folder / "prefix").rglob("card_dispenser-*.dist-info")
    monkeypatch.setattr("sys.prefix", str(folder / "prefix"))
    packed = folder / "made" / wheel.name
    Pack(PathDistribution(info), packed).do()
    assert contents(packed) == contents(wheel)


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist() if not name.endswith(("/", "/RECORD"))}
