"""An observation has what a seat may know, and nothing changes in it when everything that it may not know does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dispenser.rules import GAMES, Game, new_game
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, catch, lay
from dispenser.rules.engine.observation import Observation
from dispenser.rules.engine.phases import COUNTING, DREW, IDLE, IN_ROUND, MATCH_OVER
from dispenser.rules.games.uno.game import Uno
from tests.sampled import sampled


def otherwise(game: Game, seat: int, random: Random) -> Game:
    """The same for ``seat``: but another seed, and all cards that it has not seen are somewhere else."""
    seed = random.randrange(1_000_000)
    twin = new_game(game.game_id, game.seats, game.state.options, seed=seed)
    state = twin.state
    state.restore(game.state.save())
    others = [one for one in range(game.seats) if one != seat]
    unseen = [card for one in others for card in state.held(one)] + state.pile + state.under
    random.shuffle(unseen)
    for one in others:
        state.hands[one] = [0] * (state.unknown + 1)
        for _ in range(state.sizes[one]):
            state.hands[one][unseen.pop()] += 1
    state.pile, state.under = unseen[: len(state.pile)], unseen[len(state.pile) :]
    if seat != state.turn or state.demands or state.phase is not DREW:
        state.drawn = random.randrange(state.unknown)
    if isinstance(state, Uno):
        state.bluff = random.choice((True, False))  # depends on what somebody else holds (U-16)
    return twin


def shown(seen: Observation) -> dict[str, Any]:
    """All that an observation shows at this moment."""
    return {name: getattr(seen, name) for name in dir(seen) if not name.startswith("_")}


def step(game: Game, random: Random) -> None:
    if game.phase == IDLE:
        game.begin()
    elif game.state.demands and random.random() < 0.7:
        game.fulfil_by_chance()
    elif actors := game.actors():
        seat = random.choice(actors)
        game.play(seat, random.choice(game.legal_moves(seat)))
    else:
        game.fulfil_by_chance()


@pytest.mark.parametrize("seed", sampled(range(3), 3))
@pytest.mark.parametrize("game_id", GAMES)
def test_nothing_hidden_is_seen(game_id: str, seed: int) -> None:
    random = Random(seed)
    game = new_game(game_id, 4, {"white": 4} if game_id == "uno-vache" else {}, seed=seed)
    for number in range(250):
        if game.phase in {COUNTING, MATCH_OVER}:
            break
        step(game, random)
        for seat in range(game.seats):
            seen = shown(game.observe(seat))
            twin = shown(otherwise(game, seat, random).observe(seat))
            assert twin == seen, f"seed {seed}, action {number}"


@pytest.mark.parametrize("game_id", GAMES)
def test_moves_taken_back_leave_no_trace(game_id: str) -> None:
    random = Random(5)
    game = new_game(game_id, 3, seed=5)
    game.begin()
    for _ in range(40):
        if game.phase not in IN_ROUND:
            break
        before = [shown(game.observe(seat)) for seat in range(3)]
        step(game, random)
        game.undo()
        assert [shown(game.observe(seat)) for seat in range(3)] == before
        assert game.undone
        game.redo()


def test_the_own_hand_is_seen_and_of_the_others_the_size() -> None:
    game = new_game("uno", 3, seed=1)
    game.begin(dealer=2, hands=[[7, 7, 2], [1, 20], [30, 31, 32, 33]], first=5)
    seen = game.observe(0)
    assert (seen.hand, seen.sizes, seen.talon) == ((2, 7, 7), (3, 2, 4), (5,))
    assert (seen.top, seen.colour, seen.turn, seen.direction, seen.dealer) == (5, 0, 0, 1, 2)
    assert seen.pile_size == 108 - 10
    assert seen.legal == (lay(2), lay(7), DRAW)
    assert game.observe(1).legal == ()


def test_only_who_drew_sees_the_card_drawn() -> None:
    game = new_game("uno", 3, seed=1)
    game.begin(dealer=2, hands=[[20, 21], [1, 20], [30, 31]], first=5)
    game.play(0, DRAW)
    assert game.observe(0).drawn == -1, "nothing is drawn yet"
    game.fulfil([9])
    assert [game.observe(seat).drawn for seat in range(3)] == [9, -1, -1]
    game.play(0, lay(9))
    assert game.observe(0).drawn == -1


def test_what_is_owed_who_is_exposed_and_who_has_spoken_is_seen_by_all() -> None:
    game = new_game("uno", 3, seed=1)
    game.begin(dealer=2, hands=[[10, 1], [1, 2], [30, 31]], first=5)
    game.play(0, lay(10))
    for seat in range(3):
        seen = game.observe(seat)
        assert seen.demand is not None
        assert (seen.demand.payer, seen.demand.number, seen.exposed) == (1, 2, (0,))
    assert game.observe(1).legal == (catch(0),)
    game.play(0, ANNOUNCE)
    assert (game.observe(1).exposed, game.observe(1).announced) == ((), (0,))


def test_own_hidden_cards_are_counted() -> None:
    game = new_game("uno", 3, hidden=True)
    game.begin(dealer=2)
    game.answer(5)
    seen = game.observe(0)
    assert (seen.hand, seen.unknown, seen.sizes) == ((), 7, (7, 7, 7))
    game.play(0, lay(7))
    assert game.observe(0).unknown == 6


def test_an_observation_cannot_be_changed() -> None:
    seen: Any = new_game("uno", 3, seed=1).observe(0)
    with pytest.raises(AttributeError):
        seen.turn = 2
    assert isinstance(seen.legal, tuple)
