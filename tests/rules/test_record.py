"""A match as JSON: read back it is the same; damaged it is refused, with the place."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.rules import GAMES, RecordError, from_json, new_game, to_json
from dispenser.rules.engine.moves import lay
from dispenser.rules.record import from_document, to_document
from tests.rules.bilingual import caught, leaks
from tests.rules.tables import conserved, random_actions

GAME_IDS = sorted(GAMES)
KEYS = {"play", "begin", "draw", "fly", "hands", "scores", "secret", "turn", "first"}
"""Words of a file, which are the same in each language."""


def _match(game_id: str = "uno", seed: int = 4, actions: int = 120) -> Any:
    game = new_game(game_id, 3, seed=seed)
    random_actions(game, seed, actions)
    return game


def refused(record: Any, **changes: object) -> str:
    """What is said against the record with other values in it; in French it says the same."""
    error = caught(lambda: from_document(to_document(record) | changes))
    assert type(error) is RecordError
    assert leaks(error.text, KEYS) == []
    return error.text.en


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_read_back_it_is_the_same_match(game_id: str) -> None:
    game = _match(game_id, actions=300)
    for _ in range(10):
        game.undo()
    again = from_json(to_json(game))
    assert again.state.save() == game.state.save()
    assert again.log == game.log
    while game.undone:
        game.redo()
        again.redo()
        assert again.state.save() == game.state.save()


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_an_action_a_line(game_id: str) -> None:
    game = _match(game_id)
    lines = to_json(game).splitlines()
    assert len(lines) == len(game.log) + 3


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", "pgn", '"format" should be "dispenser-match"'),
        ("version", 3, "version 3 of the format; this program reads version 2"),
        ("game", "bridge", "bridge"),
        ("version", True, "version true of the format"),
        ("game", 5, '"game" cannot be 5'),
        ("seats", 40, "2 to 10 players"),
        ("seats", True, '"seats" cannot be true'),
        ("options", {"jokers": 3}, "no option 'jokers'"),
        ("options", {"target": 3}, "50 to 2000"),
        ("hidden", 1, '"hidden" cannot be 1'),
        ("seed", "x", '"seed" cannot be "x"'),
        ("bursts", [], '"bursts" cannot be'),
        ("bursts", [-1], '"bursts" cannot be'),
        ("actions", 5, '"actions" should be a list'),
        ("actions", [["play", 0]], r'actions 1: \["play", 0\] is no action of this game'),
        ("actions", [["fly", 0, 0]], '"fly", 0, 0'),
        ("actions", [["play", 0, "red"]], "is no action of this game"),
        ("actions", [["play", 0, {"act": "draw"}]], "action 1 is against the rules: no round is under way"),
        ("position", None, '"position" is missing'),
        ("undone", [["play", 9, {"act": "take"}]], "action 1 is against the rules"),
    ],
)
def test_what_is_wrong_is_named_in_both_languages(key: str, value: object, message: str) -> None:
    assert re.search(message, refused(_match(), **{key: value}))


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("scores", [9, 9, 9], r"scores is \[0, 0, 0\] and not \[9, 9, 9\]; the file was altered"),
        ("secret", None, "secret is"),
    ],
)
def test_an_altered_position_is_found(part: str, value: object, message: str) -> None:
    game = _match(actions=60)
    position = to_document(game)["position"] | {part: value}
    assert re.search(message, refused(game, position=position))


def test_an_altered_seat_is_found() -> None:
    game = _match()
    actions = to_document(game)["actions"]
    actions[0][1] = 2
    assert "action 1 is written down for seat 2" in refused(game, actions=actions)


@given(st.data())
def test_any_damage_is_refused_or_harmless(data: st.DataObject) -> None:
    """Bytes changed, cut out or doubled anywhere: a clear error, or a match that obeys the rules."""
    text = to_json(_match(data.draw(st.sampled_from(GAME_IDS)), actions=40)).encode()
    start = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 20))
    damaged = text[:start] + data.draw(st.binary(max_size=20)) + text[start + length :]
    try:
        game = from_json(damaged)
    except RecordError:
        return
    assert conserved(game.state)


@pytest.mark.long
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=4)))
def test_any_value_of_an_action_is_refused_or_legal(value: object) -> None:
    document = to_document(_match(actions=20))
    random = Random(0)
    for name in ("play", "fulfil", "begin", "answer", "penalise", "hand size", "hand", "turn", "reload", "count round"):
        altered = json.loads(json.dumps(document))
        altered["actions"].insert(random.randrange(len(altered["actions"])), [name, random.randint(-2, 4), value])
        if (name == "fulfil" and not value) or (name in {"turn", "reload"} and value is None):
            continue  # that nothing came out may well be, and a turn may be set right
        with pytest.raises(RecordError):
            from_document(altered)


def test_no_json_at_all() -> None:
    for text in ("", "[", "[]", "null", b"\xff", "[" * 100_000):
        with pytest.raises(RecordError, match="not a recorded match"):
            from_json(text)


@pytest.mark.parametrize(
    "value",
    [{"hands": 5}, {"hands": [1, 2, 3]}, {"dealer": [1]}, {"draws": 3}, {"pile": 7}, {"first": "red 99"}, {"foo": 1}],
)
def test_a_deal_of_another_form(value: object) -> None:
    document = to_document(_match())
    document["actions"][0] = ["begin", None, value]
    with pytest.raises(RecordError, match="is no action of this game"):
        from_document(document)


def test_moves_can_be_read_by_people() -> None:
    game = new_game("uno", 2, seed=1)
    game.begin(dealer=1, hands=[[52, 1], [2, 3]], first=0)
    game.play(0, lay(52, colour=2))
    assert to_document(game)["actions"] == [
        ["begin", None, {"dealer": 1, "hands": [["wild", "red 1"], ["red 2", "red 3"]], "first": "red 0"}],
        ["play", 0, {"act": "lay", "card": "wild", "colour": "green"}],
    ]
