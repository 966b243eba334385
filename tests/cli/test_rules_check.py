"""``dispenser rules check``: what it prints, and how it ends."""

from __future__ import annotations

import re
from pathlib import Path

from typer.testing import Result

from dispenser.rules.library import RULES
from tests.cli.run import run

GOOD = """
title = "A skip skips"
game = "uno"
rules = ["U-13"]
players = ["Ana", "Ben", "Cem"]
dealer = "Cem"
first = "red 7"
hands = { Ana = ["red skip", "blue 3"], Ben = ["red 1"], Cem = ["red 2"] }

[start]
turn = "Ana"

[[step]]
Ana = "red skip"
turn = "Cem"
"""


def check(*files: Path) -> Result:
    return run("rules", "check", *files)


def file(folder: Path, name: str, *changes: tuple[str, str]) -> Path:
    text = GOOD
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_a_wrong_one_says_what_where_and_what_the_rules_say(tmp_path: Path) -> None:
    path = file(tmp_path, "wrong.toml", ('turn = "Cem"', 'turn = "Ben"'))
    done = check(path)
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[0] == f"✗ A skip skips  {path}"
    assert lines[1].strip() == 'step 1: Ana = "red skip"'
    assert lines[2].split() == ["expected", "turn", "=", '"Ben"']
    assert lines[3].split() == ["found", "Cem"]
    assert lines[4].split()[0] == "U-13"
    assert RULES["U-13"].text["en"] in squeezed(done.stdout)
    assert all(len(line) <= 80 for line in lines[1:])


def test_a_move_that_is_illegal_comes_with_the_rule_that_forbids_it(tmp_path: Path) -> None:
    done = check(file(tmp_path, "wrong.toml", ('Ana = "red skip"', 'Ana = "blue 3"')))
    assert done.exit_code == 1
    assert "expected a legal move" in squeezed(done.stdout)
    assert "found U-09: that card does not match the one on top" in squeezed(done.stdout)
    assert "\n    U-09  " in done.stdout


def test_one_wrong_file_of_a_folder_does_not_hide_the_others(tmp_path: Path) -> None:
    good = check(file(tmp_path / "good", "good.toml"))
    assert (good.exit_code, good.stdout, good.stderr) == (0, "the scenario passed\n", "")
    (tmp_path / "good" / "good.toml").unlink()
    file(tmp_path, "a.toml", ("[start]", "[start"))
    file(tmp_path, "b.toml", ('turn = "Cem"', 'turn = "Ben"'))
    file(tmp_path, "c.toml", ('Ana = "red skip"', 'Ana = "rde skip"'))
    file(tmp_path, "below/d.toml")
    file(tmp_path, "below/notes.txt")
    done = check(tmp_path, tmp_path / "none.toml")
    assert done.exit_code == 2
    assert [line[0] for line in done.stdout.splitlines() if line[0] in "✓✗"] == ["✗"]
    assert done.stdout.rstrip().endswith("1 of 5 scenarios passed, 1 failed, 3 unreadable")
    assert [error.split(":")[1].strip()[-6:] for error in done.stderr.splitlines()] == ["a.toml", "c.toml", "e.toml"]
