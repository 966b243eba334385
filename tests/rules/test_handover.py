"""A match goes on in another game, told in another way: nothing that a table sees of it is lost."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from dispenser.rules import GAMES, Game, IllegalMove, OptionError, from_json, new_game, to_json
from dispenser.rules.engine.moves import LAYING, Act, lay
from dispenser.rules.engine.phases import IDLE, MATCH_OVER
from dispenser.rules.handover import can_hand_over, position_of
from tests.rules.refusals import counting
from tests.rules.shadow import Table
from tests.rules.tables import cards_of, deal, random_actions, some_of
from tests.sampled import sampled

GAME_IDS = sorted(GAMES)
THE_SAME = ("turn", "phase", "sizes", "top", "colour", "matches", "direction", "gone", "talon", "scores", "demands")
SPOKEN = {Act.ANNOUNCE, Act.CATCH, Act.RETRACT, Act.CATCH_RETRACT, Act.JUMP_IN}
"""What hangs on what was said or done last is dropped."""


def evenings(game_id: str, number: int) -> Iterator[tuple[Table, Random]]:
    """Tables of all sizes and options, each somewhere in its match, where it can be handed over."""
    for seed in range(number):
        random = Random(f"{game_id} {seed}")
        book = GAMES[game_id].book
        options = {option.name: random.choice(some_of(option.values)) for option in book.options}
        if seed % 3 == 0 and "scoring" in options and game_id == "uno-extreme":
            options |= {"scoring": "elimination", "target": 50}
        try:
            table = Table(game_id, random.choice(list(book.seats)[:6]), options, seed)
        except OptionError:
            continue
        for _ in range(random.randrange(1, 250)):
            if not table.over:
                table.step(random)
        while not table.over and not (can_hand_over(table.open) and can_hand_over(table.hidden)):
            table.step(random)
        if not table.over:
            yield table, random


def taken_over(game: Game, *, hidden: bool, seed: int | None = None) -> Game:
    """A new game of the same sort that goes on from there."""
    again = new_game(game.game_id, game.seats, game.state.options, hidden=hidden, seed=seed)
    position = position_of(game, hidden=hidden)
    if game.phase is IDLE:
        position.setdefault("dealer", game.state.still_in()[0])
    again.begin(**position)
    return again


def laying(game: Game) -> list[set[Any]]:
    """What each seat may lay, or do else that hangs on the position alone."""
    return [{move for move in game.legal_moves(seat) if move.act not in SPOKEN} for seat in range(game.seats)]


@pytest.mark.parametrize("game_id", sampled(GAME_IDS, 3))
def test_an_open_match_goes_on_in_an_open_one_to_its_end(game_id: str) -> None:
    done = 0
    for table, _ in evenings(game_id, 25):
        game = table.open
        again = taken_over(game, hidden=False, seed=1)
        if game.phase is IDLE:
            assert (again.state.scores, again.state.gone) == (game.state.scores, game.state.gone), table.label
        else:
            for name in (*THE_SAME, "hands"):
                assert getattr(again.state, name) == getattr(game.state, name), f"{table.label}: {name}"
            assert again.state.in_pile() == game.state.in_pile(), table.label
            if game.state.is_in(game.state.dealer):
                assert again.state.dealer == game.state.dealer, table.label
            if game_id != "151":  # nobody goes out in the first turn: everybody is taken to have had one
                assert laying(again) == laying(game), table.label
        assert again.state.order_of_leaving() == game.state.order_of_leaving()
        assert again.state.conserved()
        assert from_json(to_json(again)).state.save() == again.state.save()
        random_actions(again, 1, 3000)
        assert again.state.conserved()
        done += again.phase is MATCH_OVER or again.state.round > 1
    assert done > 10


@pytest.mark.parametrize("source", sampled(["open", "hidden"], 2))
@pytest.mark.parametrize("game_id", GAME_IDS)
def test_with_real_cards_it_goes_on_as_it_would_have(game_id: str, source: str) -> None:
    """The same moves go on in the hidden game that followed from the start and in the one that took over."""
    for table, random in evenings(game_id, 20):
        if table.open.phase is IDLE:
            continue
        again = taken_over(getattr(table, source), hidden=True)
        for name in THE_SAME:
            assert getattr(again.state, name) == getattr(table.hidden.state, name), f"{table.label}: {name}"
        assert again.state.in_pile() == table.hidden.state.in_pile(), table.label
        assert again.state.conserved()
        table.hidden = again
        for _ in range(60):
            if table.over or table.open.phase is IDLE:
                break
            seat = table.open.turn
            moves = [move for move in table.open.legal_moves(seat) if move.act not in SPOKEN]
            if table.open.demand:
                table.deliver()
            else:
                cards = [move for move in moves if move.act in LAYING]
                table.play(seat, random.choice(cards or moves))
            for name in ("turn", "sizes", "top", "colour", "direction", "gone", "scores"):
                if table.hidden.phase is table.open.phase:
                    assert getattr(again.state, name) == getattr(table.open.state, name), f"{table.label}: {name}"


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_hands_that_were_hidden_are_laid_open(game_id: str) -> None:
    for table, _ in evenings(game_id, 10):
        if table.open.phase is IDLE:
            continue
        position = position_of(table.hidden, hidden=False)
        position["hands"] = [table.open.state.held(seat) for seat in range(table.open.seats)]
        again = new_game(game_id, table.open.seats, table.open.state.options, seed=2)
        again.begin(**position)
        for name in (*THE_SAME, "hands"):
            assert getattr(again.state, name) == getattr(table.open.state, name), f"{table.label}: {name}"


def test_a_joker_stands_for_the_same_card_as_before_c_12() -> None:
    game = new_game("151", 2, seed=1)
    hands = [cards_of("151", "2 of clubs, 3 of clubs"), cards_of("151", "2 of hearts, 3 of hearts")]
    ace = cards_of("151", "ace of spades")[0]
    game.begin(hands=hands, first=cards_of("151", "joker")[0], turn=0, stands_for=ace)
    assert game.state.top == ace
    assert not [move for move in game.legal_moves(0) if move.act is Act.LAY]
    assert position_of(game, hidden=False)["stands_for"] == ace
    assert "ace of spades" in to_json(game)
    assert from_json(to_json(game)).state.save() == game.state.save()


@pytest.mark.parametrize(
    ("game_id", "said", "rule"),
    [
        ("151", {"first": "7 of clubs", "stands_for": "8 of clubs"}, "G-06"),
        ("151", {"first": "joker", "stands_for": "joker"}, "G-06"),
        ("uno", {"first": "wild", "stands_for": "red 7"}, "G-06"),
        ("uno", {"first": "red 7", "gone": [2]}, "G-06"),
        ("uno-extreme", {"first": "red 7", "gone": [2]}, "E-30"),
        ("uno-vache", {"first": "red 7", "gone": [2, 1]}, "V-18"),
        ("uno-vache", {"first": "red 7", "gone": [3]}, "G-06"),
        ("uno-vache", {"first": "red 7", "gone": [2, 2]}, "G-06"),
    ],
)
def test_what_cannot_be_is_refused(game_id: str, said: dict[str, Any], rule: str) -> None:
    suit = " of clubs" if game_id == "151" else ""
    cards = [f"{number}{suit}" if suit else f"blue {number}" for number in (3, 4, 5)]
    named = {name: cards_of(game_id, card)[0] for name, card in said.items() if isinstance(card, str)}
    gone = said.get("gone", ())
    hands = [() if seat in gone else cards_of(game_id, cards[seat]) for seat in range(3)]
    game = new_game(game_id, 3, {"packs": 2} if game_id == "151" else {}, hidden=True)
    before = game.state.save()
    with pytest.raises(IllegalMove) as refusal:
        game.begin(**({"gone": gone} if gone else {}), hands=hands, turn=0, **named)
    assert (refusal.value.rule, game.state.save()) == (rule, before)


def test_who_is_out_stays_out_in_the_order_of_going_v_24() -> None:
    hands = [cards_of("uno-vache", "red 1, red 2"), (), cards_of("uno-vache", "red 3, red 4"), ()]
    hands.append(cards_of("uno-vache", "red 5, red 6"))
    game = new_game("uno-vache", 5, hidden=True)
    game.begin(hands=hands, first=cards_of("uno-vache", "blue 1")[0], turn=0, gone=[3, 1])
    assert game.ranking()[:2] == (3, 1)
    game.play(0, lay(cards_of("uno-vache", "red 1")[0]))
    assert game.turn == 2


def test_who_is_eliminated_is_dealt_no_cards_e_30() -> None:
    game = new_game("uno-extreme", 4, {"scoring": "elimination"}, seed=1)
    game.begin(scores=[10, 501, 20, 600], gone=[3, 1])
    assert game.state.sizes == [7, 0, 7, 0]
    assert game.ranking() == (0, 2, 1, 3)


def test_while_something_is_owed_or_asked_the_table_waits() -> None:
    game = deal("uno", ["red +2, red 2", "red 4, blue 2"], "red 9")
    game.play(0, lay(cards_of("uno", "red +2")[0]))
    for waiting in (game, counting()):
        assert not can_hand_over(waiting)
        with pytest.raises(ValueError, match="nothing is owed"):
            position_of(waiting, hidden=True)
