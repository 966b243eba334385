"""Builds the wheels, and unpacks the compiled one into ``build/compiled`` for tests and benchmarks.

Both have the same source. mypyc makes machine code of the modules that decide; those that only hold words stay as they
are: they take as long to compile as the rest, and nobody waits for them. The folder that it is compiled in stays, so
that what has not changed is not compiled again.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
BUILD = ROOT / "build"
UNPACKED = BUILD / "compiled"
FOLDERS = ("dispenser", "systemd", "hardware", "firmware")
"""What a wheel is made of."""
WORDS = {"book", "words"}
"""Rooms and modules of words."""
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

modules = {modules!r}
setup(ext_modules=mypycify(modules, only_compile_paths=modules, opt_level="2"))
"""


def main() -> None:
    """Build both."""
    DIST.mkdir(exist_ok=True)
    for old in DIST.glob("*.whl"):
        old.unlink()
    plain, compiled = BUILD / "plain-source", BUILD / "compiled-source"
    shutil.rmtree(plain, ignore_errors=True)
    _copy(plain)
    _wheel(plain)
    setup, script = compiled / "setup.py", SETUP.format(modules=_compiled_modules(plain))
    if not setup.is_file() or setup.read_text() != script:  # other modules: nothing built before fits them
        shutil.rmtree(compiled, ignore_errors=True)
    _copy(compiled)
    setup.write_text(script)
    _wheel(compiled)
    shutil.rmtree(UNPACKED, ignore_errors=True)
    with zipfile.ZipFile(next(wheel for wheel in DIST.glob("*.whl") if not wheel.stem.endswith("-none-any"))) as wheel:
        wheel.extractall(UNPACKED)
    for built in sorted(DIST.glob("*.whl")):
        print(built.relative_to(ROOT))


def _copy(source: Path) -> None:
    """The package as it is now, with the times of its files; of what was built before, only what was compiled."""
    for old in (*(source / name for name in FOLDERS), *source.glob("*.egg-info"), *source.glob("build/bdist*")):
        shutil.rmtree(old, ignore_errors=True)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in", "requirements.lock"):
        shutil.copy2(ROOT / name, source)
    for library in source.glob("build/lib*"):
        for built in library.rglob("*.*"):
            if built.is_file() and built.suffix != ".so":
                built.unlink()


def _compiled_modules(source: Path) -> list[str]:
    """Of the rules, all that do more than hold words, and but the view that is made of properties."""
    found = sorted((source / "dispenser" / "rules").rglob("*.py"))
    decide = [path for path in found if path.stem != "__init__" and not WORDS & {path.stem, path.parent.name}]
    return [str(path.relative_to(source)) for path in decide if path.stem != "observation"]


def _wheel(source: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", DIST, source], check=True)


if __name__ == "__main__":
    main()
