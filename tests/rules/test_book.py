"""The rule book: whole, in two languages, decently set, and its options hang together."""

from __future__ import annotations

import codecs
import re
from itertools import groupby

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.rules.book import SHARED, FreeText, GameBook, Option, UnknownGameError, UnknownRuleError
from dispenser.rules.library import BOOKS, RULES, book_of, folded, rule_of, words_of

NO_BREAK = "\u00a0"
LONGEST_SENTENCE_WORDS = 45

SEATS = {"uno-extreme": (2, 10), "uno": (2, 10), "huit-americain": (2, 8), "151": (2, 12), "uno-vache": (2, 10)}
YES_NO = (False, True)
OPTIONS = {
    "uno-extreme": {
        "customizable": ("E-02", 3, range(4)),
        "custom-rule": ("E-22", "", FreeText(200)),
        "scoring": ("E-27", "winner", ("winner", "low-score", "elimination")),
        "target": ("E-27", 500, range(50, 2001)),
        "reload-at": ("E-31", 52, range(10, 113)),
    },
    "uno": {
        "scoring": ("U-20", "winner", ("winner", "low-score")),
        "target": ("U-20", 500, range(50, 2001)),
    },
    "huit-americain": {
        "packs": ("H-01", 1, range(1, 5)),
        "jokers": ("H-01", False, YES_NO),
        "scoring": ("H-11", "winner", ("winner", "own-points")),
        "match": ("H-12", "single", ("single", "points")),
        "target": ("H-12", 500, range(50, 2001)),
    },
    "151": {
        "packs": ("C-01", 0, range(5)),
        "eight-anywhere": ("C-05", False, YES_NO),
        "joker-points": ("C-15", 150, range(201)),
        "limit": ("C-16", 151, range(50, 1001)),
    },
    "uno-vache": {"white": ("V-01", 0, range(5)), "cancel-anyway": ("V-14", False, YES_NO)},
}

# What nobody should hear at a table, as the beginnings of words, in rot13 so that it does not stand here either.
CRUDE = tuple(
    codecs.decode("chgr chgn obeqry ongneq pbaaneq pbaanff zreqr tbpub obybf thrhyr fnybc sbhge rapiy", "rot13").split()
    + codecs.decode("ovgpu fuvg shpx onfgneq nffubyr", "rot13").split()
)

OPTIONS_OF_GAMES = [(book, option) for book in BOOKS.values() for option in book.options]


SENTENCES = {
    **{rule.id: rule.text for rule in RULES.values()},
    **{f"{rule.id}, reading": rule.reading for rule in RULES.values() if rule.reading},
    **{f"{book.id}, summary": book.summary for book in BOOKS.values()},
    **{f"{book.id}, {option.name}": option.text for book, option in OPTIONS_OF_GAMES},
}
TITLES = {
    **{f"{rule.id}, title": rule.title for rule in RULES.values()},
    **{f"heading {heading.en}": heading for heading, _ in (SHARED, *(s for b in BOOKS.values() for s in b.sections))},
    **{f"{book.id}, name": book.name for book in BOOKS.values()},
    **{f"{book.id}, {option.name}, label": option.label for book, option in OPTIONS_OF_GAMES},
}
TEXTS = SENTENCES | TITLES


def test_the_rules_of_a_letter_are_numbered_without_a_gap() -> None:
    for letter, ids in groupby(RULES, key=lambda rule_id: rule_id[0]):
        assert all(rule_id == f"{letter}-{number:02}" for number, rule_id in enumerate(ids, start=1))


def test_every_text_is_there_in_both_languages() -> None:
    for where, text in TEXTS.items():
        for language in LANGUAGES:
            said = text[language]
            assert said, where
            assert said == said.strip(), where
            assert "  " not in said, where
            assert said[0].isupper() or not said[0].isalpha(), where


def test_the_languages_say_it_each_in_its_own_way() -> None:
    for where, text in SENTENCES.items():
        assert text.en != text.fr, where
        assert sorted(re.findall(r"\d+", text.en)) == sorted(re.findall(r"\d+", text.fr)), f"{where}: other figures"


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_end_and_are_short_enough_to_read_aloud(language: str) -> None:
    for where, text in SENTENCES.items():
        assert text[language].endswith((".", "!", "?")), where
        for sentence in re.split(r"(?<=[.!?])\s", text[language]):
            assert len(re.findall(r"[\w’+-]+", sentence)) <= LONGEST_SENTENCE_WORDS, f"{where}: {sentence}"


def test_french_typography() -> None:
    for where, text in TEXTS.items():
        assert not re.search(rf"[^{NO_BREAK}][!?;:]", text.fr), f"{where}: a no-break space stands before ! ? ; :"
        assert not re.search(rf"«(?!{NO_BREAK})|(?<!{NO_BREAK})»", text.fr), (
            f"{where}: a no-break space stands inside « »"
        )
        assert text.fr.count("«") == text.fr.count("»"), where
        assert not re.search(r"['\"“”]|\.\.\.", text.fr), f"{where}: the signs of French are ’ « » …"


def test_english_typography() -> None:
    for where, text in TEXTS.items():
        assert not re.search(r"['\"«»]|\.\.\.|\s[!?;:]", text.en), f"{where}: the signs of English are ’ “ ” …"
        assert text.en.count("“") == text.en.count("”"), where


def crude_words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", folded(text)) if word.startswith(CRUDE)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_crude(language: str) -> None:
    assert {where: found for where, text in TEXTS.items() if (found := crude_words(text[language]))} == {}


def test_a_rule_that_is_referred_to_exists() -> None:
    for where, text in SENTENCES.items():
        assert set(re.findall(r"[A-Z]-\d+", text.en + text.fr)) <= set(RULES), where


def test_so_many_play_each_game() -> None:
    assert {game: (book.seats[0], book.seats[-1]) for game, book in BOOKS.items()} == SEATS


@pytest.mark.parametrize("game", OPTIONS)
def test_the_options_are_these(game: str) -> None:
    assert {option.name: (option.rule, option.default, option.values) for option in BOOKS[game].options} == OPTIONS[
        game
    ]


@pytest.mark.parametrize(
    ("book", "option"), OPTIONS_OF_GAMES, ids=[f"{book.id} {option.name}" for book, option in OPTIONS_OF_GAMES]
)
def test_an_option_hangs_on_a_rule_of_its_game(book: GameBook, option: Option) -> None:
    rule = RULES[option.rule]
    assert rule in book.rules
    assert option.name in rule.options


def test_a_text_of_the_table_is_a_line_that_can_be_read() -> None:
    texts = FreeText(20)
    for text in ("", "x" * 20, "Échange ta main\u00a0!", "{0} [a|b] %s", "日本"):
        assert text in texts
    for wrong in ("x" * 21, "two\nlines", "\x1b[2J", "\u202eright", "\ud800", 5, None, True):
        assert wrong not in texts


@pytest.mark.parametrize("game", BOOKS)
def test_a_rule_names_only_options_of_its_game(game: str) -> None:
    options = [option.name for option in BOOKS[game].options]
    assert len(options) == len(set(options))
    for rule in BOOKS[game].rules:
        assert set(rule.options) <= set(options), rule.id


def test_the_values_that_a_text_calls_normal_are_the_defaults() -> None:
    """A default that changes must change in the words, too."""
    for rule_id, option in (("E-31", "reload-at"), ("E-30", "target"), ("C-15", "joker-points"), ("C-16", "limit")):
        book = next(book for book in BOOKS.values() if RULES[rule_id] in book.rules)
        default = next(each.default for each in book.options if each.name == option)
        for language in LANGUAGES:
            assert str(default) in re.findall(r"\d+", RULES[rule_id].text[language])


SHEET = """
Snap
Equal cards snap.

# How it is played

S-01 The cards
Any pack.
The table may choose: packs

# What the table may choose

packs: Packs of cards
How many.
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("S-01 The", "S-1 The", "neither a heading nor a rule with its ID, a title and a text: S-1 The cards"),
        ("The cards\nAny pack.\n", "The cards\n\n", "neither .*: S-01 The cards"),
        ("packs: Packs", "pack: Packs", "snap: an option has its values, a paragraph, and a rule that names it"),
        ("choose: packs", "choose: jokers", "snap: an option has its values"),
        ("\npacks: Packs of cards\nHow many.\n", "", "snap: an option has its values"),
    ],
)
def test_a_sheet_that_cannot_be_read_says_where(old: str, new: str, said: str) -> None:
    assert GameBook.of("snap", seats=range(2, 4), choices={"packs": (1, range(1, 3))}, sheet=SHEET).rules[0].text.en
    assert SHEET.count(old) == 1
    with pytest.raises(ValueError, match=said):
        GameBook.of("snap", seats=range(2, 4), choices={"packs": (1, range(1, 3))}, sheet=SHEET.replace(old, new))


def test_a_game_that_there_is_not() -> None:
    games = "uno-extreme, uno, huit-americain, 151, uno-vache"
    with pytest.raises(UnknownGameError, match=f"^there is no game 'chess'; the games are: {games}$"):
        book_of("chess")


def test_looking_up_a_rule() -> None:
    assert rule_of("E-18").title.en == "Discard All"
    with pytest.raises(UnknownRuleError, match=r"'E-33'; the rules are: G-01 to G-06, E-01 to E-32, .* V-01 to V-24$"):
        rule_of("E-33")


@pytest.mark.parametrize(
    ("typed", "same"),
    [("Écart", "ecart"), ("Cœur", "coeur"), ("l’on", "L'ON"), ("à\u00a0toi", "a toi"), ("e\u0301", "é"), ("ﬁn", "fin")],
)
def test_accents_capitals_and_printers_signs_do_not_matter_to_who_looks_for_a_word(typed: str, same: str) -> None:
    assert folded(typed) == folded(same)


def test_a_rule_is_found_by_its_options_too() -> None:
    book = BOOKS["uno-extreme"]
    option = book.options[0]
    assert option.label["fr"] in words_of(RULES[option.rule], book.options, "fr")
