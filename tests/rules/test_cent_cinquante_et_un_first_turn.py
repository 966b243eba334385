"""The first turn that one plays in 151 (C-10)."""

from __future__ import annotations

from dispenser.rules.engine.moves import (
    lay,
)
from tests.rules import table_of_151
from tests.rules.refusals import refusal_of
from tests.rules.tables import card


def test_after_the_first_turn_a_last_card_is_refused_as_any_other_c_05_c_10() -> None:
    game = table_of_151.table("9 of clubs", first="3 of hearts")
    nine = lay(card(game.state.cards, "9 of clubs"))
    assert refusal_of(game, 0, nine).rule == "C-10"
    assert refusal_of(table_of_151.seasoned(game), 0, nine).rule == "C-05"
