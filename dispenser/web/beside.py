"""The page on a thread of its own, beside a script that has the main thread."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from dispenser.toy import LauncherFactory
from dispenser.web.script_show import ScriptShow
from dispenser.web.server import serve

if TYPE_CHECKING:
    from dispenser.service.settings import WebSettings
    from dispenser.toy import Toy, ToyWiring

LAST_WORDS_S = 3.0
"""How long the end of the process waits for the last entry to reach the browsers, seconds."""
LOOK_S = 0.05


class PageBeside:
    """Shows what a script does to a toy.

    :param name: the script's.
    :param wiring: which pin goes where.
    """

    def __init__(self, toy: Toy, name: str, wiring: ToyWiring, settings: WebSettings) -> None:
        self._about = (toy, name, wiring)
        self._settings = settings
        self._address: Future[str] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="page", daemon=True)

    def start(self) -> str:
        """Serve the page.

        :returns: its address.
        :raises InsecureSettingsError: for an address others can reach, without a token.
        :raises AddressUnavailableError: when the address is taken or not ours.
        """
        self._thread.start()
        return self._address.result()

    def wait_for_somebody(self, at_most_s: float, hopeful: Callable[[], bool]) -> bool:
        """Wait until a browser listens.

        :param hopeful: asked now and then whether one may still come.
        :returns: whether one does.
        """
        until_s = time.monotonic() + at_most_s
        while not len(self._show.hub) and hopeful() and time.monotonic() < until_s:
            time.sleep(LOOK_S)
        return bool(len(self._show.hub))

    def end(self, error: str | None) -> None:
        """Tell all browsers that the script is over, and stop. May be called twice.

        :param error: what ended it, if that was an error.
        """
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end, error)
            self._thread.join(LAST_WORDS_S)

    def _end(self, error: str | None) -> None:
        self._show.end(error)
        self._over.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._show = ScriptShow(*self._about)
        serving = asyncio.create_task(serve(self._show, self._settings, ready=self._address.set_result))
        over = asyncio.create_task(self._over.wait())
        await asyncio.wait([serving, over], return_when=asyncio.FIRST_COMPLETED)
        for task in (serving, over):
            task.cancel()
        await asyncio.wait([serving, over])
        self._show.journal.close()
        if not self._address.done() and (error := serving.exception()):
            self._address.set_exception(error)


class ShownFactory(LauncherFactory):
    """Pins with a launcher behind them, shown on a page until gpiozero closes it at the end of the process.

    :param name: the script's.
    :param settings: of the page.
    :param wiring: which pin goes where.
    :param launcher: see :class:`LauncherFactory`.
    """

    def __init__(self, name: str, settings: WebSettings, wiring: ToyWiring, **launcher: Any) -> None:
        super().__init__(wiring, **launcher)
        self.page = PageBeside(self.toy, name, wiring, settings)
        self.error: str | None = None
        """What ended the script, if that was an error."""

    def close(self) -> None:
        """Motor off first; then the page hears that it is over."""
        super().close()
        self.page.end(self.error)
