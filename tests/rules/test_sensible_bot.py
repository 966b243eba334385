"""What the sensible bot does when two wishes are at odds."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.rules import Game, new_game
from dispenser.rules.bots import sensible_bot
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, Move, lay
from tests.rules import table_of_151, vache
from tests.rules.tables import card, cards_of, deal


class TestSensibleBot:
    """The noise in its choices never decides these."""

    @staticmethod
    def choice(game: Game, seat: int = 0) -> Move:
        choices = {sensible_bot(game.observe(seat), Random(seed)) for seed in range(12)}
        assert len(choices) == 1, choices
        (only,) = choices
        assert only is not None
        return only

    @pytest.mark.parametrize(("next_has", "lays"), [(1, "blue +2"), (6, "red 5")])
    def test_it_makes_the_next_draw_only_when_that_one_may_soon_go_out(self, next_has: int, lays: str) -> None:
        theirs = ", ".join(f"green {number}" for number in range(1, next_has + 1))
        game = deal("uno", ["blue +2, red 5, red 1, red 2, red 3, red 4", theirs, "yellow 1, yellow 2"], "blue 5")
        assert self.choice(game) == lay(card(game.state.cards, lays))

    @pytest.mark.parametrize(
        ("attack", "next_has", "lays"),
        [
            ("press 2", 1, "blue press 2"),
            ("press 2", 6, "red 5"),
            ("skip", 1, "blue skip"),
            ("discard all", 1, "red 5"),
        ],
    )
    def test_a_launcher_is_pressed_for_that_too_and_a_discard_all_is_not(
        self, attack: str, next_has: int, lays: str
    ) -> None:
        theirs = ", ".join(f"green {number}" for number in range(1, next_has + 1))
        mine = f"blue {attack}, red 5, red 1, red 2, red 3, red 4"
        game = deal("uno-extreme", [mine, theirs, "yellow 1, yellow 2, yellow 3"], "blue 5")
        assert self.choice(game) == lay(card(game.state.cards, lays))

    def test_it_rather_gets_rid_of_five_cards_than_hurts_anybody(self) -> None:
        mine = "red discard all, red press 2, red 1, red 2, red 4, blue 3"
        game = deal("uno-extreme", [mine, "blue 1", "blue 2, blue 4"], "red 3")
        game.play(0, ANNOUNCE)
        assert self.choice(game) == lay(card(game.state.cards, "red discard all"))

    @pytest.mark.parametrize("last", [1, 7])
    def test_it_keeps_an_extreme_hit_until_somebody_may_soon_go_out(self, last: int) -> None:
        theirs = [", ".join(f"{colour} {number}" for number in range(1, 8)) for colour in ("green", "blue")]
        theirs[1] = ", ".join(theirs[1].split(", ")[:last])
        game = deal("uno-extreme", ["extreme hit, red 1, red 9", *theirs], "red 3")
        choice = self.choice(game)
        if last == 1:
            assert (choice.card, choice.seat) == (card(game.state.cards, "extreme hit"), 2)
        else:
            assert choice == lay(card(game.state.cards, "red 9"))

    def test_who_is_out_of_the_match_is_not_the_next_e_30(self) -> None:
        game = new_game("uno-extreme", 3, {"scoring": "elimination"})
        game.state.gone.add(1)
        hands = [
            "blue press 2, red 5, red 1, red 2, red 3, red 4",
            "",
            "yellow 1, yellow 2, yellow 3, yellow 4, yellow 6",
        ]
        game.begin(
            dealer=2,
            hands=[cards_of("uno-extreme", hand) for hand in hands],
            first=card(game.state.cards, "blue 5"),
            pile=(),
        )
        assert self.choice(game) == lay(card(game.state.cards, "red 5"))

    def test_in_huit_americain_it_attacks_with_an_ace_and_not_with_a_king(self) -> None:
        game = deal("huit-americain", ["ace of hearts, king of hearts, 9 of clubs", "3 of clubs"], "2 of hearts")
        assert self.choice(game) == lay(card(game.state.cards, "ace of hearts"))

    def test_in_151_it_attacks_with_a_two(self) -> None:
        hands = ["2 of hearts, 9 of hearts, 9 of clubs", "3 of clubs"]
        game = table_of_151.seasoned(table_of_151.deal(hands, "5 of hearts"))
        assert self.choice(game) == lay(card(game.state.cards, "2 of hearts"))

    @pytest.mark.parametrize("kept", ["8 of hearts", "joker"])
    def test_in_huit_americain_it_keeps_what_always_fits(self, kept: str) -> None:
        hands = [f"{kept}, 9 of hearts, 9 of clubs", "3 of clubs, 4 of clubs, 5 of clubs, 6 of clubs, jack of clubs"]
        game = deal("huit-americain", hands, "2 of hearts", jokers=True)
        assert self.choice(game) == lay(card(game.state.cards, "9 of hearts"))

    @pytest.mark.parametrize(("rest", "colour"), [("wild, green 1", 2), ("red 1, red 2, green 1", 0)])
    def test_it_names_the_colour_of_most_of_its_coloured_cards(self, rest: str, colour: int) -> None:
        game = deal("uno", [f"wild, {rest}", "blue 1, blue 2, blue 3, blue 4, blue 5"], "blue 9")
        assert self.choice(game) == lay(card(game.state.cards, "wild"), colour=colour)

    @pytest.mark.parametrize(
        ("mine", "swap"), [("blue 1, blue 2, blue 3, blue 4, blue 5, blue 6", (0, 2)), ("blue 1, blue 2", (1, 2))]
    )
    def test_a_white_card_brings_it_the_smallest_hand_or_leaves_it_its_own_v_16(
        self, mine: str, swap: tuple[int, int]
    ) -> None:
        theirs = ["green 1, green 2, green 3, green 4, green 5", "yellow 1, yellow 2, yellow 3"]
        game = vache.table([f"white, {mine}", *theirs], "red 9", white=1)
        assert self.choice(game) == lay(vache.named("white"), seat=swap[0], other=swap[1])

    def test_it_rather_draws_than_takes_a_larger_hand_v_16(self) -> None:
        game = vache.table(["white, blue 1, blue 2", "green 1, green 2, green 3, green 4, green 5"], "red 9", white=1)
        assert self.choice(game) == DRAW
