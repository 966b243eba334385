"""Lets the rules suite run on the compiled rules, too: ``.ci/wheels``, then ``.ci/test-compiled``."""

from __future__ import annotations

from pathlib import Path

import pytest

from dispenser.rules.engine import game

COMPILED = Path(game.__file__).suffix != ".py"
DECIDE = ("engine/*.py", "games/*/game.py", "games/*/bot.py")
"""What is to be compiled at least."""
NOT_COMPILED = {"__init__", "observation"}
"""A view made of properties would gain nothing."""


def interpreted() -> list[Path]:
    """What was to be compiled and is not."""
    rules = Path(game.__file__).parent.parent
    found = [path for each in DECIDE for path in rules.glob(each) if path.stem not in NOT_COMPILED]
    return [path for path in found if not any(path.parent.glob(f"{path.stem}.*.so"))]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--compiled", action="store_true", help="fail at once when the rules are not the compiled ones")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--compiled", default=False) and (left := interpreted()):
        raise pytest.UsageError(f"{left[0]} is not compiled: run .ci/wheels, and put build/compiled in PYTHONPATH")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not COMPILED:
        return
    for item in items:
        for mark in item.iter_markers("interpreted"):
            item.add_marker(pytest.mark.skip(reason=f"only in Python itself: {mark.kwargs['reason']}"))
