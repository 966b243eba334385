"""The examples that the pages of the rules show."""

from __future__ import annotations

import json

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.rules.library import BOOKS, RULES
from dispenser.scenario.rules.examples import FILE, Face, examples_of
from tests.scenarios.examples import written

MOST_BYTES = 100_000
WITHOUT = {"G-04", "G-06", "E-01", "E-02", "E-12", "U-01", "C-01", "C-03", "V-01"}
"""What is in a deck, and what holds at every moment: nothing happens that one could tell."""


@pytest.mark.long
def test_they_are_those_of_the_scenarios() -> None:
    assert FILE.read_text(encoding="utf-8") == written(), "stale: run 'python -m tests.scenarios.examples'"
    assert FILE.stat().st_size < MOST_BYTES, "they are read whole"


def test_every_rule_that_can_be_told_has_one_or_two() -> None:
    made = json.loads(FILE.read_text(encoding="utf-8"))
    assert RULES.keys() - made.keys() == WITHOUT
    assert {len(examples) for examples in made.values()} <= {1, 2}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", BOOKS)
def test_every_example_can_be_told(game: str, language: str) -> None:
    for rule in BOOKS[game].rules:
        for example in examples_of(rule.id, language):
            assert example.steps, rule.id
            assert example.hands, rule.id
            for sentence in (each for step in example.steps for each in step):
                assert sentence[0] == sentence[0].upper(), sentence
                assert sentence.rstrip("\u00a0»”")[-1] in ".!", sentence


def test_what_is_refused_names_what_was_tried_and_the_rule() -> None:
    _, refused = examples_of("E-14", "fr")
    assert refused.top == Face("7 rouge", "red")
    assert [hand.in_turn for hand in refused.hands] == [True, False]
    assert refused.steps[0] == ("Ana doit appuyer une fois.",)
    assert refused.steps[1][0] == "Ana essaie «\u00a03 rouge\u00a0»."
    assert refused.steps[1][1].startswith("Interdit par E-14")
    assert refused.steps[-1][-1] == "C’est à Ben de jouer."


def test_what_the_table_has_chosen_is_told() -> None:
    assert examples_of("E-28", "en")[0].options == (("How points are kept", "low-score"),)
    assert examples_of("X-99", "en") == ()
