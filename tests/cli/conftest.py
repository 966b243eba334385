"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drivers.serial.pty_board import PtyBoard


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    """A fake microcontroller on a true port."""
    with PtyBoard(tmp_path) as board:
        yield board
