"""Who is skipped, aimed at or out in Uno Extrême."""

from __future__ import annotations

import pytest

from dispenser.rules import GAMES, new_game
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import (
    lay,
)
from tests.rules.refusals import refusal_of
from tests.rules.tables import card, cards_of, deal


@pytest.mark.parametrize("colour", range(4))
def test_an_extreme_hit_at_oneself_is_aimed_badly_whatever_colour_it_names_e_21(colour: int) -> None:
    game = deal("uno-extreme", ["extreme hit, red 1, red 2", "blue 1, blue 2", "green 1, green 2"], "red 9")
    hit = card(GAMES["uno-extreme"].rules.cards, "extreme hit")
    refusal = refusal_of(game, 0, lay(hit, colour=colour, seat=0))
    assert (refusal.rule, refusal.reason.en) == ("E-21", "aim at another player who is still in")
    assert "aim" not in refusal_of(game, 0, lay(hit, colour=4, seat=1)).reason.en


def test_a_skipped_seat_is_told_e_16() -> None:
    game = deal("uno-extreme", ["red skip, red 1, red 2", "red 4, blue 2", "blue 4, blue 5"], "red 9")
    assert Event(What.SKIPPED, 1) in game.play(0, lay(card(game.state.cards, "red skip")))
    assert game.turn == 2


def test_of_two_players_a_reverse_skips_the_other_e_29() -> None:
    game = deal("uno-extreme", ["red reverse, red 1, red 2", "red 4, blue 2"], "red 9")
    happened = game.play(0, lay(card(game.state.cards, "red reverse")))
    assert Event(What.SKIPPED, 1) in happened
    assert game.turn == 0


class TestElimination:
    def test_who_is_out_neither_scores_nor_is_put_out_again_e_30(self) -> None:
        game = new_game("uno-extreme", 4, {"scoring": "elimination"})
        game.state.gone, game.state.scores = {1}, [0, 900, 0, 0]
        game.begin(
            dealer=3,
            hands=[cards_of("uno-extreme", hand) for hand in ("red 1", "", "red 4", "blue 2")],
            first=card(game.state.cards, "red 9"),
            pile=(),
        )
        happened = game.play(0, lay(card(game.state.cards, "red 1")))
        assert [(event.seat, event.number) for event in happened if event.what is What.SCORED] == [
            (0, 0),
            (2, 4),
            (3, 2),
        ]
        assert What.ELIMINATED not in {event.what for event in happened}
        assert game.state.scores == [0, 900, 4, 2]
