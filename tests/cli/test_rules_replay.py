"""``dispenser rules replay``: a match told again; the first action against the rules is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import Result

from dispenser.rules import GAMES, new_game, to_json
from tests.cli.run import run
from tests.rules.tables import random_actions


def replay(file: Path, language: str = "en") -> Result:
    return run("rules", "replay", file, language=language)


def recorded(folder: Path, game_id: str, seed: int, actions: int) -> Path:
    """A match of three players, as it is saved."""
    game = new_game(game_id, 3, seed=seed)
    random_actions(game, seed, actions)
    path = folder / "match.json"
    path.write_text(to_json(game), encoding="utf-8")
    return path


@pytest.mark.parametrize("game_id", sorted(GAMES))
@pytest.mark.parametrize(("language", "word"), [("en", "plays"), ("fr", "pose")])
def test_a_match_is_told_again(tmp_path: Path, game_id: str, language: str, word: str) -> None:
    done = replay(recorded(tmp_path, game_id, 1, 80), language)
    assert done.exit_code == 0, done.output
    assert word in done.stdout
    assert done.stdout.splitlines()[-1].startswith("80 actions")


def test_the_first_action_against_the_rules_is_named(tmp_path: Path) -> None:
    match = recorded(tmp_path, "uno", 5, 60)
    document = json.loads(match.read_text(encoding="utf-8"))
    number, action = next(
        (number, action) for number, action in enumerate(document["actions"]) if number > 5 and action[0] == "play"
    )
    document["actions"][number] = [action[0], (action[1] + 1) % 3, action[2]]
    match.write_text(json.dumps(document), encoding="utf-8")
    done = replay(match)
    assert done.exit_code == 1
    assert f"action {number + 1} is against the rules" in done.stderr
    assert "(U-" in done.stderr or "(G-" in done.stderr
    assert done.stdout.splitlines()[-1].split()[0] <= str(number + 1)
