"""A fake board behind a pseudo-terminal, in real time: for the few tests that need a true serial port."""

from __future__ import annotations

import os
import pty
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from tests.conftest import FakeScheduler
from tests.drivers.wire.fake_board import FakeBoard

TURN_S = 0.002
LONGEST_TURN_S = 0.05
"""On a computer that is busy elsewhere the board's time falls behind rather than jump: it would believe that nobody has
spoken to it for as long."""


class PtyBoard:
    """Use it as a context manager; ``port`` is the device file.

    The board's own clock follows the real one and never overtakes it. What a test does to the board goes through
    ``do``.
    """

    def __init__(self, folder: Path) -> None:
        self.board = FakeBoard(FakeScheduler())
        self._link = folder / "launcher"
        self._acts: list[Callable[[], object]] = []
        self._lock = threading.Lock()
        self._ends = threading.Event()

    @property
    def port(self) -> str:
        return str(self._link)

    @property
    def device(self) -> int:
        """The board's end of the port, a file descriptor."""
        return self._device

    def plug(self) -> None:
        self._host, self._device = pty.openpty()
        tty.setraw(self._device)
        self._link.symlink_to(os.ttyname(self._device))
        self.board.send = lambda data: os.write(self._host, data)
        self._ends.clear()
        self._thread = threading.Thread(target=self._live, name="fake board")
        self._thread.start()

    def unplug(self) -> None:
        self._ends.set()
        self._thread.join()
        self._link.unlink()
        os.close(self._host)
        os.close(self._device)

    def do(self, act: Callable[[], object]) -> None:
        with self._lock:
            self._acts.append(act)

    def __enter__(self) -> PtyBoard:
        self.plug()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._ends.is_set():
            self.unplug()

    def _live(self) -> None:
        before = time.monotonic()
        while not self._ends.is_set():
            if select.select([self._host], [], [], TURN_S)[0]:
                self.board.receive(os.read(self._host, 4096))
            with self._lock:
                acts, self._acts = self._acts, []
            for act in acts:
                act()
            now = time.monotonic()
            self.board.scheduler.run_for(min(now - before, LONGEST_TURN_S))
            before = now
