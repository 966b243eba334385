"""What a small phone has room for: nothing is cut off, and no word is broken."""

from __future__ import annotations

from typing import Any

from playwright.async_api import expect

from tests.browser.rig import holds, in_chromium, settled
from tests.browser.stand_in import OUT_OF_REACH, SMALL, listens, phones, says

PUSH = {"label": "Press!", "send": {"press": True}, "due": False}
LINES_OF = """([label, word]) => {
  const button = [...document.querySelectorAll("#act .choice")].find((each) => each.textContent.includes(label));
  const text = document.createTreeWalker(button.querySelector(".label"), NodeFilter.SHOW_TEXT);
  while (text.nextNode()) {
    const at = text.currentNode.data.indexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(text.currentNode, at);
    range.setEnd(text.currentNode, at + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  }
}"""


def launcher_phone(text: str) -> dict[str, Any]:
    return {"person": 2, "name": "Tom", "me": True, "text": text}


@in_chromium
async def test_a_phone_that_is_the_launcher_says_who_presses_and_leaves_room_for_the_colours() -> None:
    async with phones("referee") as on:
        page = await on.look(viewport=SMALL)
        await listens(on.table)
        choices = [each for each in on.table.view()["choices"] if each.get("colour")][:4]
        colours = {"choices": choices, "push": PUSH, "always": []}
        whose = launcher_phone("This phone is the launcher. Léa presses here.")
        on.table.show("owes", push={**PUSH, "due": True}, stand_in=whose)
        await expect(page.locator(".push .whose")).to_have_text(whose["text"])
        on.table.show("referee", **colours, stand_in=whose)
        await expect(page.locator(".whose + .kind-push")).to_be_in_viewport(ratio=1)
        await settled(page)
        assert await page.evaluate(OUT_OF_REACH) == []
        on.table.launcher("ready", refusal="nothing_owed")
        on.table.show(
            "referee", **colours, stand_in=launcher_phone("This phone is the launcher."), sentence="Name a color!"
        )
        await says(page, "Name a color!")
        await expect(page.get_by_role("button", name="Press!")).to_have_count(0)
        await settled(page)
        assert await page.evaluate(OUT_OF_REACH) == []


@in_chromium
async def test_narrow_buttons_stand_below_each_other_before_a_word_is_broken() -> None:
    labels = (
        "A oublié de dire «\xa0Carte\xa0»",
        "Donne finie\xa0: qui n’a plus de cartes\u202f?",
        "Chaîne annulée",
        "Faute de conduite",
        "Effacer la dette de Léa",
    )
    async with phones("counter") as on:
        page = await on.look(viewport=SMALL, locale="fr")
        await listens(on.table)
        on.table.show("counter", push=None, choices=[{"label": each, "send": {"do": each}} for each in labels])
        await holds(page, "() => document.querySelectorAll('#act .choice').length === 5")
        await settled(page)
        assert await page.evaluate(LINES_OF, ["Carte", "«\xa0Carte\xa0»"]) == 1
        assert await page.evaluate(LINES_OF, ["annulée", "annulée"]) == 1


@in_chromium
async def test_why_a_card_cannot_be_laid_makes_its_column_no_wider() -> None:
    async with phones("referee") as on:
        page = await on.look(viewport=SMALL)
        await listens(on.table)
        red = on.table.view()["choices"][0]
        dim = {**red["next"][0], "hint": "Neither the color nor the number of the card on top.", "rule": "E-05"}
        del dim["send"]
        on.table.show("referee", choices=[{**red, "next": [dim, *red["next"][1:]]}])
        await page.get_by_role("button", name="Red", exact=True).click()
        columns = "() => getComputedStyle(document.querySelector('.deck')).gridTemplateColumns.split(' ').length >= 3"
        await holds(page, columns)


@in_chromium
async def test_a_question_how_many_came_is_whole_above_its_answers_in_a_counted_match() -> None:
    async with phones("counter") as on:
        page = await on.look(viewport=SMALL)
        await listens(on.table)
        answers = [{"label": f"{cards} cards", "send": {"do": "count", "cards": cards}} for cards in range(8)]
        text = "Maximilien’s press. I could not count. How many cards came?"
        on.table.show("counter", push=None, sentence=text, tone="ask", asks={"text": text, "choices": answers})
        await says(page, text)
        await settled(page)
        below = "document.querySelector('.now').getBoundingClientRect().bottom"
        assert await page.evaluate(f"{below} <= document.querySelector('.reach').getBoundingClientRect().top")
        assert await page.evaluate(OUT_OF_REACH) == []
