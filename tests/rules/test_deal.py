"""Who deals, and deals that are given; each test names the rule that it holds."""

from __future__ import annotations

import pytest

from dispenser.rules import GAMES, IllegalMove, new_game
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import DRAW
from tests.rules.tables import card, cards_of, told

GAME_IDS = sorted(GAMES)


class TestGivenDeal:
    def test_the_first_card_is_none_of_the_given_pile_or_hands_g_04(self) -> None:
        game = new_game("uno", 2)
        hands = [cards_of("uno", "red 1"), cards_of("uno", "red 2")]
        with pytest.raises(IllegalMove, match="red 0") as refusal:
            game.begin(
                dealer=0, hands=hands, first=card(GAMES["uno"].rules.cards, "red 0"), pile=cards_of("uno", "red 0")
            )
        assert refusal.value.rule == "G-04"
        assert game.log == []

    def test_hands_of_all_the_cards_or_of_none_are_refused_g_04(self) -> None:
        game = new_game("uno", 2, seed=1)
        deck = list(game.state.deck())
        for hands, message in (
            ([deck[:1], []], "one at least"),
            ([deck[:54], deck[54:]], "no card is left to turn up"),
        ):
            with pytest.raises(IllegalMove, match=message) as refusal:
                game.begin(dealer=0, hands=hands)
            assert refusal.value.rule == "G-04"


class TestTakingOver:
    """A round that others have begun: what is missing or cannot be is named, and nothing has changed."""

    def attempt(self, game_id: str, first: str, **said: object) -> IllegalMove | None:
        options = {"uno-vache": {"white": 1}, "huit-americain": {"jokers": True}}
        game = new_game(game_id, 2, options.get(game_id), seed=1)
        hands = [[0, 1], [2, 3]]
        before = game.state.save()
        try:
            game.begin(hands=hands, first=cards_of(game_id, first)[0], **{"turn": 0, **said})
        except IllegalMove as error:
            assert (game.state.save(), len(game.log)) == (before, 0)
            return error
        return None

    @pytest.mark.parametrize(
        ("game_id", "first", "rule"),
        [
            ("uno", "wild", "U-14"),
            ("uno", "+4", "U-15"),
            ("uno-extreme", "wild", "E-19"),
            ("uno-extreme", "press 4", "E-20"),
            ("uno-extreme", "extreme hit", "E-21"),
            ("uno-extreme", "customizable", "E-22"),
            ("uno-vache", "wild", "V-06"),
            ("uno-vache", "+4", "V-10"),
            ("huit-americain", "joker", "H-01"),
            ("151", "joker", "C-12"),
        ],
    )
    def test_a_wild_on_top_needs_the_colour_in_force(self, game_id: str, first: str, rule: str) -> None:
        error = self.attempt(game_id, first)
        assert error is not None
        assert error.rule == rule
        colour = "suit" if game_id in {"151", "huit-americain"} else "colour"
        assert error.reason.en == f"the {first} on top has no {colour} of its own: give the {colour} that is in force"
        assert self.attempt(game_id, first, colour=2) is None

    def test_a_white_card_may_have_been_the_first_v_03(self) -> None:
        assert self.attempt("uno-vache", "white") is None
        assert self.attempt("uno-vache", "white", colour=1) is None

    @pytest.mark.parametrize("game_id", GAME_IDS)
    @pytest.mark.parametrize("colour", [4, -2, 200])
    def test_there_are_four_colours(self, game_id: str, colour: int) -> None:
        error = self.attempt(game_id, "8 of clubs" if game_id in {"151", "huit-americain"} else "red 7", colour=colour)
        assert error is not None
        assert error.reason.en.endswith("in force as its number, 0 to 3")

    def test_what_is_said_of_it_must_be_whole(self) -> None:
        for said in ({"direction": 2}, {"scores": [1]}, {"scores": [1, None]}, {"turn": 2}):
            assert self.attempt("uno", "red 7", **said) is not None, said
        game = new_game("uno", 2, seed=1)
        for said in ({"colour": 1}, {"direction": -1}):
            with pytest.raises(IllegalMove, match="say whose turn it is"):
                game.begin(**said)


class TestConserved:
    def test_a_press_that_found_too_few_cards_tells_how_many_g_01(self) -> None:
        game = new_game("uno-extreme", 2, seed=1, bursts=(8,))
        game.begin(dealer=1, first=cards_of("uno-extreme", "red 5")[0])
        held = [kind for kind, count in enumerate(game.state.hands[1]) for _ in range(count)]
        game.correct_hand(1, cards=[*held, *game.state.pile[3:]])
        game.play(0, DRAW)
        assert told(game.fulfil_by_chance())[:2] == [(What.PRESSED, 0, 3), (What.SHORT, 0, 5)]
