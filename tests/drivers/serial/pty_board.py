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
from tests.drivers.serial.fake_board import FakeBoard

TURN_S = 0.002
LONGEST_TURN_S = 0.05
"""On a computer that is busy elsewhere the board's time falls behind rather than jump: it would believe that nobody has
spoken to it for as long."""
LONGEST_SILENCE_S = 0.5
"""Half of what the board bears of a host that is silent while the motor runs."""


class PtyBoard:
    """Use it as a context manager; ``port`` is the device file.

    The board's own clock follows the real one and never overtakes it. What a test does to the board goes through
    ``do``.

    ``waits_for_host``: the board's clock stands still when its host has been silent for ``LONGEST_SILENCE_S``. However
    busy the computer, the board then never takes a host for silent that merely gets no processor.
    """

    def __init__(self, folder: Path) -> None:
        self.waits_for_host = False
        self.board = FakeBoard(FakeScheduler())
        self._link = folder / "launcher"
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
        """Do something to the board."""
        with self._lock:
            act()

    def __enter__(self) -> PtyBoard:
        self.plug()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._ends.is_set():
            self.unplug()

    def _live(self) -> None:
        before = time.monotonic()
        silent_s = 0.0
        while not self._ends.is_set():
            heard = bool(select.select([self._host], [], [], TURN_S)[0])
            now = time.monotonic()
            with self._lock:
                if heard:
                    self.board.receive(os.read(self._host, 4096))
                    silent_s = 0.0
                if silent_s < LONGEST_SILENCE_S or not self.waits_for_host:
                    turn_s = min(now - before, LONGEST_TURN_S)
                    silent_s += turn_s
                    self.board.scheduler.run_for(turn_s)
            before = now
