"""A real press as an animation: the shared screen and the phone beside it, as Chromium drew them."""

from __future__ import annotations

import asyncio
import base64
import io
import time
from bisect import bisect_right
from typing import Any

from PIL import Image, ImageDraw
from playwright.async_api import Page

from tests.browser.party import Party
from tests.browser.phone import PUSH, Phone

SCREEN_SIZE, PHONE_SIZE, GAP = (640, 360), (175, 360), 8
FRAMES_PER_S = 10
REST_S, BEFORE_S, AFTER_S = 4.0, 1.0, 3.0
TOUCH_S = 0.4


class Recording:
    """What a page showed, and when."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._times_s: list[float] = []
        self._pictures: list[bytes] = []

    async def start(self) -> None:
        self._cdp = await self._page.context.new_cdp_session(self._page)
        self._cdp.on("Page.screencastFrame", self._add)
        await self._cdp.send("Page.startScreencast", {"format": "png"})

    def _add(self, frame: dict[str, Any]) -> None:
        self._times_s.append(frame["metadata"]["timestamp"])
        self._pictures.append(base64.b64decode(frame["data"]))
        self._ack = asyncio.ensure_future(self._cdp.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]}))

    async def stop(self) -> None:
        await self._cdp.send("Page.stopScreencast")

    def at(self, time_s: float, size: tuple[int, int]) -> Image.Image:
        found = self._pictures[max(bisect_right(self._times_s, time_s) - 1, 0)]
        return Image.open(io.BytesIO(found)).convert("RGB").resize(size, Image.Resampling.LANCZOS)


async def a_press(on: Party, phone: Phone) -> bytes:
    """The press that is due on a phone, as an animated WebP."""
    await on.clear()
    for page in (on.screen, phone.page):
        await page.emulate_media(reduced_motion="no-preference")
    await asyncio.sleep(REST_S)
    screen, hand = Recording(on.screen), Recording(phone.page)
    await screen.start()
    await hand.start()
    button = phone.page.locator(PUSH).first
    box, width = await button.bounding_box(), await phone.page.evaluate("innerWidth")
    assert box is not None
    scale = PHONE_SIZE[0] / width
    touched = ((box["x"] + box["width"] / 2) * scale, (box["y"] + box["height"] / 2) * scale)
    await asyncio.sleep(BEFORE_S)
    begun_s, at = time.time(), on.people.at
    await button.click()
    await on.changes(at)
    ended_s = time.time()
    await asyncio.sleep(AFTER_S)
    await screen.stop()
    await hand.stop()
    frames = []
    for number in range(round((BEFORE_S + ended_s - begun_s + AFTER_S) * FRAMES_PER_S)):
        time_s = begun_s - BEFORE_S + number / FRAMES_PER_S
        frames.append(beside(screen.at(time_s, SCREEN_SIZE), hand.at(time_s, PHONE_SIZE)))
        if abs(time_s - begun_s) < TOUCH_S / 2:
            touch(frames[-1], touched)
    out = io.BytesIO()
    settings = {"quality": 60, "method": 6, "minimize_size": True, "loop": 0, "duration": round(1000 / FRAMES_PER_S)}
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:], **settings)
    return out.getvalue()


def beside(screen: Image.Image, phone: Image.Image) -> Image.Image:
    """Both in one picture."""
    whole = Image.new("RGB", (SCREEN_SIZE[0] + GAP + PHONE_SIZE[0], SCREEN_SIZE[1]), "white")
    whole.paste(screen, (0, 0))
    whole.paste(phone, (SCREEN_SIZE[0] + GAP, 0))
    return whole


def touch(picture: Image.Image, place: tuple[float, float]) -> None:
    """Where the finger is."""
    x, y = SCREEN_SIZE[0] + GAP + place[0], place[1]
    ImageDraw.Draw(picture, "RGBA").ellipse((x - 14, y - 14, x + 14, y + 14), fill=(0, 0, 0, 110))
