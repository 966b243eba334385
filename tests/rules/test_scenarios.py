"""Every rule scenario holds, and every rule has one. That each expectation can fail: ``tests/nightly/scenarios``."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dispenser.rules.library import BOOKS, RULES
from dispenser.rules.record import from_json, to_json
from dispenser.scenario.rules.expectations import CHECKS
from dispenser.scenario.rules.format import parse
from dispenser.scenario.rules.played import PlayedGame
from dispenser.scenario.rules.player import ACTS, play_step
from tests.rules.tables import conserved

FOLDER = Path(__file__).parents[1] / "scenarios" / "rules"
FILES = sorted(FOLDER.rglob("*.toml"))
SHARED_FOLDER = "shared"
scenario_files = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")


@cache
def tables_of(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


@scenario_files
def test_holds(file: Path) -> None:
    """And what holds always: no card is lost, a refused move changes nothing, undo and records are exact."""
    scenario = parse(tables_of(file))
    played = PlayedGame(scenario.new_game(), scenario.names, "en", scenario.presses)
    for step in scenario.steps:
        before = played.state.save()
        assert list(play_step(step, played)) == [], scenario.title
        assert conserved(played.state)
        assert "illegal" not in step.said or played.state.save() == before
    game, end = played.game, played.state.save()
    assert from_json(to_json(game)).state.save() == end
    actions = len(game.log)
    for _ in range(actions):
        game.undo()
    for _ in range(actions):
        game.redo()
    assert game.state.save() == end


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_scenario(rule: str) -> None:
    about = [file.name for file in FILES if rule in tables_of(file)["rules"]]
    assert about, f"no scenario below {FOLDER.name} is about {rule}"


@scenario_files
def test_stands_under_its_game_and_rule(file: Path) -> None:
    tables = tables_of(file)
    match = re.fullmatch(r"([A-Z]-\d\d)((?:-[a-z0-9]+)+)", file.stem)
    assert match, f"{file.name}: name it after a rule and in some words: E-18-discard-all-may-end-the-round.toml"
    assert match[1] in tables["rules"]
    assert file.parent.name == (SHARED_FOLDER if match[1].startswith("G") else tables["game"])
    own = {rule.id for rule in BOOKS[tables["game"]].rules}
    assert all(rule in own or rule.startswith("G") for rule in tables["rules"])


def test_titles_are_sentences_of_their_own() -> None:
    titles = [(tables_of(file)["game"], tables_of(file)["title"]) for file in FILES]
    assert len(set(titles)) == len(titles)
    assert all(len(title.split()) > 2 for _, title in titles)


def test_together_they_use_every_word() -> None:
    used = {key for file in FILES for step in tables_of(file).get("step", ()) for key in step}
    used |= {key for file in FILES for key in tables_of(file).get("start", {})}
    assert set(ACTS) | set(CHECKS) <= used
