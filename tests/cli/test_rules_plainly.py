"""Terminals that have not all signs: all is printed in the letters that they have, and nothing ends in a trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dispenser.cli.spoken import HANDLER, speak_plainly

COMMAND = (sys.executable, "-c", "from dispenser.cli import main; main()", "rules")
SCENARIO = """
title = "Cœur sur cœur …"
game = "huit-americain"
rules = ["H-04"]
players = ["Zoé", "Łukasz"]
dealer = "Zoé"
first = "2 de cœur"
hands = { "Zoé" = ["3 de cœur"], "Łukasz" = ["4 de cœur", "5 de cœur"] }

[[step]]
"Łukasz" = "4 de cœur"
turn = "Łukasz"
"""


def printed(*arguments: str, encoding: str, typed: str = "", code: int = 0) -> str:
    """What comes out where only these signs can be shown."""
    environment = os.environ | {"PYTHONIOENCODING": encoding, "COLUMNS": "80", "LC_ALL": "fr_FR.UTF-8"}
    done = subprocess.run(
        [*COMMAND, *arguments], input=typed.encode(), capture_output=True, check=False, env=environment, timeout=120
    )
    name = encoding.partition(":")[0]
    said = done.stderr.decode("utf-8" if name == "ascii" else name)  # typer takes ASCII for a terminal set up wrong
    assert "Traceback" not in said, said
    assert done.returncode == code, said
    return done.stdout.decode(name).replace("\r\n", "\n") + said


@pytest.mark.long
def test_every_command_prints_with_what_there_is(tmp_path: Path) -> None:
    encoding = "ascii"
    file = tmp_path / "question.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    assert "2-10" in printed("list", encoding=encoding)
    assert "Huit am" in printed("show", "huit-americain", encoding=encoding)
    assert "pioches" in printed("simulate", "uno", "--games", "1", "--processes", "1", encoding=encoding)
    told = printed("check", str(file), encoding=encoding, code=1)
    assert "x Coeur sur coeur ..." in told
    assert "trouv" in told
    assert "Ta main" in printed("play", "151", "--seed", "3", typed="?\nquit\n", encoding=encoding)
    assert "ce fichier ou ce dossier n" in printed("replay", "none.json", encoding=encoding, code=74)


def test_who_has_said_what_to_do_with_odd_signs_shall_have_it() -> None:
    assert "2?10" in printed("list", encoding="ascii:replace")


def test_signs_beside_cards_can_still_be_told_apart() -> None:
    speak_plainly(())
    for signs in ("●▲■◆", "♣♦♥♠"):
        plain = signs.encode("ascii", errors=HANDLER).decode()
        assert len(set(plain)) == len(plain) == 4


@pytest.mark.parametrize(
    ("text", "plain"),
    [("dame de cœur", "dame de coeur"), ("日本 \udcff", "?? ?"), ("“Ça”…", '"Ca"...'), ("«\u00a0+\u00a0»", '"+"')],
)
def test_letters_close_to_the_signs(text: str, plain: str) -> None:
    speak_plainly(())
    assert text.encode("ascii", errors=HANDLER) == plain.encode()
