"""The screen that all share, and what a page of the table keeps, in Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import CDPSession, Page, ViewportSize, expect

from tests.browser.rig import LAPTOP, in_chromium, narrow_enough, settled, until
from tests.browser.stand_in import (
    LAST_CARD_IS_CLEAR,
    OUT_OF_REACH,
    PHONE,
    SMALL,
    SMALL_SIDEWAYS,
    Phones,
    listens,
    long_hand,
    phones,
    says,
)

# --- the shared screen ---


@in_chromium
async def test_the_screen_speaks_when_it_is_asked_to() -> None:
    async with phones("screen") as on:
        page = await on.look("/screen", locale="fr")
        await says(page, on.table.view("fr")["sentence"])
        await listens(on.table)
        await page.evaluate(
            """() => {
              window.heard = [];
              speechSynthesis.speak = (said) => window.heard.push([said.lang, said.text]);
            }"""
        )
        on.table.show("screen", aloud="Un", sentence="1")
        await says(page, "1")
        assert await page.evaluate("window.heard") == [], "off at first"
        await page.get_by_role("button", name="À voix haute").click()
        on.table.show("screen", aloud="Deux", sentence="2")
        await says(page, "2")
        await until(lambda: page.evaluate("window.heard.at(-1)?.[1] === 'Deux'"))
        heard = await page.evaluate("window.heard")
        assert {language for language, _ in heard} == {"fr-FR"}
        on.table.show("screen", aloud="Deux", sentence="3")  # somebody has sat down, say
        await says(page, "3")
        assert await page.evaluate("window.heard") == heard, "whoever was called is not called again"
        await page.get_by_role("button", name="Autre adresse").click()
        await expect(page.locator(".qr")).to_have_attribute("src", re.compile("launcher.local"))
        await expect(page.locator(".address")).to_contain_text("launcher.local:8080/t/K7PM")


OWN_WIFI = {
    "code": "K7PM",
    "url": None,
    "addresses": ["http://10.42.0.1/t/K7PM", "http://launcher.local/t/K7PM"],
    "wifi": {"name": "Table 7 with a rather long name", "password": "k7rwn3xq2h"},
}


@in_chromium
async def test_the_launchers_own_wifi_comes_before_the_page() -> None:
    async with phones("screen") as on:
        screen = await on.look("/screen", viewport=LAPTOP)
        phone = await on.look(viewport=PHONE)
        for page in (screen, phone):
            await expect(page.locator(".ways-in")).to_have_count(0)
        for scene in ("lobby", "screen"):
            on.table.show(scene, join=OWN_WIFI)
            await expect(screen.locator(".qr")).to_have_count(2)
            sources = await screen.locator(".qr").evaluate_all("(all) => all.map((one) => one.getAttribute('src'))")
            assert [source.partition("?")[0] for source in sources] == [
                "/api/v1/table/wifi.svg",
                "/api/v1/table/qr.svg",
            ]
            await expect(screen.locator(".ways-in kbd")).to_have_text("k7rwn3xq2h")
            await narrow_enough(screen)
        on.table.show("lobby", join=OWN_WIFI)
        await expect(phone.locator(".ordinal")).to_have_text(["1 First, join this Wi-Fi", "2 Then, open the page"])
        await narrow_enough(phone)


# --- in every window, and for a whole evening ---


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize(
    "size", [SMALL, PHONE, SMALL_SIDEWAYS, {"width": 820, "height": 1180}, {"width": 1280, "height": 720}],
    ids=["small", "phone", "sideways", "tablet", "laptop"],
)  # fmt: skip
@in_chromium
async def test_what_to_do_now_is_in_the_window_whatever_it_is(size: ViewportSize, locale: str) -> None:
    async with phones("cards") as on:
        page = await on.look(viewport=size, locale=locale, reduced_motion="reduce")
        long = long_hand(on.table, locale)
        no_hand = {"seats": long["seats"], "hand": []}
        main = [{"label": label, "kind": "main", "send": {"do": label}} for label in ("Passer", "Prendre 12")]
        push = {"label": "Appuie\xa0!", "send": {"press": True}, "due": False}
        due = {"push": {**push, "due": True}, "choices": []}
        numbers = [{"label": str(number), "send": {"do": number}} for number in range(14)]
        asks = {"text": "?", "choices": [{**numbers[3], "kind": "main"}, *numbers[4:], *numbers[:3]]}
        for scene, changes in (
            ("cards", {**long, "choices": main}),
            ("cards", {**long, "choices": [], "push": push}),
            ("cards", {**long, **due}),
            ("owes", {**no_hand, **due}),
            ("referee", {**no_hand, "push": push}),
            ("counter", no_hand),
            ("asks", {**no_hand, "asks": asks}),
        ):
            on.table.show(scene, calls=on.table.view()["at"], **changes)
            await expect(page.locator("body")).to_have_attribute("data-at", str(on.table.view()["at"]))
            await settled(page)
            assert await page.evaluate(OUT_OF_REACH) == [], scene
            if changes["hand"]:
                assert await page.evaluate(LAST_CARD_IS_CLEAR), scene


@pytest.mark.parametrize(
    ("path", "scenes"),
    [("/table", ["cards", "owes", "referee", "between", "asks"]), ("/screen", ["screen", "over"])],
    ids=["a phone", "the screen"],
)
@in_chromium
async def test_an_evening_of_views_leaves_nothing_behind(path: str, scenes: list[str]) -> None:
    """After as many views as a round has, a page holds no more nodes and listeners than after the first of them."""
    async with phones(scenes[0]) as on:
        page = await on.look(path, viewport=PHONE, reduced_motion="reduce")
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Performance.enable")
        held = []
        for rounds in (10, 30):
            for _ in range(rounds):
                await show_all(on, page, scenes)
            held.append(await holds(page, devtools))
        for what, number in held[0].items():
            assert held[1][what] <= number, held


async def show_all(on: Phones, page: Page, scenes: list[str]) -> None:
    """Each scene, with a burst in each."""
    for scene in scenes:
        on.table.show(scene)
        press = on.table.view()["at"]
        for state, cards in (("suspense", 0), ("feeding", 1), ("feeding", 2), ("ready", 2)):
            on.table.launcher(state, press=press, delivered=cards, planned=2)
    await expect(page.locator("body")).to_have_attribute("data-at", str(on.table.view()["at"]))


async def holds(page: Page, devtools: CDPSession) -> dict[str, float]:
    """What a page keeps, once nothing moves on it any more and what it has dropped is collected."""
    measured: list[dict[str, float]] = []

    async def nothing_changes() -> bool:
        await settled(page)
        await devtools.send("HeapProfiler.collectGarbage")
        found = (await devtools.send("Performance.getMetrics"))["metrics"]
        held = {each["name"]: each["value"] for each in found if each["name"] in {"Nodes", "JSEventListeners"}}
        measured.append(held)
        return len(measured) > 2 and measured[-3:] == [held] * 3

    await until(nothing_changes)
    return measured[-1]
