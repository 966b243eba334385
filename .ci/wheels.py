"""Builds the wheels, and unpacks the compiled one into ``build/compiled`` for tests and benchmarks.

Both have the same source. mypyc makes machine code of the modules that decide; those that only hold words stay as they
are: they take as long to compile as the rest, and nobody waits for them. What was compiled is kept, so the same
sources are compiled once.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from mypy.version import __version__ as mypy_version

ROOT = Path(__file__).resolve().parent.parent
UNPACKED = ROOT / "build" / "compiled"
STAMP = UNPACKED / "made-of"
WORDS = {"book", "words"}
"""Rooms and modules of words."""
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

modules = {modules!r}
setup(ext_modules=mypycify(modules, only_compile_paths=modules, opt_level="2"))
"""


def main() -> None:
    """Build what is not there yet."""
    dist = ROOT / "dist"
    made_of = _fingerprint()
    kept = UNPACKED.parent / f"{made_of}.wheels"
    if not kept.is_dir():
        _build(kept)
    dist.mkdir(exist_ok=True)
    for wheel in kept.glob("*.whl"):
        shutil.copy(wheel, dist)
        print(dist.relative_to(ROOT) / wheel.name)
    if not STAMP.is_file() or STAMP.read_text() != made_of:
        shutil.rmtree(UNPACKED, ignore_errors=True)
        compiled = next(wheel for wheel in kept.glob("*.whl") if not wheel.stem.endswith("-none-any"))
        with zipfile.ZipFile(compiled) as archive:
            archive.extractall(UNPACKED)
        STAMP.write_text(made_of)


def _fingerprint() -> str:
    """Of all that the wheels are made of, and with."""
    whole = hashlib.sha256(f"{mypy_version} {sys.version}".encode())
    for path in (Path(__file__), ROOT / "pyproject.toml", *sorted((ROOT / "dispenser").rglob("*"))):
        if path.is_file() and path.suffix != ".pyc":
            whole.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def _build(kept: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "source"
        shutil.copytree(ROOT / "dispenser", copy / "dispenser", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        wheels = Path(folder) / "wheels"
        _wheel(copy, wheels)
        (copy / "setup.py").write_text(SETUP.format(modules=_compiled_modules(copy)))
        _wheel(copy, wheels)
        for old in UNPACKED.parent.glob("*.wheels"):
            shutil.rmtree(old)
        shutil.copytree(wheels, kept)


def _compiled_modules(copy: Path) -> list[str]:
    """Of the rules, all that do more than name things: an enum that names cards by a range is beyond the compiler."""
    found = sorted((copy / "dispenser" / "rules").rglob("*.py"))
    decide = [path for path in found if path.stem != "__init__" and not WORDS & {path.stem, path.parent.name}]
    return [str(path.relative_to(copy)) for path in decide if "(IntEnum)" not in path.read_text(encoding="utf-8")]


def _wheel(source: Path, into: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(into), str(source)], check=True
    )


if __name__ == "__main__":
    main()
