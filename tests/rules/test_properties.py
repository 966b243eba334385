"""Search over all games, options, numbers of seats and moves: what must always hold, holds.

A random match is found again by the label in the assertion: game, seats, options, seed.
"""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dispenser.rules import GAMES, OptionError
from dispenser.rules.engine.phases import IN_ROUND
from dispenser.rules.library import book_of
from tests.rules.shadow import Table
from tests.rules.tables import some_of

MOST_STEPS = 150


@given(seed=st.integers(0, 2**32), game_id=st.sampled_from(sorted(GAMES)))
def test_random_matches_with_penalties_undo_and_records(seed: int, game_id: str) -> None:
    random, book = Random(seed), book_of(game_id)
    options = {option.name: random.choice(some_of(option.values)) for option in book.options}
    try:
        table = Table(game_id, random.choice(list(book.seats)), options, seed)
    except OptionError:  # too few cards for so many seats
        table = Table(game_id, 2, {}, seed)
    for step in range(MOST_STEPS):
        game = table.open
        if table.over:
            break
        if game.offences and game.state.talon and game.phase in IN_ROUND and random.random() < 0.02:
            seats = [seat for seat in game.state.still_in() if seat != game.state.going_out]
            table.penalise(random.choice(seats), random.choice(sorted(game.offences)))
        else:
            table.step(random)
        table.check()
        if step % 60 == 59:
            table.check_undo(random.randint(1, 80))
    table.check_record()
