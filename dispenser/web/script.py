"""Serve the page of a simulated launcher that a gpiozero script drives.

The script runs on the main thread, the simulated launcher on its own threads, and the page's event loop on another one.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from dispenser.simulator import LauncherFactory
from dispenser.web.server import serve
from dispenser.web.show import ScriptShow

if TYPE_CHECKING:
    from dispenser.service.settings import WebSettings
    from dispenser.simulator import SimulatorWiring

LAST_WORDS_S = 3.0  # Timeout at the end of the process for sending the last record to browsers, seconds
LOOK_S = 0.05


class ShownFactory(LauncherFactory):
    """A pin factory with a simulated launcher behind it, shown on a page until gpiozero closes it at process exit.

    :param name: name of the script; ``settings`` are those of the web server.
    """

    def __init__(self, name: str, settings: WebSettings, wiring: SimulatorWiring, **launcher: Any) -> None:
        super().__init__(wiring, **launcher)
        self.error: str | None = None
        """The error that ended the script, if any."""
        self._about = (self.simulator, name, wiring)
        self._settings = settings
        self._address: Future[str] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="page", daemon=True)

    def show(self) -> str:
        """Start the server thread and return the page's address; raises what ``serve`` raises."""
        self._thread.start()
        return self._address.result()

    def wait_for_somebody(self, at_most_s: float, hopeful: Callable[[], bool]) -> bool:
        """Wait for a subscriber; return whether there is one. ``hopeful`` returns whether one may still come."""
        until_s = time.monotonic() + at_most_s
        while not len(self._shown.event_bus) and hopeful() and time.monotonic() < until_s:
            time.sleep(LOOK_S)
        return bool(len(self._shown.event_bus))

    def close(self) -> None:
        """Stop the motor first, then tell all browsers that the script is over."""
        super().close()
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end)
            self._thread.join(LAST_WORDS_S)

    def _end(self) -> None:
        self._shown.end(self.error)
        self._over.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._shown = ScriptShow(*self._about)
        serving = asyncio.create_task(serve(self._shown, self._settings, ready=self._address.set_result))
        over = asyncio.create_task(self._over.wait())
        await asyncio.wait([serving, over], return_when=asyncio.FIRST_COMPLETED)
        for task in (serving, over):
            task.cancel()
        await asyncio.wait([serving, over])
        self._shown.journal.close()
        if not self._address.done() and (error := serving.exception()):
            self._address.set_exception(error)
