"""What the person at the terminal is called: no word of one language where the other is spoken."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli.match.saved import Seating
from dispenser.cli.rules import rules_app
from dispenser.i18n import Text
from dispenser.rules import Game, new_game
from dispenser.rules.engine.moves import TO_THE_LEFT, effect, lay
from dispenser.rules.words.notation import move_text, read_move
from dispenser.rules.words.phrases import YOU
from tests.cli.rules_at_terminal import Table


def run(*arguments: str, typed: str = "") -> Result:
    surroundings = {"COLUMNS": "80", "LC_ALL": "C", "NO_COLOR": "1", "FORCE_COLOR": None}
    return CliRunner().invoke(rules_app, arguments, input=typed, env=surroundings)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where matches are saved."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("saved_in", ["en", "fr"])
@pytest.mark.parametrize(("told_in", "called", "strange"), [("en", "Player 1 ", "Toi"), ("fr", "Joueur 1 ", "You")])
def test_a_match_without_names_is_told_in_either_language(
    saved_in: str, told_in: str, called: str, strange: str
) -> None:
    run("play", "uno", "--seed", "5", "--lang", saved_in, typed="draw\n\nq\n")
    assert json.loads(Path("uno-5.json").read_text())["table"]["names"] == [None, "Bob", "Chloé"]
    told = run("replay", "uno-5.json", "--lang", told_in)
    assert told.exit_code == 0, told.output
    assert called in told.stdout
    assert not re.search(r"\b(You|Toi|you|toi)\b", told.stdout)
    again = run("play", "uno-5.json", "--lang", told_in, typed="q\n")
    assert {"en": "You\u00a0", "fr": "Toi\u00a0"}[told_in] in again.stdout
    assert strange not in again.stdout


def test_a_name_that_was_given_is_kept_everywhere() -> None:
    run("play", "uno", "--seed", "5", "--name", "Ana", typed="draw\n\nq\n")
    assert "Ana draws" in run("replay", "uno-5.json", "--lang", "en").stdout
    assert "Ana pioche" in run("replay", "uno-5.json", "--lang", "fr").stdout


def test_one_person_in_several_ways() -> None:
    names = Seating((None, "Bob"), "toy").called(YOU)
    game = new_game("uno-extreme", 2)
    effects = [effect(0, presses) for presses in (1, 2)]
    for language, told in (
        ("en", ["effect: 1 press for you", "effect: 2 presses for you"]),
        ("fr", ["effet\u00a0: 1 appui pour toi", "effet\u00a0: 2 appuis pour toi"]),
    ):
        assert [move_text(game, move, language, names) for move in effects] == told
    white = new_game("uno-vache", 2, {"white": 1})
    swap = lay(54, seat=0, other=1)
    assert move_text(white, swap, "fr", names) == "blanche, échanger Bob et toi"
    assert move_text(white, swap, "en", names) == "white swapping Bob and you"
    for said in ("blanche moi bob", "white swapping Bob and me", "blanche, échanger toi et Bob", "white 1 2"):
        assert read_move(white, 0, said, names) == swap, said
    others = Seating((None, "Bob"), "toy").called(Text("Player 1"))
    assert move_text(white, swap, "fr", others) == "blanche, échanger Joueur 1 et Bob"


@pytest.mark.parametrize("name", ["2", "77", "7 ", "!", ""])
def test_a_name_has_a_letter(name: str) -> None:
    done = run("play", "uno", "--name", name, "--lang", "fr")
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"--name «\u00a0{name}\u00a0»\u00a0: écris un nom" in done.stderr


def white() -> Game:
    game = new_game("uno-vache", 4, {"white": 2}, seed=7)
    game.begin(dealer=3, hands=[[54, 1, 2], [3, 4, 5], [6, 7, 8], [14, 15, 16]], first=20)
    game.play(3, TO_THE_LEFT)
    return game


@pytest.mark.parametrize(
    ("typed", "english", "french"),
    [
        ("bob me", "Bob and you swap hands.", "Bob et toi échangez vos mains."),
        ("dimitri bob", "Bob and Dimitri swap hands.", "Bob et Dimitri échangent leurs mains."),
    ],
)
def test_hands_that_are_swapped_are_told_to_the_person(
    typed: str, english: str, french: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Table(white(), "en").lines(monkeypatch, "3", typed)
    assert "white: two of you, Bob, Chloé, Dimitri? " in page
    assert english in page
    page = Table(white(), "fr").lines(monkeypatch, "3", typed)
    assert "blanche\u00a0: deux parmi toi, Bob, Chloé, Dimitri\u00a0? " in page
    assert french in page
