"""The rules on the page, without a browser."""

from __future__ import annotations

import html
import re
from functools import cache

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.rules.library import BOOKS
from dispenser.rules.registry import GAMES
from dispenser.web.book_pages import game_page, index_page
from tests.sampled import sampled
from tests.web.rig import launcher
from tests.web.test_pages import Outline


@cache
def page(game: str, language: str) -> str:
    return game_page(language, game)[0]


def plain(text: str) -> str:
    """What one reads of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", text)).split())


def shown_rules(text: str) -> list[str]:
    return re.findall(r'<article id="([A-Z]-\d\d)" aria-labelledby="[^"]*" data-words="[^"]*">', text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_games_page_says_all_its_rules_and_options(game: str, language: str) -> None:
    book, text = BOOKS[game], page(game, language)
    assert shown_rules(text) == [rule.id for rule in book.rules]
    read = plain(text)
    said = [book.name, book.summary, *(heading for heading, _ in book.sections)]
    said += [each for rule in book.rules for each in (rule.title, rule.text, rule.reading) if each]
    said += [each for option in book.options for each in (option.label, option.text)]
    for each in said:
        assert " ".join(each[language].split()) in read


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", sampled([*GAMES, ""], 3))
def test_every_page_of_the_rules_is_sound(game: str, language: str) -> None:
    outline = Outline(page(game, language) if game else index_page(language))
    outline.check("#", "?lang=", "/")
    assert {each for each in outline.addresses if not each.startswith(("#", "?lang=", "/rules", "/static/"))} <= {"/"}
    anchors = {address[1:] for address in outline.addresses if address.startswith("#") and "mark-" not in address}
    assert anchors <= set(outline.ids), "what is linked stands there"


def test_an_example_is_told_in_the_language_of_the_page() -> None:
    told = plain(page("uno-extreme", "fr"))
    assert "Ana essaie «\u00a03 rouge\u00a0».".replace("\u00a0", " ") in told
    assert "Interdit par E-14 : Ana doit d’abord appuyer une fois." in told
    assert "Not allowed" not in told
    assert 'href="#mark-red"' in page("uno-extreme", "fr")
    assert "♥" in page("151", "fr")


async def test_a_rule_or_a_game_leads_to_its_page_and_what_there_is_not_is_told_in_french() -> None:
    async with launcher() as on:
        for wanted, place in (
            ("e14", "/rules/uno-extreme#E-14"),
            ("g03", "/rules#G-03"),
            ("HUIT AMÉRICAIN", "/rules/huit-americain"),
            ("Uno_Extrême", "/rules/uno-extreme"),
        ):
            assert (await on.client.get(f"/rules/{wanted}")).headers["location"] == place
        for wanted in ("E-99", "belote", "%3Cscript%3E", "x" * 3000):
            answer = await on.client.get(f"/rules/{wanted}", headers={"accept-language": "fr"})
            assert answer.status_code == 404, wanted
            assert "Il n’y a pas de règle" in plain(answer.text) or wanted != "E-99"
            assert "<script>" not in answer.text
            assert "/rules/uno-extreme" in answer.text


async def test_a_word_is_looked_for_without_a_script_too() -> None:
    async with launcher() as on:
        french = {"accept-language": "fr"}
        answer = await on.client.get("/rules/uno-extreme", params={"word": "EXTREME"}, headers=french)
        shown = shown_rules(answer.text)
        assert 0 < len(shown) < len(BOOKS["uno-extreme"].rules)
        assert f"Ce mot figure dans {len(shown)} règles." in plain(answer.text)
        nothing = await on.client.get("/rules/uno", params={"word": "<b>zzz"})
        assert shown_rules(nothing.text) == []
        assert "<b>zzz" not in nothing.text
        everywhere = await on.client.get("/rules", params={"word": "lance-cartes"}, headers=french)
        assert re.search(r'<li data-words="[^"]*"><a href="/rules/uno-extreme#E-', everywhere.text)
        one = await on.client.get("/rules/uno", params={"word": "u-11"})
        assert shown_rules(one.text) == ["U-11"]
        assert "1 rule has this word." in one.text


async def test_what_the_table_has_chosen_is_marked() -> None:
    async with launcher() as on:
        assert "At this table" not in (await on.client.get("/rules/uno-extreme")).text
        answer = await on.client.get("/rules/uno-extreme", params={"options": "scoring:low-score,target:300"})
        told = plain(answer.text)
        assert "At this table: low-score" in told
        assert "At this table: 300" in told
        assert "?lang=fr&amp;options=scoring%3Alow-score%2Ctarget%3A300" in answer.text
        as_usual = await on.client.get("/rules/uno", params={"options": "target:500"})
        assert "Everything as usual." in as_usual.text
        for wrong in ("target:many", "nonsense", "," * 2000):
            answer = await on.client.get("/rules/uno-extreme", params={"options": wrong})
            assert (answer.status_code, 'role="alert"' in answer.text) == (400, True)
            assert len(shown_rules(answer.text)) == len(BOOKS["uno-extreme"].rules)
