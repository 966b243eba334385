"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.fake_launcher import FakeLauncher, serving
from tests.drivers.serial.pty_board import PtyBoard


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    """A fake microcontroller on a true port."""
    with PtyBoard(tmp_path) as board:
        yield board


@pytest.fixture
def launcher() -> FakeLauncher:
    return FakeLauncher()


@pytest.fixture
def url(launcher: FakeLauncher) -> Iterator[str]:
    """Where it answers."""
    with serving(launcher) as url:
        yield url
