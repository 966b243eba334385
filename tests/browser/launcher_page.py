"""What tests of the launcher's own page share: what it says, what is pushed, what players do."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import Page, expect

from dispenser.web.texts import script_texts
from tests.browser.rig import Table, until

ENGLISH = script_texts("en")
TOKEN = "correct-horse-battery"
REFUSED = r"409 \(Conflict\)"
UNREACHABLE = r"ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET"


async def says(page: Page, text: str | re.Pattern[str]) -> None:
    await expect(page.locator("#sentence")).to_have_text(text)


def words_for(burst: dict[str, Any]) -> str:
    """The sentence after a whole burst."""
    if burst["cause"] == "dud":
        jokes = [ENGLISH["outcome"]["dud"], *ENGLISH["outcome"]["jokes"]]
        return str(jokes[(burst["press"] - 1) % len(jokes)])
    cards, words = burst["delivered"], ENGLISH["outcome"]["words"]
    told = ENGLISH["outcome"]["counting"][cards > 1] if burst["sticking_out"] else ENGLISH["outcome"]["all"]
    said = [told.format(cards=words[cards - 1] if cards <= len(words) else f"{cards} cards")]
    if doubles := burst["suspected_doubles"]:
        said.append(ENGLISH["outcome"]["double"][doubles > 1].format(n=doubles))
    return " ".join(said)


async def does(page: Page, deed: str) -> None:
    """Push the big button when it says so; it may be pushed a moment later."""
    button = page.locator("#press")
    await expect(button).to_have_accessible_name(deed)
    await button.click()


async def clear_the_exit(on: Table) -> None:
    """Take what sticks out, as players do."""
    on.toy.take_card()
    await until(lambda: not on.service.snapshot()["exit_blocked"])
