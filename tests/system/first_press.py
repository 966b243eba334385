"""``dispenser run`` on mock pins that presses its own button once: ``first_press.py run …``.

It prints, as JSON, the modules that were there when it was ready, and those that the press brought: a press at once
without the page, and with it one as soon as the page is up.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from dispenser.cli import main, serve
from dispenser.drivers.gpio import early
from dispenser.service.service import Service
from dispenser.system import systemd

PINS = Path(__file__).parents[1] / "bench" / "pins_process.py"
tasks: list[asyncio.Task[None]] = []


class PressingNotifier(systemd.ReadyNotifier):
    """Presses when it is ready."""

    def __init__(self, service: Service, why_not: Callable[[], str]) -> None:
        super().__init__(service, why_not)
        tasks.append(asyncio.create_task(self.press()))

    async def press(self) -> None:
        await self.known.wait()
        ready = set(sys.modules)
        if "--web" in sys.argv:
            await page_is_up.wait()
        before = set(sys.modules)
        await self._service.outcome(await self._service.eject(1))
        print(json.dumps({"ready": sorted(ready), "press": sorted(set(sys.modules) - before)}), flush=True)
        os.kill(os.getpid(), signal.SIGTERM)


def say(text: str, **_: object) -> None:
    if text.startswith("Page:"):
        page_is_up.set()


page_is_up = asyncio.Event()
early.COMMAND = (sys.executable, *sys.orig_argv[1 : -len(sys.argv)], str(PINS))
systemd.ReadyNotifier = PressingNotifier  # type: ignore[misc]
serve._say = say  # noqa: SLF001 - what it says is where the page is
main()
