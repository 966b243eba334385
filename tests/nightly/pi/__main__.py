"""``python -m tests.nightly.pi [CASE…]``: the cases in the virtual Pi; ``measures`` for the figures (README.md)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"


def main(words: list[str]) -> int:
    """Run those cases whose names have one of these words; all of them without."""
    if words[:1] == ["measures"]:
        from tests.nightly.pi.measures import main as measure

        return measure(words[1:])
    options = [word for word in words if word.startswith("-")]
    names = [word for word in words if not word.startswith("-")]
    chosen = ["-k", " or ".join(names)] if names else []
    return int(pytest.main([str(CASES), "-n0", "-v", "--durations=0", *chosen, *options]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
