"""Makes the pictures of README and guides from the running product: ``python -m tests.browser.screenshots``.

Odds, physics and pages are the real ones; the seed makes each run show the same burst. Cards are dealt anew each time.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from PIL import Image
from playwright.async_api import expect

from dispenser.launcher.settings import MachineSettings
from dispenser.service.settings import Settings
from tests.browser.animation import a_press
from tests.browser.party import Party, party
from tests.browser.rig import PHONE, Table, end, play, table

SHARP = {"viewport": PHONE, "device_scale_factor": 2}
DRUM_ROLL = Settings(launcher=MachineSettings(suspense_min_s=1.4, suspense_max_s=1.5))
PICTURES = Path(__file__).parents[2] / "hardware" / "pictures"


async def cards_on_phones(on: Table) -> None:
    """A phone in turn."""
    page = await on.open_page(has_touch=True, is_mobile=True, **SHARP)
    await page.goto(f"{on.address}table")
    await page.get_by_role("button", name="Play against two bots now").click()
    await expect(page.locator(".lay").first).to_be_visible(timeout=60_000)
    save(await page.screenshot(), "table-phone.png")


async def first_evening(on: Party) -> None:
    """What each phone shows, from the code to the first cards; at last a press, as an animation."""
    await on.begins()
    save(await on.screen.screenshot(), "evening-code.png")
    door = await on.look(f"t/{await on.code()}", **SHARP)
    await door.get_by_role("textbox", name="What’s your name?").fill("Léa")
    save(await door.screenshot(), "evening-name.png")
    await door.close()
    host, tom = await on.comes("Léa", **SHARP), await on.comes("Tom", **SHARP)
    await host.page.locator("input[name=game][value='uno-extreme']").check()
    save(await host.page.screenshot(), "evening-game.png")
    await on.starts(host, "uno-extreme", "counter")
    save(await host.page.screenshot(), "evening-counter.png")
    await host.tap(re.compile("^Press 2"), "Tom")
    await tom.says("Press 1 of 2!")
    save(await tom.page.screenshot(), "evening-press.png")
    at = on.people.at
    await tom.presses()  # the simulator's odds begin with a dud
    await on.changes(at)
    write(await a_press(on, tom), "a-press.webp")


def save(picture: bytes, name: str) -> None:
    """Few colours do: the page is drawn, not photographed."""
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(method=Image.Quantize.MAXCOVERAGE, kmeans=3)
    small = io.BytesIO()
    image.save(small, "PNG", optimize=True)
    write(small.getvalue(), name)


def write(picture: bytes, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    PICTURES.joinpath(name).write_bytes(picture)
    print(f"{name}: {len(picture) / 1000:.0f} kB")


async def main() -> None:
    async with table(seed="a fine picture") as on:
        await cards_on_phones(on)
    async with party(seed="a fine burst", settings=DRUM_ROLL) as evening:
        await first_evening(evening)


if __name__ == "__main__":
    play(main)
    end()
