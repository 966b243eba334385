"""The screen that all share, and that nobody is shut out of the table's pages, in Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import CDPSession, Page, ViewportSize, expect

from tests.browser.rig import LAPTOP, NARROW, fits, in_chromium, narrow_enough, settled, until
from tests.browser.stand_in import (
    LAST_CARD_IS_CLEAR,
    LONG_NAME,
    OUT_OF_REACH,
    PHONE,
    SCENES,
    SIDEWAYS,
    SMALL,
    SMALL_SIDEWAYS,
    Phones,
    listens,
    long_hand,
    phones,
    says,
)

TABLET: ViewportSize = {"width": 1024, "height": 768}


# --- the shared screen ---


@in_chromium
async def test_the_screen_writes_a_sentence_as_large_as_fits() -> None:
    async with phones("screen") as on:
        page = await on.look("/screen", viewport={"width": 1024, "height": 768}, locale="fr")
        place = page.locator("#sentence")
        sizes = []
        for said in (
            "À toi !",
            "Ouf… pas une seule carte !",
            "Combien de cartes sont sorties ?",
            "Prends la carte. " * 5,
        ):
            on.table.show("screen", sentence=said)
            await says(page, said.strip())
            await settled(page)
            assert await place.evaluate("(one) => one.scrollHeight <= one.clientHeight"), said
            sizes.append(await place.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)"))
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] > sizes[-1]


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
        screen = await on.look("/screen", viewport=TABLET)
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
            await _all_within(screen)
        on.table.show("lobby", join=OWN_WIFI)
        await expect(phone.locator(".ordinal")).to_have_text(["1 First, join this Wi-Fi", "2 Then, open the page"])
        await _all_within(phone)


async def _all_within(page: Page) -> None:
    """No code, and nothing beside it, sticks out of its box."""
    await settled(page)
    outside = await page.evaluate(
        """() => [...document.querySelectorAll(".ways-in .invitation")].flatMap((box) =>
          [...box.querySelectorAll("img, p")].filter((one) =>
            one.getBoundingClientRect().right > box.getBoundingClientRect().right + 1).map((one) => one.className))"""
    )
    assert outside == []


CUT_SEATS = """() => {
  const { bottom } = document.getElementById("beside").getBoundingClientRect();
  const whole = (one) => one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1;
  return [...document.querySelectorAll(".seat")].filter((seat) => seat.getBoundingClientRect().bottom > bottom + 1 ||
    !whole(seat) || (seat.matches(".turn") && !whole(seat.querySelector(".name")))).map((seat) => seat.textContent);
}"""


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768), (1180, 820)])
@in_chromium
async def test_the_screen_shows_every_seat_and_who_must_play_by_whole_name(size: tuple[int, int], locale: str) -> None:
    async with phones("screen") as on:
        viewport = ViewportSize(width=size[0], height=size[1])
        page = await on.look("/screen", viewport=viewport, locale=locale, reduced_motion="reduce")
        seat = on.table.view(locale)["seats"][0]
        for many in range(2, 11):
            seats = [{**seat, "seat": each, "name": LONG_NAME, "turn": each == 1} for each in range(many)]
            on.table.show("screen", seats=seats, in_force=["…"])
            await expect(page.locator(".seat")).to_have_count(many)
            await settled(page)
            assert await page.evaluate(CUT_SEATS) == []


# --- for everybody ---


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
    ("size", "locale", "scheme"),
    [(NARROW, "en", "light"), (NARROW, "fr", "dark"), (SIDEWAYS, "en", "dark"), (SIDEWAYS, "fr", "light")],
    ids=["narrow", "narrow, French, dark", "sideways, dark", "sideways, French"],
)
@in_chromium
async def test_nobody_is_shut_out(size: ViewportSize, locale: str, scheme: str) -> None:
    """Widths, words and colours are minded apart from one another: each with each is more than it takes."""
    async with phones("owes") as on:
        page = await on.look(viewport=size, locale=locale, color_scheme=scheme, reduced_motion="reduce")
        for scene in SCENES:
            on.table.show(scene)
            await says(page, on.table.view(locale)["sentence"])
            await fits(page, scene)
            assert not await page.evaluate(ANIMATED), "less motion was asked for"
        on.table.show("over")
        for sheet in ("Menu", "Scores"):
            await page.get_by_role("button", name=sheet).first.click()
            await fits(page, sheet)
            await page.keyboard.press("Escape")


@pytest.mark.parametrize("locale", ["en", "fr"])
@in_chromium
async def test_nobody_is_shut_out_of_the_screen(locale: str) -> None:
    async with phones("screen") as on:
        for size in (PHONE, LAPTOP, ViewportSize(width=1920, height=1080)):
            page = await on.look("/screen", viewport=size, locale=locale, reduced_motion="reduce")
            for scene in ("screen", "over"):
                on.table.show(scene)
                await says(page, on.table.view(locale)["sentence"])
                await fits(page, scene)
                assert not await page.evaluate(ANIMATED), "less motion was asked for"


STEPS: list[tuple[str, tuple[str, ...]]] = [
    ("referee", ("Red",)),
    ("cards", ("Wild",)),
    ("counter", ("I am out!",)),
    ("asks", ("Another number",)),
    ("referee", ("Menu", "How we play")),
    ("between", ("Scores",)),
    ("cards_wait", ("Scores",)),
]
"""What stands behind a tap, by scene and taps."""


@in_chromium
async def test_nobody_is_shut_out_of_what_stands_behind_a_tap() -> None:
    """Steps, forms, questions and sheets, on the narrowest phone, in light and dark."""
    async with phones("owes") as on:
        page = await on.look(viewport=NARROW, reduced_motion="reduce")
        for scene, taps in STEPS:
            on.table.show(scene)
            await says(page, on.table.view()["sentence"])
            for name in taps:
                await page.get_by_role("button", name=name).first.click()
            for scheme in ("light", "dark"):
                await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                await fits(page, f"{scene}, {taps}, {scheme}")
            await page.reload()
        on.table.show("lobby")
        await page.get_by_text("House rules").click()
        await fits(page, "house rules")


ANIMATED = """() => [...document.querySelectorAll("*")]
  .filter((one) => getComputedStyle(one).animationName !== "none").map((one) => one.className)"""
BEYOND = """(width) => [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > width + 1)
  .map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`).slice(0, 8)"""
"""What sticks out to the right."""


@in_chromium
async def test_with_text_twice_as_large_nothing_sticks_out() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE, locale="fr")
        await page.evaluate("document.documentElement.style.fontSize = '36px'")
        for scene in SCENES:
            if scene == "screen":  # that is no phone's
                continue
            on.table.show(scene)
            await says(page, on.table.view("fr")["sentence"])
            await settled(page)
            beyond = await page.evaluate(BEYOND, PHONE["width"])
            wide = await page.evaluate("document.documentElement.scrollWidth")
            assert wide <= PHONE["width"], (scene, wide, beyond)


SUITS = {"en": ("Clubs", "Diamonds", "Hearts", "Spades"), "fr": ("Trèfle", "Carreau", "Cœur", "Pique")}
BEYOND_THE_BUTTON = """(all) => all.filter((button) => {
  const inside = button.getBoundingClientRect(), label = button.querySelector(".label");
  const text = document.createRange();
  text.selectNodeContents(label);
  return [...text.getClientRects()].some(({ left, right }) => left < inside.left || right > inside.right);
}).map((button) => button.textContent)"""


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize(("percent", "rows"), [(100, 2), (200, 4)])
@in_chromium
async def test_the_suits_stay_in_their_buttons(locale: str, percent: int, rows: int) -> None:
    """Two beside each other; where the text is twice as large, one below the other."""
    async with phones("cards") as on:
        page = await on.look(viewport=NARROW, locale=locale)
        await page.evaluate("(percent) => { document.documentElement.style.fontSize = `${percent}%`; }", percent)
        colour = {"letter": "C", "shape": "♣"}
        suits = [
            {"label": label, "colour": {**colour, "key": key, "name": label}, "send": {"do": key}}
            for key, label in zip(("clubs", "diamonds", "hearts", "spades"), SUITS[locale], strict=True)
        ]
        on.table.show("cards", choices=suits)
        buttons = page.locator(".choice.colour")
        await expect(buttons).to_have_text([re.compile(label) for label in SUITS[locale]])
        await narrow_enough(page)
        assert await buttons.evaluate_all(BEYOND_THE_BUTTON) == []
        tops = await buttons.evaluate_all("all => all.map((one) => one.offsetTop)")
        assert len(set(tops)) == rows


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


@in_chromium
async def test_a_phone_loads_little() -> None:
    async with phones("cards") as on:
        fresh = await on.look("/table", viewport=PHONE, locale="fr")
        await says(fresh, "À toi de jouer, Tom")
        loaded = await fresh.evaluate(
            """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
               .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""
        )
        names = [re.sub(r".*/", "", name) for name, _ in loaded if not name.startswith("data:")]
        assert len(names) <= 12, names
        assert sum(size for _, size in loaded) < 100_000


@in_chromium
async def test_the_names_in_the_chart_of_scores_are_18_px_high() -> None:
    async with phones("between") as on:
        page = await on.look(viewport=NARROW)
        size = await page.locator(".chart text").first.evaluate(
            "(text) => parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a"
        )
        assert size >= 18


@in_chromium
async def test_a_new_phone_shows_large_what_the_host_compares() -> None:
    async with phones("watcher") as on:
        page = await on.look(viewport=PHONE)
        await expect(page.get_by_role("textbox")).to_be_visible()
        asked = "Show Tom 2 this number: 43. Then you are Bob again."
        on.table.show("watcher", sentence=asked, tone="wait", choices=[])
        await expect(page.locator(".burst")).to_have_text("43")
