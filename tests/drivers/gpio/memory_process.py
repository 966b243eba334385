"""The process that owns the pins, in this process: no sockets, and the test's own time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from dispenser.drivers.base import Scheduler
from dispenser.drivers.gpio.__main__ import DriverServer
from dispenser.drivers.gpio.client import GpioProcess
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.ipc import Setup, pack


class MemoryProcess(GpioProcess):
    """Does as ``GpioProcess`` does.

    :ivar dies_at_once: it dies of its first packet.
    :ivar hung: it takes packets and does nothing with them.
    :ivar gone: it has died, motor as it was.
    """

    def __init__(self, make_driver: Callable[[Setup], GpioDriver], scheduler: Scheduler) -> None:
        self.hung = self.gone = self.closed = self.killed = self.dies_at_once = False
        self._server = DriverServer(make_driver, self._post)
        self._scheduler = scheduler
        self._packets: deque[bytes] = deque()
        self._readable: Callable[[], object] | None = None

    def send(self, packet: bytes) -> None:
        if self.gone:
            raise BrokenPipeError("Broken pipe")
        if self.dies_at_once:
            self.die()
        elif not self.hung:
            self._server.handle(packet)

    def _post(self, message: object) -> None:
        self._packets.append(pack(message))
        if self._readable is not None:
            self._scheduler.call_soon_threadsafe(self._readable)

    def die(self) -> None:
        self.gone = True
        if self._readable is not None:
            self._scheduler.call_soon_threadsafe(self._readable)

    def receive(self, _timeout_s: float) -> bytes | None:
        if self._packets:
            return self._packets.popleft()
        return b"" if self.gone else None

    def listen(self, readable: Callable[[], object]) -> None:
        self._readable = readable
        self._scheduler.call_soon_threadsafe(readable)

    def close(self, *, kill: bool = False) -> bool:
        self.killed = kill
        self._readable, self.closed = None, True
        self._server.close()
        return True
