"""Moves and damaged records that are refused, in English and in French."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from string import Formatter
from types import ModuleType
from typing import Final

import pytest

from dispenser.i18n import Text
from dispenser.rules import GAMES, Game, IllegalMove, new_game
from dispenser.rules.engine import reasons
from dispenser.rules.words.phrases import phrases_of
from tests.rules.bilingual import caught, leaks
from tests.rules.tables import random_actions
from tests.sampled import sampled


def match(actions: int = 60) -> Game:
    game = new_game("uno", 3, seed=4)
    random_actions(game, 4, actions)
    return game


def reasons_in(module: ModuleType) -> Iterator[Text]:
    """The reasons of a module, with a card, a number, a word in their places."""
    for value in vars(module).values():
        if isinstance(value, Text):
            places = {place for _, place, _, _ in Formatter().parse(value.en) if place}
            for number in (0, 1, 3):
                samples = {"card": Text("red 5"), "colour": Text("colour"), "number": number}
                yield value.filled(**{place: samples.get(place, "K-9") for place in places})


GAME_MODULES: Final = tuple(module for kind in GAMES.values() if (module := inspect.getmodule(kind.rules)))


@pytest.mark.parametrize("module", [reasons, *GAME_MODULES], ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_reason_is_there_in_both_languages(module: ModuleType) -> None:
    for reason in reasons_in(module):
        text = IllegalMove("G-01", reason).text
        assert leaks(text) == []
        assert text.en.endswith(" (G-01)")
        assert text.fr.endswith(" (G-01)")


@pytest.mark.parametrize("game_id", sampled(sorted(GAMES), 3))
def test_moves_that_are_refused_are_refused_in_both_languages(game_id: str) -> None:
    random = Random(game_id)
    refused: set[Text] = set()
    for seed in range(4):
        game = new_game(game_id, 3, seed=seed)
        moves = phrases_of(game).every_move
        for _ in range(40):
            random_actions(game, random.randrange(1000), 1)
            for move in random.sample(moves, min(len(moves), 40)):
                for seat in range(3):
                    if move not in game.legal_moves(seat):
                        refused.add(caught(partial(game.play, seat, move)).text)
    assert len({text.en for text in refused}) > 5
    assert [(text, found) for text in refused if (found := leaks(text))] == []


def test_what_the_table_says_that_cannot_be_is_refused_in_both_languages() -> None:
    game = match()
    attempts: list[Callable[[], object]] = [
        lambda: game.penalise(0, "theft"),
        lambda: game.penalise(7, "advice"),
        lambda: game.fulfil(2),
        lambda: game.answer(True),
        lambda: game.correct_hand(0),
        lambda: game.correct_hand(0, cards=[255]),
        lambda: game.correct_turn(9),
        game.reload,
        game.begin,
    ]
    for attempt in attempts:
        assert leaks(caught(attempt).text, {*game.offences}) == []
