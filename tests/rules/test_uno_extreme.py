"""Uno Extrême, rule by rule: each test names the rule that it holds (E-01 to E-22).

``test_uno_extreme_discard_all.py`` has E-18, ``test_uno_extreme_rounds.py`` what comes after.
"""

from __future__ import annotations

from collections import Counter

import pytest

from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.errors import OptionError
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE, DONE, DRAW, LAYING, catch, effect, lay, name
from dispenser.rules.engine.phases import CARRYING_OUT, NAMING, PLAYING
from dispenser.rules.games.uno_extreme.cards import CUSTOMIZABLE, EXTREME_HIT, PRESS_FOUR, UNO_EXTREME, WILD
from dispenser.rules.registry import new_game
from tests.rules.extreme import (
    BLUE,
    GREEN,
    LOW,
    RED,
    YELLOW,
    cards,
    deal,
    happened,
    kind,
    laying,
    press,
    press_instead_of_playing,
    refused,
)
from tests.rules.tables import hand

PRESS_ONCE = Demand(Owed.PRESSES, 0, 0, 1, "E-14")

# The cards


def test_e_01_the_deck_has_112_cards() -> None:
    deck = Counter(UNO_EXTREME.names[card].en for card in new_game("uno-extreme", 2).state.deck())
    assert deck.total() == 112
    for colour in ("red", "yellow", "green", "blue"):
        assert all(deck[f"{colour} {number}"] == 2 for number in range(1, 10))
        symbols = ("press 2", "reverse", "skip", "discard all")
        assert [deck[f"{colour} {symbol}"] for symbol in symbols] == [2, 1, 2, 2]
    assert [deck[name] for name in ("wild", "extreme hit", "customizable", "press 4")] == [4, 4, 3, 1]


@pytest.mark.parametrize("number", range(4))
def test_e_02_the_table_chooses_the_customizable_cards(number: int) -> None:
    deck = list(new_game("uno-extreme", 2, {"customizable": number}).state.deck())
    assert (len(deck), deck.count(CUSTOMIZABLE)) == (109 + number, number)


def test_e_02_there_are_three_at_most() -> None:
    with pytest.raises(OptionError, match="customizable"):
        new_game("uno-extreme", 2, {"customizable": 4})


# Setting up


def dealer_after(seats: int, names: str) -> int:
    game = new_game("uno-extreme", seats)
    game.begin(draws=cards(names), pile=cards("red 9"), hands=[cards("red 1, red 2")] * 2 + [cards("blue 1")])
    return game.state.dealer


def test_e_03_the_highest_number_deals_and_action_cards_count_0() -> None:
    assert dealer_after(3, "red 3, blue 4, yellow 2") == 1
    assert dealer_after(3, "red 1, press 4, yellow skip") == 0
    assert dealer_after(3, "red skip, wild, yellow 1") == 2


def test_e_03_ties_draw_again_and_only_they() -> None:
    assert dealer_after(3, "red 7, blue 4, yellow 7, red 2, red 3") == 2
    assert dealer_after(3, "red 7, blue 4, yellow 7, red 5, red 5, red 9, red 1") == 0


def test_e_04_seven_cards_each_one_face_up_the_rest_in_the_launcher_the_left_starts() -> None:
    game = new_game("uno-extreme", 5, seed=1)
    game.begin(dealer=3, first=kind("red 5"))
    assert (game.state.sizes, game.state.talon, game.state.in_pile()) == ([7] * 5, [kind("red 5")], 112 - 35 - 1)
    assert (game.turn, game.state.direction) == (4, 1)
    game.play(4, DRAW)
    game.fulfil(0)
    assert game.turn == 0
    assert refused(game, 3, DRAW) == "E-04"


def test_e_05_a_reverse_first_the_dealer_plays_and_it_goes_to_the_right() -> None:
    game = deal([LOW] * 2 + ["blue 8"] * 2, "red reverse", dealer=2)
    assert (game.turn, game.state.direction, game.demand) == (2, -1, None)
    game.play(2, DRAW)
    game.fulfil(0)
    assert game.turn == 1


@pytest.mark.parametrize(("seats", "starts"), [(2, 0), (3, 2), (4, 2)])
def test_e_06_a_skip_first_the_second_on_the_left_starts(seats: int, starts: int) -> None:
    game = deal([LOW] * 2 + ["blue 8"] * (seats - 2), "red skip", dealer=0)
    assert (game.turn, game.demand) == (starts, None)
    assert Event(What.SKIPPED, 1) in game.events


@pytest.mark.parametrize(("seats", "starts"), [(2, 0), (3, 2)])
def test_e_07_a_press_2_first_the_first_on_the_left_presses_twice(seats: int, starts: int) -> None:
    game = deal([LOW] * 2 + ["blue 8"] * (seats - 2), "red press 2", dealer=0)
    assert game.demand == Demand(Owed.PRESSES, 1, 1, 2, "E-07")
    assert refused(game, starts, DRAW) == "E-07"
    press(game, 3, 0)
    assert (game.turn, game.state.sizes[1], game.demand) == (starts, 10, None)


@pytest.mark.parametrize(
    ("first", "starts", "rule"), [("wild", 1, "E-08"), ("press 4", 2, "E-09"), ("customizable", 1, "E-10")]
)
def test_e_08_e_09_e_10_a_wild_card_first_who_starts_names_the_colour(first: str, starts: int, rule: str) -> None:
    """E-08: the first on the left; E-09: the one who starts, after four presses; E-10: nothing to carry out."""
    game = deal([LOW, LOW, "blue 8, red 8"], first, dealer=0)
    if first == "press 4":
        assert game.demand == Demand(Owed.PRESSES, 1, 1, 4, "E-09")
        press(game, 0, 2, 0, 1)
        assert game.state.sizes[1] == 10
    assert (game.turn, game.phase, game.demand) == (starts, NAMING, None)
    assert game.legal_moves(starts) == [name(colour) for colour in range(4)]
    assert refused(game, starts, DRAW) == rule
    game.play(starts, name(BLUE))
    assert game.events == [Event(What.NAMED, starts, colour=BLUE)]
    assert (game.turn, game.phase, game.state.colour) == (starts, PLAYING, BLUE)
    assert refused(game, starts, laying("red 8" if starts == 2 else "red 1")) == "E-13"
    game.play(starts, laying("blue 8" if starts == 2 else "blue 1"))


def test_e_11_an_extreme_hit_first_goes_back_and_another_is_turned() -> None:
    game = new_game("uno-extreme", 2)
    game.begin(dealer=0, hands=[cards("red 1"), cards("red 2")], pile=cards("extreme hit, extreme hit, blue 3, red 4"))
    assert (game.state.talon, game.turn) == ([kind("blue 3")], 1)
    assert happened(game).count(What.PUT_BACK) == 2
    assert game.state.pile.count(EXTREME_HIT) == 4
    assert game.state.conserved()


def test_e_12_a_discard_all_first_is_an_ordinary_card_of_its_colour() -> None:
    game = deal([LOW, LOW + ", blue discard all"], "red discard all", dealer=0)
    assert (game.turn, game.state.sizes, game.question, game.demand) == (1, [7, 8], None, None)
    assert game.legal_moves(1) == [laying("red 1"), laying("red 2"), laying("blue discard all"), DRAW]


# Playing


def test_e_13_the_same_colour_number_or_symbol() -> None:
    held = "red 3, red skip, blue 5, green 5, blue 6, yellow reverse, blue skip"
    game = deal([held, LOW], "red 5")
    assert game.legal_moves(0) == [*map(lay, cards("red 3, red skip, green 5, blue 5")), DRAW]
    assert refused(game, 0, laying("blue 6")) == "E-13"
    assert refused(game, 0, laying("yellow reverse")) == "E-13"
    assert refused(game, 0, laying("red 4")) == "G-04"
    assert refused(game, 0, laying("red 3", RED)) == "G-06"
    assert deal([held, LOW], "yellow skip", dealer=0).legal_moves(0) == [
        *map(lay, cards("red skip, yellow reverse, blue skip")),
        DRAW,
    ]


@pytest.mark.parametrize("burst", [0, 1, 5])
def test_e_14_one_press_joins_the_hand_and_the_turn_passes(burst: int) -> None:
    game = deal([LOW, LOW, "blue 8"], "red 9", pile="red 3, red 4, red 5, red 6, red 7")
    game.play(0, DRAW)  # though red 1 could be played (G-02)
    assert game.demand == PRESS_ONCE
    assert not game.legal_moves(0)
    game.fulfil(burst)
    assert game.events == [Event(What.PRESSED, 0, number=burst, demand=PRESS_ONCE), Event(What.TURN, 1)]
    assert (game.state.sizes[0], game.turn, game.demand) == (7 + burst, 1, None)
    assert refused(game, 0, laying("red 3")) in {"E-04", "G-04"}


def test_e_14_the_cards_that_came_out_can_be_told() -> None:
    game = deal([LOW, "blue 8, blue 9"], "red 9")
    game.play(0, DRAW)
    game.fulfil(cards("wild, green 7"))
    assert hand(game, 0)[-1] == "wild"
    assert game.state.sizes[0] == 9
    assert game.turn == 1


def test_e_15_a_reverse_turns_the_direction() -> None:
    game = deal([LOW + ", red reverse", LOW, "blue 8", "blue 8"])
    game.play(0, laying("red reverse"))
    assert (game.turn, game.state.direction) == (3, -1)
    press_instead_of_playing(game)
    assert game.turn == 2


def test_e_16_a_skip_costs_the_turn_and_no_press() -> None:
    game = deal([LOW + ", red skip", LOW, "blue 8, blue 7"])
    game.play(0, laying("red skip"))
    assert (game.turn, game.demand) == (2, None)
    assert Event(What.SKIPPED, 1) in game.events


def test_e_17_press_2_the_next_presses_twice_and_loses_the_turn() -> None:
    game = deal([LOW + ", red press 2", LOW, "blue 8, blue 7"])
    game.play(0, laying("red press 2"))
    assert Event(What.SKIPPED, 1) in game.events
    assert (game.turn, game.demand) == (2, Demand(Owed.PRESSES, 1, 1, 2, "E-17"))
    game.fulfil(4)
    assert game.demand == Demand(Owed.PRESSES, 1, 1, 1, "E-17")
    assert refused(game, 2, DRAW) == "E-17"
    game.fulfil(0)
    assert (game.turn, game.demand, game.state.sizes) == (2, None, [7, 11, 2])


@pytest.mark.parametrize("colour", range(4))
def test_e_19_a_wild_on_anything_names_any_colour(colour: int) -> None:
    game = deal([LOW + ", wild", LOW], "red 9")
    game.play(0, lay(WILD, colour=colour))
    assert (game.state.colour, game.turn, game.demand) == (colour, 1, None)
    lawful = [move.card for move in game.legal_moves(1) if move.act in LAYING]
    assert lawful
    assert all(UNO_EXTREME.colour[card] == colour for card in lawful)


@pytest.mark.parametrize(
    ("card", "rule"), [(WILD, "E-19"), (PRESS_FOUR, "E-20"), (EXTREME_HIT, "E-21"), (CUSTOMIZABLE, "E-22")]
)
def test_e_19_a_wild_card_needs_a_colour(card: int, rule: str) -> None:
    game = deal([f"{UNO_EXTREME.names[card].en}, red 1, red 2", LOW])
    assert refused(game, 0, lay(card)) == rule
    assert refused(game, 0, lay(card, colour=4)) == rule


def test_e_20_press_4_names_a_colour_and_the_next_presses_four_times() -> None:
    game = deal([LOW + ", press 4", LOW, "blue 8, blue 7"])
    game.play(0, lay(PRESS_FOUR, colour=GREEN))
    assert (game.state.colour, game.turn, game.demand) == (GREEN, 2, Demand(Owed.PRESSES, 1, 1, 4, "E-20"))
    press(game, 1, 0, 3)
    assert game.demand == Demand(Owed.PRESSES, 1, 1, 1, "E-20")
    press(game, 0)
    assert (game.state.sizes, game.turn, game.demand) == ([7, 11, 2], 2, None)


class TestExtremeHit:
    """E-21."""

    def test_e_21_its_player_presses_twice_the_target_takes_the_next_plays(self) -> None:
        game = deal(["red 1, red 2, extreme hit", LOW, "blue 8, blue 7", "blue 8, yellow 8"], pile="red 3, red 4, wild")
        game.play(0, lay(EXTREME_HIT, colour=BLUE, seat=3))
        assert game.demand == Demand(Owed.PRESSES, 0, 3, 2, "E-21")
        assert (game.turn, game.state.colour) == (1, BLUE)
        assert What.SKIPPED not in happened(game)
        press(game, 0)
        last = Demand(Owed.PRESSES, 0, 3, 1, "E-21")
        assert game.demand == last
        press(game, 3)
        assert game.events == [Event(What.PRESSED, 0, 3, demand=last), Event(What.DREW, 3, 3, demand=last)]
        assert hand(game, 3) == ["red 3", "red 4", "yellow 8", "blue 8", "wild"]
        assert (game.state.sizes, game.turn, game.demand) == ([2, 7, 2, 5], 1, None)

    def test_e_21_any_colour_and_any_other_player(self) -> None:
        game = deal([LOW, "yellow 3, yellow 4, extreme hit", "blue 8", "blue 8"], dealer=0)
        hits = [move for move in game.legal_moves(1) if move.card == EXTREME_HIT]
        assert set(hits) == {
            lay(EXTREME_HIT, colour=colour, seat=target) for colour in range(4) for target in (0, 2, 3)
        }
        assert len(hits) == 12
        assert refused(game, 1, lay(EXTREME_HIT, colour=RED, seat=1)) == "E-21"
        assert refused(game, 1, lay(EXTREME_HIT, colour=RED, seat=4)) == "E-21"
        assert refused(game, 1, lay(EXTREME_HIT, colour=RED)) == "E-21"

    def test_e_21_own_presses_do_not_save_who_forgot_uno_g_03(self) -> None:
        game = deal(["red 1, extreme hit", LOW, LOW.replace("1", "4").replace("2", "6")])
        game.play(0, lay(EXTREME_HIT, colour=BLUE, seat=2))
        press(game, 0, 0)
        assert catch(0) in game.legal_moves(1)


class TestCustomizable:
    """E-22."""

    def laid(self, *, held: str = "customizable, red 1, red 2", seats: int = 3) -> Game:
        game = deal([held, LOW, "blue 8, blue 7"][:seats])
        game.play(0, lay(CUSTOMIZABLE, colour=YELLOW))
        return game

    def test_e_22_its_rule_is_shown_and_the_table_says_when_it_is_done(self) -> None:
        game = self.laid()
        assert Event(What.RULE_SHOWN, 0) in game.events
        assert (game.turn, game.phase, game.state.colour) == (0, CARRYING_OUT, YELLOW)
        assert refused(game, 0, DRAW) == "E-22"
        assert refused(game, 1, laying("yellow 1")) == "E-04"
        game.play(0, DONE)
        assert (game.turn, game.phase, game.demand) == (1, PLAYING, None)

    @pytest.mark.parametrize("target", range(3))
    @pytest.mark.parametrize("presses", range(1, 5))
    def test_e_22_its_effect_can_be_presses_for_a_seat(self, target: int, presses: int) -> None:
        game = self.laid()
        game.play(0, effect(target, presses))
        assert game.demand == Demand(Owed.PRESSES, target, target, presses, "E-22", penalty=target != 1)
        assert (game.turn, game.phase, game.actors()) == (0, CARRYING_OUT, [0])
        press(game, 2, *[0] * (presses - 1))
        assert (game.demand, game.turn, game.phase) == (None, 1, PLAYING)
        assert game.state.sizes == [2 + 2 * (target == 0), 7 + 2 * (target == 1), 2 + 2 * (target == 2)]

    def test_e_22_its_effect_can_be_presses_for_several_and_more_than_four(self) -> None:
        game = self.laid()
        for target, presses in ((1, 4), (2, 1), (1, 3)):
            assert DONE not in game.legal_moves(0) or not game.demand
            game.play(0, effect(target, presses))
        press(game, *[0] * 7)
        assert (game.turn, game.phase) == (0, CARRYING_OUT)
        press(game, 0)
        assert (game.demand, game.turn, game.phase) == (None, 1, PLAYING)

    def test_e_22_a_penalty_meanwhile_is_no_effect(self) -> None:
        game = self.laid()
        game.penalise(2, "advice")
        press(game, 0, 0, 0, 0)
        assert (game.demand, game.turn, game.phase) == (None, 0, CARRYING_OUT)
        assert refused(game, 1, effect(2, 1)) == "E-04"

    @pytest.mark.parametrize(("target", "too_late"), [(0, False), (1, True), (2, False)])
    def test_e_22_presses_of_the_next_player_end_the_catching_g_03(self, target: int, too_late: bool) -> None:
        game = self.laid(held="customizable, red 1")
        game.play(0, effect(target, 1))
        assert catch(0) in game.legal_moves(1)
        press(game, 0)
        assert (catch(0) not in game.legal_moves(1)) is too_late

    def test_e_22_no_other_effect(self) -> None:
        game = self.laid()
        assert set(game.legal_moves(0)) == {DONE} | {
            effect(seat, presses) for seat in range(3) for presses in range(1, 5)
        }
        assert refused(game, 0, effect(1, 5)) == "E-22"
        assert refused(game, 0, effect(3, 1)) == "E-22"

    def test_e_22_nothing_to_carry_out(self) -> None:
        game = deal([LOW, LOW])
        assert refused(game, 0, DONE) == "E-22"
        assert refused(game, 0, effect(1, 1)) == "E-22"

    def test_e_22_uno_can_be_announced_or_caught_meanwhile_g_03(self) -> None:
        game = self.laid(held="customizable, red 1")
        assert game.legal_moves(1) == [catch(0)]
        game.play(0, ANNOUNCE)
        assert not game.legal_moves(1)
        assert game.phase == CARRYING_OUT
