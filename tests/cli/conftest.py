"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.pty_rig import PtyLauncher


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[PtyLauncher]:
    """A microcontroller on a true port."""
    with PtyLauncher(tmp_path) as launcher:
        yield launcher
