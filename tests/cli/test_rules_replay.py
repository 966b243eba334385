"""``dispenser rules replay``: a match told again; the first action against the rules is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli.rules import rules_app
from dispenser.rules import GAMES, new_game, to_json
from tests.rules.tables import random_actions


def run(file: Path, language: str = "en") -> Result:
    return CliRunner().invoke(rules_app, ["replay", str(file)], env={"LC_ALL": language, "NO_COLOR": "1"})


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    game = new_game("uno", 3, seed=5)
    random_actions(game, 5, 60)
    path = tmp_path / "match.json"
    path.write_text(to_json(game), encoding="utf-8")
    return path


@pytest.mark.parametrize("game_id", sorted(GAMES))
@pytest.mark.parametrize(("language", "word"), [("en", "plays"), ("fr", "pose")])
def test_a_match_is_told_again(tmp_path: Path, game_id: str, language: str, word: str) -> None:
    game = new_game(game_id, 3, seed=1)
    random_actions(game, 1, 80)
    path = tmp_path / "match.json"
    path.write_text(to_json(game), encoding="utf-8")
    done = run(path, language)
    assert done.exit_code == 0, done.output
    assert word in done.stdout
    assert done.stdout.splitlines()[-1].startswith("80 actions")


def test_the_first_action_against_the_rules_is_named(recorded: Path) -> None:
    document = json.loads(recorded.read_text(encoding="utf-8"))
    number, action = next(
        (number, action) for number, action in enumerate(document["actions"]) if number > 5 and action[0] == "play"
    )
    document["actions"][number] = [action[0], (action[1] + 1) % 3, action[2]]
    recorded.write_text(json.dumps(document), encoding="utf-8")
    done = run(recorded)
    assert done.exit_code == 1
    assert f"action {number + 1} is against the rules" in done.stderr
    assert "(U-" in done.stderr or "(G-" in done.stderr
    assert done.stdout.splitlines()[-1].split()[0] <= str(number + 1)
