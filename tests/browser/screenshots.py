"""Makes the pictures of the README from the running product: ``python -m tests.browser.screenshots``.

Odds, physics and pages are the real ones; the seed makes each run show the same burst. Cards are dealt anew each time.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from playwright.async_api import expect

from dispenser.launcher.commands import Eject
from tests.browser.rig import LAPTOP, PHONE, Table, end, play, settled, table

SCREEN = {"width": 1280, "height": 720}

PICTURES = Path(__file__).parents[2] / "hardware" / "pictures"
CARDS = 12
IN_THE_AIR = 7
FEW = 3


async def laptop(on: Table) -> bytes:
    """A burst under way: the first cards fly."""
    page = await on.open_page(viewport=LAPTOP)
    hold = page.evaluate(HOLD, IN_THE_AIR)
    await on.service.handle(Eject(CARDS), "picture")
    await hold
    return await page.screenshot(animations="allow")


async def phone(on: Table) -> bytes:
    """Ready for the next press, the last burst on the table."""
    page = await on.open_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    await on.eject(3)
    on.toy.take_card()
    await expect(page.locator("#launcher")).to_have_attribute("data-exit", "clear")
    await settled(page)  # the cards have landed
    return await page.screenshot(animations="allow")


async def playing(on: Table) -> tuple[bytes, bytes]:
    """A phone in turn, and the shared screen while cards come."""
    page = await on.open_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    await page.goto(f"{on.address}table")
    await page.get_by_role("button", name="Play against two bots now").click()
    await expect(page.locator(".lay").first).to_be_visible(timeout=60_000)
    mine = await page.screenshot()
    screen = await on.open_page(wait=False, viewport=SCREEN)
    await screen.goto(f"{on.address}screen")
    await expect(screen.locator("#launcher")).to_have_attribute("data-mood", "ready")
    hold = screen.evaluate(HOLD, FEW)
    await on.service.handle(Eject(IN_THE_AIR), "picture")
    await hold
    return mine, await screen.screenshot(animations="allow")


HOLD = """
(cards) => new Promise((resolve) => new MutationObserver((_, observer) => {
  if (document.querySelectorAll(".flown").length < cards) return;
  observer.disconnect();
  requestAnimationFrame(() => {
    for (const animation of document.getAnimations()) animation.pause();
    resolve();
  });
}).observe(document.getElementById("table-cards"), { childList: true }))
"""
"""Holds every motion in the page, as a camera does, once so many cards have left."""


def save(picture: bytes, name: str) -> None:
    """Few colours do: the page is drawn, not photographed."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    small = image.quantize(method=Image.Quantize.MAXCOVERAGE, kmeans=3)
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / name
    small.save(path, optimize=True)
    print(f"{path.relative_to(PICTURES.parents[1])}: {path.stat().st_size / 1000:.0f} kB")


async def main() -> None:
    async with table(seed="a fine picture") as on:
        save(await laptop(on), "page-laptop.png")
    async with table(seed="a fine picture") as on:
        save(await phone(on), "page-phone.png")
    async with table(seed="a fine picture") as on:
        mine, all_see = await playing(on)
        save(mine, "table-phone.png")
        save(all_see, "table-screen.png")


if __name__ == "__main__":
    play(main)
    end()
