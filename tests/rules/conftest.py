"""Lets the rules suite run on the compiled rules, too: ``.ci/wheels``, then ``.ci/test-compiled``."""

from __future__ import annotations

from pathlib import Path

import pytest

from dispenser.rules.engine import game

COMPILED = Path(game.__file__).suffix != ".py"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--compiled", action="store_true", help="fail at once when the rules are not the compiled ones")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--compiled", default=False) and not COMPILED:
        raise pytest.UsageError(
            f"{game.__file__} is not compiled: run .ci/wheels, and put build/compiled in PYTHONPATH"
        )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not COMPILED:
        return
    for item in items:
        for mark in item.iter_markers("interpreted"):
            item.add_marker(pytest.mark.skip(reason=f"only in Python itself: {mark.kwargs['reason']}"))
