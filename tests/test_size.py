"""What an installation takes up on the disk: our own package and all that it needs, counted file by file."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
MOST_MB = 60
"""65 with lgpio, the folders themselves, and what the installer lays down besides."""
BLOCK_BYTES = 4096
"""Of a usual file system: each file takes up whole ones."""
NOT_NEEDED = {"babel", "matplotlib", "numpy", "pip", "pytest"}
"""Has been there, or is near: for development and for charts in a window alone."""


def needed(name: str) -> set[str]:
    """All distributions that one of them needs, without extras."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        each = canonicalize_name(waiting.pop())
        if each not in found:
            found.add(each)
            wanted = map(Requirement, distribution(each).requires or ())
            waiting += [need.name for need in wanted if need.marker is None or need.marker.evaluate({"extra": ""})]
    return found


def on_disk(files: list[Path]) -> int:
    """Bytes."""
    return sum(-(-file.stat().st_size // BLOCK_BYTES) * BLOCK_BYTES for file in files)


def installed(name: str) -> int:
    """Bytes of a distribution, compiled."""
    files = [Path(str(file.locate())) for file in distribution(name).files or ()]
    return on_disk([file for file in files if file.is_file()])


def our_own() -> int:
    """Bytes of our package; what Python makes of a module is about as large as the module."""
    files = [file for file in (ROOT / "dispenser").rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    return on_disk(files) + on_disk([file for file in files if file.suffix == ".py"])


def test_an_installation_has_only_what_it_needs_and_is_small() -> None:
    libraries = needed("card-dispenser") - {"card-dispenser"}
    assert libraries & NOT_NEEDED == set()
    sizes = {name: installed(name) for name in sorted(libraries)}
    assert all(sizes.values()), "of each of them something was found"
    total_mb = (sum(sizes.values()) + our_own()) / 1e6
    print(f"{total_mb:.1f} MB;", ", ".join(f"{name} {size / 1e6:.1f}" for name, size in sizes.items()))
    assert total_mb <= MOST_MB, sizes
