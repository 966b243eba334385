"""``dispenser rules play``: lines are typed, and what is printed and saved is looked at."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from pytest_mock import MockerFixture
from rich.console import Console
from typer.testing import Result

from dispenser.cli.rules.match import TerminalMatch
from dispenser.i18n import LANGUAGES
from dispenser.odds.odds import Odds
from dispenser.odds.presets import PRESETS
from dispenser.rules import GAMES, Game, from_json, new_game, to_json
from dispenser.rules.engine.moves import ANNOUNCE, Act, lay
from dispenser.rules.engine.phases import MATCH_OVER
from dispenser.table import bots
from tests.cli.run import run
from tests.sampled import sampled

HANDS = [[1, 2, 7, 15, 52], [1, 2, 3, 4, 6], [30, 31, 32, 33, 34]]
"""The person: red 1, 2 and 7, yellow 2 and a wild; a red 5 lies on the table."""


def play(*arguments: object, typed: str = "", language: str = "en") -> Result:
    return run("rules", "play", *arguments, typed=typed, language=language)


def uno(hands: list[list[int]] | None = None, **options: int) -> Game:
    game = new_game("uno", 3, options, seed=7)
    game.begin(dealer=2, hands=hands or HANDS, first=5)
    return game


def resumed(tmp_path: Path, game: Game, *typed: str, language: str = "en") -> str:
    """What is printed when that match is gone on with and these lines are typed."""
    file = tmp_path / "match.json"
    file.write_text(to_json(game), encoding="utf-8")
    done = play("--resume", file, language=language, typed="".join(f"{line}\n" for line in typed))
    assert done.exit_code == 0, done.output
    return done.stdout.replace("\u00a0", " ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", sampled(GAMES, 4))
def test_a_whole_match_against_bots(
    game_id: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game, random = new_game(game_id, 3, seed=11), Random(11)
    monkeypatch.setenv("LC_ALL", language)
    monkeypatch.setattr("builtins.input", lambda: random.choice(("", "1", "2", "3", "4")))
    odds = Odds(PRESETS["toy"], bytes(32))
    TerminalMatch(game, Console(width=80), odds, random).play()
    assert game.phase is MATCH_OVER
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith({"en": "Cards: you ", "fr": "Cartes\u00a0: toi "}[language])
    assert all(name in last for name in ("Bob", "Chloé"))


def test_the_table_and_the_possible_moves_are_shown(tmp_path: Path) -> None:
    page = resumed(tmp_path, uno())
    assert "Cards: ▶ you 5 · Bob 5 · Chloé 5\nOn top: ● red 5 · to the left ↻\nYour hand (5):\n" in page
    assert "● red 1   ● red 2   ● red 7   ▲ yellow 2   ★ wild" in page
    assert "You can:\n  1  red 1\n  2  red 2\n  3  red 7\n  4  wild (any colour)\n  5  draw\n" in page


@pytest.mark.parametrize("typed", [("3",), ("red 7",), ("r7",), ("7 rouge",)])
def test_a_move_is_a_number_of_the_list_or_words(tmp_path: Path, typed: tuple[str, ...]) -> None:
    assert "You play the red 7." in resumed(tmp_path, uno(), *typed)


def test_the_last_card_but_one_is_announced_with_the_move(tmp_path: Path) -> None:
    page = resumed(tmp_path, uno([[1, 2], HANDS[1], HANDS[2]]), "1 uno", f"save {tmp_path / 'then.json'}")
    assert "You say “UNO”." in page
    log = from_json((tmp_path / "then.json").read_bytes()).log
    assert [action.value for action in log if action.seat == 0][:2] == [lay(1), ANNOUNCE]


def test_whoever_forgot_to_announce_the_last_card_can_be_caught_out_of_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "OVERLOOKS", {Act.ANNOUNCE: 1.0, Act.CATCH: 1.0})
    game = uno([HANDS[0], [3, 4], HANDS[2]])
    game.play(0, lay(7))
    game.play(1, lay(3))
    page = resumed(tmp_path, game, "1")
    assert "You can:\n  1  catch Bob\nYour move, or Enter to let it pass: " in page
    assert "You catch Bob" in page


def test_undo_takes_back_the_last_move_of_the_person(tmp_path: Path) -> None:
    page = resumed(tmp_path, uno(), "undo", "red 7", "undo", f"save {tmp_path / 'then.json'}")
    assert "You have not made a move yet." in page
    assert "Taken back: red 7." in page
    assert from_json((tmp_path / "then.json").read_bytes()).state.position() == uno().state.position()


def test_a_press_that_is_taken_back_brings_the_same_again(tmp_path: Path) -> None:
    game = new_game("uno-extreme", 2, seed=7)
    game.begin(dealer=1, hands=[[1, 14], [3, 4]], first=0)
    page = resumed(tmp_path, game, *("press", "undo") * 3)
    assert page.count("You press: nothing.") == 3, "the toy ejects nothing at the first press, and cards at the second"


def test_a_saved_match_goes_on_at_the_same_position(tmp_path: Path) -> None:
    first, again = tmp_path / "first.json", tmp_path / "again.json"
    saved = play("uno", "--seed", "tonight", "-o", "target=100", typed=f"draw\nsave {first}\nquit\n")
    assert f"The match is saved in {first}." in saved.stdout.replace("\n", " ")
    play("--resume", str(first), typed=f"save {again}\nquit\n")
    assert json.loads(again.read_bytes()) == json.loads(first.read_bytes())
    assert from_json(first.read_bytes()).state.options["target"] == 100


def test_a_file_that_cannot_be_written_is_told_and_the_match_goes_on(tmp_path: Path) -> None:
    page = resumed(tmp_path, uno(), f"save {tmp_path / 'nowhere' / 'match.json'}", "red 7")
    assert "the match could not be saved: there is no such file or folder" in page.replace("\n", " ")
    assert "You play the red 7." in page


@pytest.mark.parametrize("end", ["quit", EOFError, KeyboardInterrupt])
def test_quit_the_end_of_the_input_and_ctrl_c_end_it(end: object, mocker: MockerFixture) -> None:
    mocker.patch("builtins.input", side_effect=[end])
    done = play("uno", "--seed", "5")
    assert (done.exit_code, done.stdout.splitlines()[-1], done.stderr) == (0, "Goodbye!", "")


def test_odds_are_refused_where_they_change_nothing() -> None:
    done = play("uno", "--odds", "wild")
    assert (done.exit_code, "the odds change nothing" in done.output) == (2, True)


def test_it_speaks_french(tmp_path: Path) -> None:
    page = resumed(tmp_path, uno(), "?", "jaune 2", "rouge 7", language="fr")
    assert "Cartes : ▶ toi 5 · Bob 5 · Chloé 5\nCarte du dessus : ● 5 rouge" in page
    assert "la liste" in page
    assert "Interdit par U-09 : " in page
    assert "Tu poses le 7 rouge." in page
