"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.fake_launcher import FakeLauncher, serving
from tests.firmware.pty_rig import PtyLauncher


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyLauncher]:
    """A microcontroller on a true port."""
    with PtyLauncher(tmp_path) as board:
        yield board


@pytest.fixture
def launcher() -> FakeLauncher:
    return FakeLauncher()


@pytest.fixture
def url(launcher: FakeLauncher) -> Iterator[str]:
    """Where it answers."""
    with serving(launcher) as url:
        yield url
