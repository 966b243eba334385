"""The libraries that an installation needs: none that only development or a chart in a window needs."""

from __future__ import annotations

from importlib.metadata import distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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


def test_an_installation_has_no_library_that_it_does_not_need() -> None:
    libraries = needed("card-dispenser")
    assert {"gpiozero", "fastapi", "starlette"} <= libraries, "it is looked at what libraries need, too"
    assert libraries & NOT_NEEDED == set()
