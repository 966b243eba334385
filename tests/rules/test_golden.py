"""The golden playthroughs are what the games play today; each was checked by eye against the source text."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from dispenser.rules import GAMES
from tests.rules.golden import FOLDER, playthrough


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_the_playthrough_has_not_changed(game_id: str) -> None:
    written = (FOLDER / f"{game_id}.txt").read_text(encoding="utf-8").splitlines()
    assert list(playthrough(game_id)) == written


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_there_is_enough_to_look_at_and_nothing_twice(game_id: str) -> None:
    lines = (FOLDER / f"{game_id}.txt").read_text(encoding="utf-8").splitlines()
    assert 60 <= len(lines) <= 200
    assert any("who forgot to say" in line for line in lines)
    assert any(line.endswith("as a penalty.") for line in lines)
    owed = [line for line in lines if re.match(r"launcher|    \w+ must (still )?(draw|press)", line)]
    assert not [line for line, following in pairwise(owed) if line == following]
