"""A script under way (``dispenser simulator run``), and a browser in front of its page."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from tests.browser.rig import PATIENCE_S, Front, chromium

LAUNCH = """
from signal import pause
from gpiozero import LED, Button, Motor, TonalBuzzer

motor, light, buzzer = Motor(23, 24, enable=25), LED(16), TonalBuzzer(18)
button, lid = Button(17, bounce_time=0.02), Button(27, bounce_time=0.02)

def go():
    light.on()
    motor.forward()

def halt():
    light.off()
    motor.stop()

button.when_pressed, button.when_released = go, halt
lid.when_released, lid.when_pressed = lambda: buzzer.play(440), buzzer.stop
print("set up", flush=True)
pause()
"""


class Desk(Front):
    """A script under way, and a browser in front of its page."""

    process: asyncio.subprocess.Process

    async def page(self, **context: Any) -> Page:
        page = await self.open_page(wait=False, **context)
        # before its line is open a page is "connecting", then "away", and a push on it is none
        await expect(page.locator("body")).to_have_attribute("data-state", re.compile("^(?!connecting|away)"))
        return page

    async def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE_S):
            await self.process.wait()


@asynccontextmanager
async def script(source: str, folder: Path, *options: str) -> AsyncIterator[Desk]:
    (folder / "mine.py").write_text(source)
    command = ["-c", "from dispenser.cli import main; main()", "simulator", "run", "--no-browser", "--port", "0"]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        *("--seed", "recipes", *options),
        folder / "mine.py",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        found = re.match(rb"Page: (\S+)", await process.stderr.readline())
        assert found is not None
        assert process.stdout is not None
        assert await process.stdout.readline() == b"set up\n"
        async with chromium() as browser:
            desk = Desk(browser)
            desk.process, desk.address = process, found[1].decode()
            yield desk
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
    assert not desk.complaints, desk.complaints
