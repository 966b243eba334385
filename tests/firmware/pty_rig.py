"""The real program in simavr behind a pseudo-terminal, in real time, with the toy on its pins."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from types import TracebackType
from typing import Any

from dispenser.toy import Toy, ToyParameters
from tests.firmware.world import Device, World

STEP_S = 0.002
LONGEST_STEP_S = 0.05
"""A computer that is busy elsewhere lets the launcher's time fall behind rather than jump."""


class PtyLauncher:
    """A launcher that plugs in as a serial port: ``with PtyLauncher(device) as launcher: ... launcher.port``."""

    def __init__(self, device: Device, *, seed: int = 1) -> None:
        self.device = device
        self.world = World(device, parameters=ToyParameters.flawless(), seed=seed, received=self._to_host)
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self.to_host = self.to_device = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._trouble: BaseException | None = None
        self._thread = threading.Thread(target=self._live, name="launcher", daemon=True)

    def __enter__(self) -> PtyLauncher:
        self._thread.start()
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)
        if self._trouble is not None:
            raise self._trouble

    def do(self, act: Callable[[Toy], Any]) -> Any:
        """Let hands do something to the toy, or look at it."""
        with self._lock:
            return act(self.world.toy)

    def _live(self) -> None:
        try:
            before = time.monotonic()
            while not self._ended.is_set():
                if select.select([self._master], [], [], STEP_S)[0]:
                    self._from_host()
                now = time.monotonic()
                with self._lock:
                    self.world.run(min(now - before, LONGEST_STEP_S))
                before = now
        except BaseException as trouble:  # noqa: BLE001 - told to whoever waits for the launcher
            self._trouble = trouble

    def _from_host(self) -> None:
        try:
            data = os.read(self._master, 4096)
        except BlockingIOError:
            return
        self.to_device += len(data)
        with self._lock:
            self.device.send(data)

    def _to_host(self, data: bytes) -> None:
        self.to_host += len(data)
        try:
            os.write(self._master, data)
        except BlockingIOError:
            return  # nobody reads: lost, as on a wire
