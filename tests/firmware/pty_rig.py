"""The core on this computer behind a pseudo-terminal, in real time, with the simulator on its pins."""

from __future__ import annotations

import os
import pty
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from tests.firmware.world import HostDevice, World

STEP_S = 0.002
LONGEST_STEP_S = 0.05
"""A computer that is busy elsewhere lets the launcher's time fall behind rather than jump."""
LONGEST_SILENCE_S = 0.5
"""Half of what the firmware bears of a host that is silent while the motor runs."""


class PtyLauncher:
    """A launcher that plugs in as a serial port: ``with PtyLauncher(folder) as launcher: ... launcher.port``.

    :ivar deaf: it hears and says nothing.
    :ivar waits_for_host: the launcher's time stands still when its host has been silent for ``LONGEST_SILENCE_S``.
        However busy the computer, the firmware then never takes a host for silent that merely gets no processor.
    """

    def __init__(self, folder: Path) -> None:
        self.deaf = self.waits_for_host = False
        self.device = HostDevice()
        self.world = World(self.device)
        self.world.received = self._to_host
        self.world.start()
        self._link = folder / "launcher"
        self._lock = threading.Lock()
        self._ended = threading.Event()

    @property
    def port(self) -> str:
        return str(self._link)

    @property
    def descriptor(self) -> int:
        """Of the launcher's end of the port."""
        return self._slave

    def plug(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self._link.symlink_to(os.ttyname(self._slave))
        self._ended.clear()
        self._thread = threading.Thread(target=self._live, name="launcher")
        self._thread.start()

    def unplug(self) -> None:
        self._ended.set()
        self._thread.join()
        self._link.unlink()
        os.close(self._master)
        os.close(self._slave)

    def __enter__(self) -> PtyLauncher:
        self.plug()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._ended.is_set():
            self.unplug()

    def do(self, act: Callable[[], object], seconds: float = 0.0) -> None:
        """Do something to the launcher, and let its time pass."""
        with self._lock:
            act()
            self.world.run(seconds)

    def _live(self) -> None:
        before = time.monotonic()
        silent_s = 0.0
        while not self._ended.is_set():
            heard = bool(select.select([self._master], [], [], STEP_S)[0])
            now = time.monotonic()
            with self._lock:
                if heard:
                    data = os.read(self._master, 4096)
                    silent_s = 0.0
                    if not self.deaf:
                        self.device.send(data)
                if silent_s < LONGEST_SILENCE_S or not self.waits_for_host:
                    step_s = min(now - before, LONGEST_STEP_S)
                    silent_s += step_s
                    self.world.run(step_s)
            before = now

    def _to_host(self, data: bytes) -> None:
        if not self._ended.is_set():
            os.write(self._master, data)
