"""A sixth game is one folder and one line: with the line, all that the others have works for it as well."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest

import dispenser.rules
from dispenser.bot_matches.match import play_match
from dispenser.odds.presets import PRESETS
from dispenser.rules import GAMES, IllegalMove, new_game
from dispenser.rules.bots import random_bot, sensible_bot
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, lay
from dispenser.rules.engine.playing_cards import JACK, card_of
from dispenser.rules.library import book_of
from dispenser.rules.words.narrator import Narrator
from dispenser.rules.words.notation import move_text, read_move
from tests.rules.mau_mau import GAME
from tests.rules.shadow import Table
from tests.rules.tables import cards_of, deal


@pytest.fixture(autouse=True)
def _one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME.game_id, GAME)


def test_it_has_a_book_and_options() -> None:
    assert book_of("mau-mau").rules[0].id == "M-01"
    assert len(new_game("mau-mau", 2, {"packs": 2}).state.deck()) == 104


def test_it_is_played_by_its_rules() -> None:
    hands = ["jack of clubs, 3 of hearts, 4 of spades", "7 of spades, 5 of clubs, 6 of clubs", "king of spades"]
    game = deal("mau-mau", hands, "2 of clubs")
    game.play(0, lay(card_of(JACK, 0), colour=3))
    assert game.legal_moves(1)[-1] == DRAW
    game.play(1, lay(cards_of("mau-mau", "7 of spades")[0]))
    assert game.demand == Demand(Owed.CARDS, 2, 2, 2, "M-05")
    game.fulfil_by_chance()
    with pytest.raises(IllegalMove) as refusal:
        game.play(2, lay(cards_of("mau-mau", "king of spades")[0], colour=1))
    assert refusal.value.rule in {"G-06", "M-03"}
    game.play(2, lay(cards_of("mau-mau", "king of spades")[0]))
    game.play(0, ANNOUNCE)
    game.play(0, lay(cards_of("mau-mau", "4 of spades")[0]))
    assert game.state.announced == {0}


@pytest.mark.parametrize("seed", range(4))
def test_hidden_hands_undo_and_records_come_with_the_engine(seed: int) -> None:
    table, random = Table("mau-mau", 3, {}, seed), Random(seed)
    for _ in range(120):
        if table.over:
            break
        table.step(random)
        table.check()
    table.check_undo(30)
    table.check_record()


def test_it_is_spoken_and_read_in_two_languages() -> None:
    game = deal("mau-mau", ["jack of clubs, 3 of hearts", "7 of spades, 5 of clubs"], "2 of clubs")
    move = lay(card_of(JACK, 0), colour=2)
    assert read_move(game, 0, "valet de trèfle, cœur") == move
    assert move_text(game, move, "en") == "jack of clubs naming hearts"
    told = Narrator(game, "fr", ("Ana", "Ben")).events(game.play(0, move))
    assert told[0].startswith("Ana pose le valet de trèfle")


def test_its_sensible_bot_beats_random_ones() -> None:
    won = 0
    for number in range(60):
        bots = [sensible_bot if seat == number % 2 else random_bot for seat in range(2)]
        told = play_match("mau-mau", bots, seed=str(number), design=PRESETS["toy"])
        won += number % 2 in told.wins
    assert won > 35


@pytest.mark.parametrize("room", ["engine", "words"])
def test_what_all_games_share_names_none_of_them(room: str) -> None:
    """A game says in its folder what is its own: nothing here has to learn of a sixth."""
    for path in sorted((Path(dispenser.rules.__file__).parent / room).glob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        named = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        assert not named & set(GAMES), path.name
        modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        assert not [each for each in modules if each.startswith("dispenser.rules.games.")], path.name
