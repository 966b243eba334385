"""``dispenser rules list`` and ``dispenser rules show``: readable in 80 columns, in both languages."""

from __future__ import annotations

import re

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.rules.book import SHARED
from dispenser.rules.library import BOOKS, RULES
from tests.cli.run import run
from tests.sampled import sampled


def shown(*arguments: object, language: str = "en", **environment: str) -> str:
    done = run("rules", *arguments, language=language, **environment)
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    return done.stdout


def margin(page: str) -> list[str]:
    """The rule IDs that stand at the beginning of a line."""
    return re.findall(r"^([A-Z]-\d\d)  ", page, re.MULTILINE)


def squeezed(text: str) -> str:
    """On one line, without what sets readings apart."""
    return re.sub(r"[\s│]+", " ", text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [24, 80])
def test_the_list_has_every_game_and_what_it_is_like(columns: int, language: str) -> None:
    page = shown("list", language=language, COLUMNS=str(columns))
    for book in BOOKS.values():
        heading = f"{book.name[language]}  {book.id}, {book.seats[0]}–{book.seats[-1]} "
        assert heading in page
        assert f", {len(book.rules)} " in page.partition(heading)[2].splitlines()[0]
        assert book.summary[language] in " ".join(page.split("\n"))
    assert f"\n{len(SHARED[1])} " in page
    for line in page.splitlines():
        assert len(line) <= max(columns, 60), "only headings are longer than a narrow terminal"
        assert "…" not in line
        assert line.strip()[:1] not in set(":;!?»"), line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", BOOKS)
def test_a_game_is_shown_whole(game: str, language: str) -> None:
    page = shown("show", game, language=language)
    book = BOOKS[game]
    ids = [rule.id for rule in (*book.rules, *SHARED[1])]
    at_the_options = len(book.rules)
    assert margin(page) == ids[:at_the_options] + [option.rule for option in book.options] + ids[at_the_options:]
    for rule in (*book.rules, *SHARED[1]):
        for text in (rule.title, rule.text, rule.reading):
            assert text is None or squeezed(text[language]) in squeezed(page)
    for heading, _ in (*book.sections, SHARED):
        assert heading[language] in page.splitlines()
    for option in book.options:
        assert squeezed(option.text[language]) in squeezed(page)


@pytest.mark.parametrize("language", sampled(LANGUAGES, 3))
@pytest.mark.parametrize("columns", [66, 200])
def test_lines_fit_and_are_broken_where_one_may(columns: int, language: str) -> None:
    for game in BOOKS:
        for line in shown("show", game, language=language, COLUMNS=str(columns)).splitlines():
            assert len(line) <= min(columns, 92), line
            assert line == line.rstrip()
            assert line.lstrip(" │")[:1] not in set(":;!?»"), line
            assert not line.endswith("«")


def test_options_come_with_values_and_default() -> None:
    page = shown("show", "Uno Extrême")
    assert "E-02  customizable  0 to 3, default 3" in page.splitlines()
    assert "E-27  scoring  winner, low-score or elimination, default winner" in page.splitlines()
    assert "E-22  custom-rule  any text of up to 200 characters, default empty" in page.splitlines()
    french = shown("show", "E-22", language="fr").splitlines()
    assert "E-22  custom-rule  texte, 200 caractères au plus, par défaut vide" in french
    assert "H-01  jokers  non ou oui, par défaut non" in shown("show", "H-01", language="fr").splitlines()


@pytest.mark.parametrize("written", ["E-18", "e-18", "E18", "e18"])
def test_a_rule_alone(written: str) -> None:
    page = shown("show", written)
    assert margin(page) == ["E-18"]
    assert page.startswith("Uno Extrême  uno-extreme, 2–10 players\n")
    assert BOOKS["uno-extreme"].summary.en[:20] not in page
    assert "choose" not in page


def test_a_search_goes_through_all_games() -> None:
    assert margin(shown("show", "--search", "reverse"))[:3] == ["E-01", "E-05", "E-15"]
    ids = {rule.id for rule in RULES.values() if "everse" in f"{rule.title.en} {rule.text.en}"}
    assert set(margin(shown("show", "--search", "REVERSE"))) == ids
