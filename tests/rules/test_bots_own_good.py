"""Sensible bots do not punish themselves: what they do of their own will costs others, or nobody."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.rules.bots import sensible_bot
from dispenser.rules.engine.demands import Demand
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import LAYING, TAKE, Act, Move
from dispenser.rules.engine.phases import IDLE, MATCH_OVER
from dispenser.rules.engine.uno_cards import WHITE
from dispenser.rules.registry import GAMES, new_game
from tests.sampled import sampled

MATCHES = 60
OPTIONS = {"uno-vache": {"white": 4}, "huit-americain": {"jokers": True}}
ONLY_OTHER_WAY = frozenset({"V-19"})
"""Nobody goes out on a black card: it costs one card to lay it last, and one card not to."""


def what_they_did(game: Game, seed: int) -> list[tuple[int, Move, list[Move], tuple[int, ...], list[Demand]]]:
    """A match of sensible bots: who moved how, instead of what, the hands before, and what was owed for it."""
    random, done = Random(seed), []
    while game.phase is not MATCH_OVER and len(game.log) < 3000:
        if game.phase is IDLE:
            game.begin()
            continue
        choices = [(seat, sensible_bot(game.observe(seat), random)) for seat in game.actors()]
        spoken = [(seat, move) for seat, move in choices if move is not None]
        if not spoken or (game.demand and random.random() < 0.5):
            game.fulfil_by_chance()
            continue
        seat, move = random.choice(spoken)
        legal, sizes, owed = list(game.legal_moves(seat)), tuple(game.state.sizes), len(game.state.demands)
        game.play(seat, move)
        done.append((seat, move, legal, sizes, game.state.demands[owed:]))
    return done


@pytest.mark.parametrize("game_id", sorted(GAMES))
@pytest.mark.parametrize("seats", sampled([2, 3, 5], 3))
def test_no_card_is_laid_that_its_own_player_pays_for(game_id: str, seats: int) -> None:
    laid = 0
    for seed in range(MATCHES // seats):
        game = new_game(game_id, seats, OPTIONS.get(game_id), seed=seed)
        for seat, move, legal, sizes, owed in what_they_did(game, seed):
            if move.act not in LAYING:
                continue
            laid += 1
            own = [demand for demand in owed if demand.receiver == seat and demand.rule not in ONLY_OTHER_WAY]
            paid_anyway = move.act is Act.CANCEL and TAKE in legal  # as many cards, and one fewer in the hand
            assert not own or paid_anyway, f"{game_id}, seed {seed}: seat {seat} pays {own} for {move}"
            assert game_id != "uno-vache" or move.card != WHITE or _is_no_loss(move, seat, sizes), (seed, move, sizes)
    assert laid > 300


def _is_no_loss(move: Move, seat: int, sizes: tuple[int, ...]) -> bool:
    """Whether a white card has brought no larger hand."""
    if move.seat is None or move.other is None or seat not in {move.seat, move.other}:
        return True
    theirs = sizes[move.other if move.seat == seat else move.seat]
    return theirs <= sizes[seat]


def test_chains_are_cancelled_and_somebody_else_pays() -> None:
    """The test above would hold for bots that never cancel, too."""
    cancels = 0
    for seed in range(MATCHES):
        game = new_game("uno-vache", 4, seed=seed)
        for seat, move, legal, _, owed in what_they_did(game, seed):
            if move.act is Act.CANCEL:
                cancels += 1
                assert TAKE in legal or all(demand.payer != seat for demand in owed), f"seed {seed}"
    assert cancels > 5
