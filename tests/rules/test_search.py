"""Looking for a word in the rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.rules.library import BOOKS, RULES
from dispenser.rules.search import folded, found, words_of


@pytest.mark.parametrize(
    ("typed", "same"),
    [("Écart", "ecart"), ("Cœur", "coeur"), ("l’on", "L'ON"), ("à\u00a0toi", "a toi"), ("e\u0301", "é"), ("ﬁn", "fin")],
)
def test_accents_capitals_and_printers_signs_do_not_matter(typed: str, same: str) -> None:
    assert folded(typed) == folded(same)


def test_where_a_word_stands_is_told_in_signs_of_the_text() -> None:
    text = "Le 8 de cœur, le cœur"
    assert [text[begin:end] for begin, end in found("COEUR", text)] == ["cœur", "cœur"]
    assert found("", text) == found("pique", text) == []


@given(st.text(max_size=30), st.text(max_size=5))
def test_a_word_is_found_where_it_is(text: str, word: str) -> None:
    for begin, end in found(word, text):
        assert 0 <= begin < end <= len(text)
        assert folded(word) in folded(text[begin:end])


def test_a_rule_is_found_by_its_options_too() -> None:
    book = BOOKS["uno-extreme"]
    option = book.options[0]
    assert option.label["fr"] in words_of(RULES[option.rule], book.options, "fr")
