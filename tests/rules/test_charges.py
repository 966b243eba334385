"""What brings presses or cards, for people who tell only that: nothing is missing, each figure is the game's own."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dispenser.i18n import LANGUAGES, Text
from dispenser.rules import GAMES, Game, OptionError, new_game
from dispenser.rules.charges import Charge, charges
from dispenser.rules.engine.demands import Demand
from dispenser.rules.engine.events import What
from dispenser.rules.engine.history import Deed
from dispenser.rules.engine.moves import DRAW
from dispenser.rules.engine.phases import IN_ROUND
from dispenser.rules.library import RULES
from tests.rules.bilingual import leaks
from tests.rules.tables import random_actions, some_of
from tests.sampled import sampled

GAME_IDS = sorted(GAMES)


def told(game_id: str, language: str = "en", **options: Any) -> dict[str, tuple[str, int]]:
    game = new_game(game_id, 4, {name.replace("_", "-"): value for name, value in options.items()})
    return {charge.name[language]: (charge.rule, charge.number) for charge in charges(game)}


def is_one_of(demand: Demand, all_of_them: list[Charge]) -> bool:
    return any(
        demand.rule in (charge.rule, *charge.also)
        and demand.kind is charge.kind
        and (demand.number == charge.number or (not charge.number and 0 < demand.number <= charge.most))
        for charge in all_of_them
    )


def owed_in(game: Game, seed: int, actions: int) -> set[Demand]:
    """All that was ever owed in a random game, with an offence now and then."""
    random, owed = Random(seed), set[Demand]()
    for step in range(actions):
        if game.offences and game.phase in IN_ROUND and game.state.talon and random.random() < 0.02:
            seat = random.choice(game.state.still_in())
            if seat != game.state.going_out:
                game.penalise(seat, random.choice(sorted(game.offences)))
        else:
            random_actions(game, seed + step, 1)
        owed.update(event.demand for event in game.events if event.what is What.OWES and event.demand)
        if game.log[-1].deed is Deed.PLAY and game.log[-1].value is DRAW:
            owed.add(game.state.demands[-1])  # that is not told
    return owed


class TestComplete:
    @pytest.mark.parametrize("game_id", sampled(GAME_IDS, 3))
    def test_whatever_was_ever_owed_is_among_them_or_one_for_not_playing(self, game_id: str) -> None:
        seen: set[str] = set()
        for seed in range(60):
            random = Random(f"{game_id} {seed}")
            book = GAMES[game_id].book
            options = {option.name: random.choice(some_of(option.values)) for option in book.options}
            try:
                game = new_game(game_id, random.choice(list(book.seats)[:5]), options, seed=seed)
            except OptionError:
                continue
            state = game.state
            known = [*charges(game), Charge(state.words.drawing, state.draw_rule, state.draws, 1, 1)]
            for demand in owed_in(game, seed, 250):
                assert is_one_of(demand, known), f"{game_id}, {options}, seed {seed}: {demand}"
                seen.add(demand.rule)
        rules = {rule for charge in charges(new_game(game_id, 4)) for rule in (charge.rule, *charge.also)}
        assert rules - seen <= {"E-09"}, "each of them does come up; there is one Press 4 only"


class TestEach:
    def test_of_uno_extreme(self) -> None:
        assert told("uno-extreme") == {
            "Press 2": ("E-17", 2),
            "Press 4": ("E-20", 4),
            "Extreme Hit": ("E-21", 2),
            "Customizable": ("E-22", 0),
            "Forgot to say “UNO”": ("E-24", 2),
            "Advice given to a player": ("E-25", 4),
        }

    def test_of_uno_vache(self) -> None:
        assert told("uno-vache") == {
            "Chain of “+”": ("V-09", 0),
            "Chain cancelled": ("V-14", 0),
            "Black card played last": ("V-19", 1),
            "Forgot to say “OU PAS”": ("V-23", 1),
            "Forgot to say “UNO”": ("V-22", 1),
            "A broken rule of conduct": ("V-17", 1),
        }

    def test_a_chain_is_no_longer_than_the_cards_that_make_it_v_09_h_09(self) -> None:
        assert [charge.most for charge in charges(new_game("uno-vache", 4)) if not charge.number] == [32, 32]
        assert charges(new_game("huit-americain", 4, {"packs": 2}))[0].most == 16
        assert next(charge.most for charge in charges(new_game("uno-extreme", 4)) if charge.rule == "E-22") == 4


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_each_has_a_name_a_rule_and_the_figures_that_the_game_owes_by(game_id: str) -> None:
    game = new_game(game_id, 4)
    every = charges(game)
    assert len({charge.name.en for charge in every}) == len(every)
    for charge in every:
        assert {charge.rule, *charge.also} <= RULES.keys()
        assert charge.kind is game.state.draws
        assert charge.most > 0
        assert charge.number in (0, charge.most)
        assert isinstance(charge.name, Text)
        assert all(charge.name[language] for language in LANGUAGES)
        assert charge.card is None or charge.card in game.state.deck()
    assert set(game.offences.values()) <= {(charge.rule, charge.number) for charge in every}
    assert leaks(game.state.words.drawing) == []
