"""A simulated launcher, its page in Chromium, and hands for both, all in one asyncio loop."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial, wraps
from inspect import isawaitable
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, ViewportSize, async_playwright, expect
from playwright.async_api import Error as PlaywrightError

from dispenser.launcher.commands import Eject
from dispenser.launcher.settings import MachineSettings
from dispenser.service.assembly import simulated_launcher
from dispenser.service.service import Service
from dispenser.service.settings import Settings, WebSettings
from dispenser.simulator import Simulator
from dispenser.web.server import serve
from dispenser.web.texts import script_texts

PHONE: ViewportSize = {"width": 360, "height": 740}
NARROW: ViewportSize = {"width": 320, "height": 640}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
PATIENCE_S = 30.0
HOUSE = "launcher.test"
"""This machine by a name that is not its own for itself: who calls it so is a phone in the house, not the owner."""
DASHBOARD = "http://dashboard.test"
SCREEN_KEY = "correct-horse-screen"
SHORT_DRUM_ROLL = Settings(launcher=MachineSettings(suspense_min_s=0.3, suspense_max_s=0.4))
ENGLISH = script_texts("en")
UNREACHABLE = r"ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET"
CHROMIUM_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # a page that a test makes up seems to come from the internet, which may not show pages of the house
    "--disable-features=LocalNetworkAccessChecks",
    f"--host-resolver-rules=MAP {HOUSE} 127.0.0.1",
]
# Counts, in the page, the cards that flew and the notes that sounded; keeps what it said, however briefly.
SPY = """
window.flown = 0;
window.notes = 0;
window.said = [];
let lastSaid = "";
new MutationObserver((changes) => {
  for (const change of changes)
    for (const node of change.addedNodes) if (node.classList?.contains("flown")) window.flown += 1;
  const sentence = document.querySelector("#sentence, .sentence")?.textContent.trim();
  if (sentence && sentence !== lastSaid) window.said.push(sentence);
  lastSaid = sentence;
}).observe(document, { childList: true, subtree: true, characterData: true });
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.notes += 1; return start.apply(this, when); };
window.AudioContext = class extends AudioContext {
  constructor(...given) { super(...given); window.audio = this; }
};
"""

expect.set_options(timeout=PATIENCE_S * 1000)


def chromium_path() -> str:
    """Debian's Chromium, where there is one without windows that one; or what ``CHROMIUM`` names."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path is not None, "Chromium is not here: apt-get install chromium, or name it in $CHROMIUM"
    return path


class Front:
    """A browser in front of a page.

    ``complaints`` collects what the browser's console had to say.
    """

    address: str

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.complaints: list[str] = []

    async def open_page(self, *, wait: bool = True, allow: str = "", **context: Any) -> Page:
        """A page in a context of its own.

        :param wait: until the launcher is ready.
        :param allow: a pattern of console messages that belong to the test.
        """
        fresh = await self._browser.new_context(**{"viewport": LAPTOP, "locale": "en", **context})
        page = await fresh.new_page()
        await page.add_init_script(SPY)
        page.on("console", lambda message: self._note(message.type, message.text, allow))
        page.on("pageerror", lambda error: self._note("error", str(error), allow))
        await page.goto(self.address)
        if wait:
            await expect(page.locator("body")).to_have_attribute("data-state", "ready")
        return page

    def _note(self, kind: str, text: str, allow: str) -> None:
        if kind in ("error", "warning") and not (allow and re.search(allow, text)):
            self.complaints.append(f"{kind}: {text}")


class Table(Front):
    """One launcher with its web, and a browser in front of it."""

    def __init__(self, browser: Browser, token: str | None, *, lan: bool = False, **simulated: Any) -> None:
        super().__init__(browser)
        self._token = token
        self._lan = lan
        self._simulated = {"seed": "browser tests", "settings": SHORT_DRUM_ROLL, **simulated}
        self._life = AsyncExitStack()
        self._port = 0
        self.service: Service

    @property
    def simulator(self) -> Simulator:
        assert self.service.simulator is not None
        return self.service.simulator

    async def switch_on(self) -> None:
        """Start service and web; a second time on the same port."""
        self.service = await self._life.enter_async_context(simulated_launcher(**self._simulated))
        ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        settings = WebSettings(
            port=self._port,
            token=self._token,
            lan=self._lan,
            allowed_hosts=(HOUSE,),
            dashboards=(DASHBOARD,),
            screen_key=SCREEN_KEY,
        )
        web = asyncio.create_task(serve(self.service, settings, ready=ready.set_result))
        self._life.push_async_callback(_stop, web)
        async with asyncio.timeout(PATIENCE_S):
            self.address = await ready
            self._port = int(self.address.rsplit(":", 1)[1].strip("/"))

    async def switch_off(self) -> None:
        await self._life.aclose()

    def records(self, *types: str) -> list[dict[str, Any]]:
        return [record.data for record in self.service.journal.read(types=types)]

    async def eject(self, cards: int) -> dict[str, Any]:
        """Ask for so many cards and wait for the end of the burst."""
        accepted = await self.service.handle(Eject(cards), "test")
        async with asyncio.timeout(PATIENCE_S):
            return (await self.service.outcome(accepted)).data


async def _stop(web: asyncio.Task[None]) -> None:
    web.cancel()
    await asyncio.wait([web])


class _Shared:
    """One loop and one Chromium in it for all tests of this process: to start them takes longer than most tests do."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self._ended = False
        self._life = AsyncExitStack()
        self._browser: Browser | None = None

    async def browser(self) -> Browser:
        if self._browser is None:
            playwright = await self._life.enter_async_context(async_playwright())
            launched = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_ARGUMENTS)
            self._browser = await self._life.enter_async_context(await launched)
        return self._browser

    def begin(self) -> None:
        self.runner.run(self.browser())

    async def play(self, scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await self.browser()
        before = asyncio.all_tasks()
        try:
            await scenario()
        finally:
            left = asyncio.all_tasks() - before
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    def end(self) -> None:
        if self._ended:
            return
        self._ended = True
        self.runner.run(self._life.aclose())
        self.runner.close()


_shared = _Shared()
begin = _shared.begin
"""Start Chromium: its time is that of no test."""
end = _shared.end
"""Nothing is played any more; each folder's tests say so, and the first is enough."""


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser in which nothing is open, now or afterwards."""
    browser = await _shared.browser()
    try:
        yield browser
    finally:
        await leave(browser)


async def leave(browser: Browser) -> None:
    """Close all pages, with what they remember."""
    for context in browser.contexts:
        await context.close()


@asynccontextmanager
async def table(*, token: str | None = None, **simulated: Any) -> AsyncIterator[Table]:
    """``simulated`` goes to ``simulated_launcher``."""
    async with chromium() as browser:
        on = Table(browser, token, **simulated)
        try:
            await on.switch_on()
            yield on
        finally:
            await leave(browser)  # before the web, which would be missed
            await on.switch_off()
    assert not on.complaints, on.complaints


def play(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a scenario in real time: a browser has no other."""
    _shared.runner.run(_shared.play(scenario))


def in_chromium(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test in that loop."""

    @wraps(test)
    def run(**fixtures: Any) -> None:
        play(partial(test, **fixtures))

    return run


async def narrow_enough(page: Page, scene: str = "") -> None:
    """Nothing is wider than the screen."""
    size = page.viewport_size
    assert size is not None
    await settled(page)
    assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"], scene


AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"


async def violations(page: Page) -> str:
    """What axe-core minds of a page; nothing, where all is well."""
    if not await page.evaluate("typeof axe === 'object'"):
        await page.evaluate(AXE.read_text())  # by the tests' own hand: the page's policy lets no other script in
    found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    told = [(each["id"], [node["html"][:160] for node in each["nodes"]]) for each in found["violations"]]
    return json.dumps(told, indent=1) if told else ""


async def fits(page: Page, scene: str) -> None:
    """Nothing beside the screen, and nothing that axe-core minds."""
    await narrow_enough(page, scene)
    minded = await violations(page)
    assert not minded, (scene, minded)


async def until(is_so: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Look again and again until something is so; what asks the page may be a coroutine."""
    async with asyncio.timeout(patience_s):
        while True:
            answer = is_so()
            if await answer if isawaitable(answer) else answer:
                return
            await asyncio.sleep(0.01)


async def holds(page: Page, condition: str, given: object = None) -> None:
    """Wait until a condition in JavaScript holds. The page's policy forbids Playwright's own polls."""

    async def does() -> bool:
        try:
            return bool(await page.evaluate(condition, given))
        except PlaywrightError as error:
            if "context was destroyed" in str(error) or "navigating" in str(error):
                return False  # another page comes
            raise

    await until(does)


async def settled(page: Page) -> None:
    """Its fonts are there, animations that have an end are over, and what is drawn then has been drawn."""
    await holds(page, SETTLED)
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


SETTLED = """
() => document.fonts.ready.then(() => document.getAnimations().every((one) =>
  one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity))
"""


async def said(page: Page, *sentences: str) -> None:
    """Wait until the page has said these, in this order, since what was waited for last; some it says but briefly."""
    await holds(page, SAID, list(sentences))


SAID = """
(sentences) => {
  let next = 0;
  for (const sentence of sentences) {
    next = window.said.indexOf(sentence, next) + 1;
    if (next === 0) return false;
  }
  window.said.splice(0, next);
  return true;
}
"""


async def open_drawer(page: Page, tab: str | None = None) -> None:
    """Pull out the drawer, at a tab of it."""
    await page.locator("#drawer-handle").click()
    await expect(page.locator("#drawer")).to_have_attribute("data-ready", "")
    if tab:
        await show_tab(page, tab)


async def show_tab(page: Page, name: str) -> None:
    await page.get_by_role("tab", name=name).click()


async def flew(page: Page, cards: int) -> None:
    """Wait until so many cards have flown on the page; more is as wrong as fewer."""
    await holds(page, "(cards) => window.flown >= cards", cards)
    assert await page.evaluate("window.flown") == cards


# --- the launcher's own page ---


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


async def clear_the_exit(on: Table) -> None:
    """Take what sticks out, as players do."""
    on.simulator.take_card()
    await until(lambda: not on.service.snapshot()["exit_blocked"])
