"""What ``dispenser rules`` does when its output goes nowhere, and the names of games as people write them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from dispenser.cli.failures import fail
from dispenser.cli.rules import rules_app
from dispenser.cli.rules.app import new_match

COMMAND = (sys.executable, "-c", "from dispenser.cli import main; main()", "rules")


def test_an_error_keeps_its_no_break_spaces(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        fail("il manque une carte\u00a0:\n  laquelle\u00a0?", 2)
    assert capsys.readouterr().err == "dispenser: il manque une carte\u00a0: laquelle\u00a0?\n"


@pytest.mark.long
@pytest.mark.parametrize("arguments", [("show", "uno-extreme"), ("list",), ("show", "--search", "card")])
def test_a_reader_that_has_gone_ends_it_quietly(arguments: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as printing:
        assert printing.stdout is not None
        assert printing.stderr is not None
        printing.stdout.close()
        assert printing.stderr.read() == ""
        assert printing.wait() == 141


@pytest.mark.long
@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("C.UTF-8", "this cannot be printed: there is no room left"),
        ("fr_FR.UTF-8", "impossible de l’afficher\u00a0: il n’y a plus de place"),
    ],
)
def test_a_full_disk_is_told_in_one_line(locale: str, told: str) -> None:
    environment = os.environ | {"LC_ALL": locale, "PYTHONIOENCODING": "utf-8"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "show", "uno"], stdout=full, stderr=subprocess.PIPE, check=False, env=environment
        )
    assert done.returncode == 74
    assert done.stderr.decode() == f"dispenser: {told}\n"


@pytest.mark.parametrize(
    ("written", "game_id"),
    [
        ("UNO", "uno"),
        ("Uno Extrême", "uno-extreme"),
        ("uno_vache", "uno-vache"),
        ("Huit-Américain", "huit-americain"),
        ("HUIT AMÉRICAIN", "huit-americain"),
        ("151", "151"),
    ],
)
def test_games_as_people_write_them(written: str, game_id: str) -> None:
    assert new_match(written, 3, None).game_id == game_id
    done = CliRunner().invoke(rules_app, ["show", written], env={"COLUMNS": "80", "LC_ALL": "C"})
    assert done.exit_code == 0
    assert f"  {game_id}, " in done.stdout
