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

from dispenser.simulator import Toy, ToyParameters
from tests.firmware.world import Device, World

STEP_S = 0.002
LONGEST_STEP_S = 0.05
"""A computer that is busy elsewhere lets the launcher's time fall behind rather than jump."""
LONGEST_SILENCE_S = 0.5
"""Half of what the program bears of a host that is silent while the motor runs."""


class PtyLauncher:
    """A launcher that plugs in as a serial port: ``with PtyLauncher(device) as launcher: ... launcher.port``.

    :param waits_for_host: the launcher's time stands still when its host has been silent for ``LONGEST_SILENCE_S``.
        However busy the computer, the program then never takes a host for silent that merely gets no processor.
    """

    def __init__(self, device: Device, *, seed: int = 1, waits_for_host: bool = False) -> None:
        self._waits_for_host = waits_for_host
        self._silent_s = 0.0
        self.device = device
        self.world = World(device, parameters=ToyParameters.flawless(), seed=seed, received=self._to_host)
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
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
                if self._silent_s < LONGEST_SILENCE_S or not self._waits_for_host:
                    step_s = min(now - before, LONGEST_STEP_S)
                    self._silent_s += step_s
                    with self._lock:
                        self.world.run(step_s)
                before = now
        except BaseException as trouble:  # noqa: BLE001 - told to whoever waits for the launcher
            self._trouble = trouble

    def _from_host(self) -> None:
        try:
            data = os.read(self._master, 4096)
        except BlockingIOError:
            return
        self._silent_s = 0.0
        with self._lock:
            self.device.send(data)

    def _to_host(self, data: bytes) -> None:
        try:
            os.write(self._master, data)
        except BlockingIOError:
            return  # nobody reads: lost, as on a wire
