"""Each rule has a place in the engine that names it, and a test or a scenario that names it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import dispenser.rules
from dispenser.rules import GAMES
from dispenser.rules.library import RULES

ENGINE = Path(next(iter(dispenser.rules.__path__)))

LETTERS = "GEUHCV"
_RULE_ID = re.compile(rf"\b[{LETTERS}]-\d\d\b")


@cache
def _named_in_the_engine() -> frozenset[str]:
    files = (path for path in ENGINE.rglob("*.py") if path.stem != "book")
    return frozenset(rule for path in files for rule in _RULE_ID.findall(path.read_text(encoding="utf-8")))


def _rules_of(letter: str) -> list[str]:
    return [rule for rule in RULES if rule.startswith(letter)]


@pytest.mark.parametrize("letter", LETTERS)
def test_the_engine_names_every_rule(letter: str) -> None:
    missing = [rule for rule in _rules_of(letter) if rule not in _named_in_the_engine()]
    assert not missing, f"no module of dispenser/rules outside its books names {' '.join(missing)}"


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_the_page_of_a_game_names_each_of_its_rules(game_id: str) -> None:
    """Whoever reads ``game.py`` beside the rule text finds each rule there."""
    page = ENGINE / "games" / GAMES[game_id].rules.__module__.split(".")[-2] / "game.py"
    named = _RULE_ID.findall(page.read_text(encoding="utf-8"))
    assert [rule.id for rule in GAMES[game_id].book.rules if rule.id not in named] == []


def test_no_rule_is_named_that_the_book_does_not_have() -> None:
    assert _named_in_the_engine() <= set(RULES)
