"""Bots play by the rules, see no more than their seat may, and the sensible one is better than chance."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.bot_matches.figures import interval
from dispenser.bot_matches.match import play_match
from dispenser.odds.presets import PRESETS
from dispenser.rules import GAMES, new_game
from dispenser.rules.bots import BOTS, random_bot, sensible_bot
from dispenser.rules.engine.moves import ANNOUNCE, CHALLENGE, TAKE, Move, catch, lay
from tests.rules.tables import card, cards_of, deal, random_actions
from tests.sampled import sampled

GAME_IDS = sorted(GAMES)
MATCHES = 60
"""Enough to tell the two apart; the README has the figures over 10,000."""


@pytest.mark.parametrize("game_id", sampled(GAME_IDS, 2))
def test_the_sensible_bot_beats_random_ones(game_id: str) -> None:
    """One sensible player among random ones wins more often than its share; in 151 all win who do not lose."""
    seats = 4 if game_id == "uno-vache" else 3
    options = {"target": 100} if game_id in {"uno", "uno-extreme"} else {}
    won = 0.0
    for number in range(MATCHES):
        sensible = number % seats
        bots = [sensible_bot if seat == sensible else random_bot for seat in range(seats)]
        told = play_match(game_id, bots, seed=f"{game_id} {number}", design=PRESETS["toy"], options=options)
        won += told.wins[sensible]
    low, _ = interval(won, MATCHES)
    assert low > 1 / seats, f"{won} of {MATCHES}"


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("name", sorted(BOTS))
def test_every_choice_is_legal(game_id: str, name: str) -> None:
    for seed in range(8):
        random = Random(seed)
        game = new_game(game_id, 3, seed=seed)
        for part in range(40):
            random_actions(game, 100 * seed + part, 3)
            for seat in game.actors():
                choice = BOTS[name](game.observe(seat), random)
                if seat == game.turn and not game.state.demands:
                    assert choice is not None
                if choice is not None:
                    assert choice in game.legal_moves(seat)


class TestSensible:
    """What the sensible bot does in plain situations."""

    @staticmethod
    def choice(game, seat: int = 0):
        return sensible_bot(game.observe(seat), Random(1))

    def test_it_announces_and_catches(self) -> None:
        game = deal("uno", ["red 1, red 2", "blue 1, blue 2, blue 3", "green 1, green 2"], "red 9")
        assert self.choice(game) == ANNOUNCE
        game.play(0, lay(cards_of("uno", "red 1")[0]))
        assert self.choice(game, 2) == catch(0)

    def test_it_keeps_a_wild_when_something_else_fits(self) -> None:
        game = deal("uno", ["red 1, wild, blue 2", "blue 1, blue 2, blue 3, blue 4, blue 5, blue 6"], "red 9")
        assert self.choice(game) == lay(cards_of("uno", "red 1")[0])

    def test_it_names_the_colour_it_has_most_of(self) -> None:
        game = deal("uno", ["wild, green 1, green 2, green 3, blue 4", "blue 1, blue 2, blue 3"], "red 9")
        choice = self.choice(game)
        assert choice == lay(card(GAMES["uno"].rules.cards, "wild"), colour=2)

    def test_it_discards_many_at_once(self) -> None:
        hands = ["red discard all, red 1, red 2, red 4, red 5, blue 3", "blue 1, blue 2, blue 3, blue 4"]
        game = deal("uno-extreme", hands, "red 3")
        assert self.choice(game) == ANNOUNCE, "one card is left then"
        game.play(0, ANNOUNCE)
        assert self.choice(game) == lay(card(GAMES["uno-extreme"].rules.cards, "red discard all"))

    @pytest.mark.parametrize(("rest", "answer"), [(6, CHALLENGE), (2, TAKE)])
    def test_it_doubts_a_plus_four_from_a_large_hand(self, rest: int, answer: Move) -> None:
        mine = ", ".join(["+4", *(f"blue {number}" for number in range(1, rest + 1))])
        game = deal("uno", [mine, "green 1, green 2, green 3", "yellow 1, yellow 2"], "red 9")
        game.play(0, lay(card(GAMES["uno"].rules.cards, "+4"), colour=1))
        assert self.choice(game, 1) == answer

    def test_it_lays_a_plus_four_only_when_nothing_else_fits(self) -> None:
        mine = "red 1, +4, blue 2, blue 3"
        game = deal("uno", [mine, "green 1"], "red 9")  # the other has one card: a +4 would hurt most
        assert self.choice(game) == lay(cards_of("uno", "red 1")[0])
        game = deal("uno", ["+4, blue 2, blue 3", "green 1, green 2"], "red 9")
        choice = self.choice(game)
        assert choice is not None
        assert choice.card == card(GAMES["uno"].rules.cards, "+4")


def test_two_sensible_players_come_to_an_end() -> None:
    """Found by a reader: bluffs that are doubted for ever kept a round from ending."""
    for number in range(30):
        told = play_match("uno", [sensible_bot] * 2, seed=f"two {number}", design=PRESETS["toy"])
        assert not told.given_up, number
