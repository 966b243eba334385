"""Search over all games, options, numbers of seats and moves: what must always hold, holds.

A random match is found again by the label in the assertion: game, seats, options, seed.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dispenser.rules import GAMES, OptionError
from dispenser.rules.engine.phases import IN_ROUND
from dispenser.rules.library import book_of
from tests.rules.shadow import Table
from tests.rules.tables import some_of
from tests.sampled import sampled

GAME_IDS = sorted(GAMES)
MATCHES_OF_EACH = 4
"""Random matches of each game, each cut off after ``MOST_STEPS`` actions."""
MOST_STEPS = 400


@st.composite
def settings_of_a_match(draw: st.DrawFn) -> tuple[str, int, dict[str, Any]]:
    game_id = draw(st.sampled_from(GAME_IDS))
    book = book_of(game_id)
    seats = draw(st.sampled_from(list(book.seats)))
    return (
        game_id,
        seats,
        {option.name: draw(st.sampled_from(some_of(option.values))) for option in book.options if draw(st.booleans())},
    )


class Evening(RuleBasedStateMachine):
    """An evening of one game, open and hidden, with undo, redo and records in between."""

    @initialize(chosen=settings_of_a_match(), seed=st.integers(0, 2**32))
    def sit_down(self, chosen: tuple[str, int, dict[str, Any]], seed: int) -> None:
        game_id, seats, options = chosen
        try:
            self.table = Table(game_id, seats, options, seed)
        except OptionError:  # too few cards for so many seats
            self.table = Table(game_id, 2, {}, seed)
        note(self.table.label)
        self.table.begin()

    @precondition(lambda self: not self.table.over)
    @rule(seed=st.integers(0, 2**32), steps=st.integers(1, 30))
    def play_on(self, seed: int, steps: int) -> None:
        random = Random(seed)
        for _ in range(steps):
            if self.table.over:
                break
            self.table.step(random)
            self.table.check()

    @precondition(lambda self: self.table.open.state.talon and self.table.open.offences and self.playing())
    @rule(data=st.data())
    def declare(self, data: st.DataObject) -> None:
        game = self.table.open
        seats = game.state.still_in()
        self.table.penalise(data.draw(st.sampled_from(seats)), data.draw(st.sampled_from(sorted(game.offences))))

    def playing(self) -> bool:
        return self.table.open.phase in IN_ROUND

    @rule(back=st.integers(1, 150))
    def undo(self, back: int) -> None:
        self.table.check_undo(back)

    @rule()
    def write_down(self) -> None:
        self.table.check_record()

    @invariant()
    def holds(self) -> None:
        if hasattr(self, "table"):
            self.table.check()


Evening.TestCase.settings = settings(stateful_step_count=12)
TestEvening = Evening.TestCase


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("number", sampled(range(MATCHES_OF_EACH), 4))
def test_random_matches_of_all_sizes(game_id: str, number: int) -> None:
    book = book_of(game_id)
    random = Random(f"{game_id} {number}")
    options = {option.name: random.choice(some_of(option.values)) for option in book.options}
    seats = random.choice(list(book.seats))
    try:
        table = Table(game_id, seats, options, number)
    except OptionError:
        table = Table(game_id, 2, {}, number)
    for step in range(MOST_STEPS):
        if table.over:
            break
        table.step(random)
        table.check()
        if step % 97 == 96:
            table.check_undo(random.randint(1, 80))
    table.check_record()
