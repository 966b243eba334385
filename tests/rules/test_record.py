"""A match as JSON: read back it is the same; damaged it is refused, with the place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.rules import GAMES, Game, RecordError, from_json, new_game, to_json
from dispenser.rules.engine.moves import TO_THE_LEFT, Act, Move, lay, stand
from dispenser.rules.engine.phases import Phase
from dispenser.rules.record import from_document, to_document
from tests.rules.tables import cards_of, random_actions

GAME_IDS = sorted(GAMES)


def _match(game_id: str = "uno", seed: int = 4, actions: int = 120) -> Any:
    game = new_game(game_id, 3, seed=seed)
    random_actions(game, seed, actions)
    return game


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
        ("version", 3, "version 3 of the format; this program reads versions 1 and 2"),
        ("game", "bridge", "bridge"),
        ("game", 5, '"game" should be the name of a game'),
        ("seats", 40, "2 to 10 players"),
        ("seats", True, '"seats" should be a number of seats'),
        ("options", {"jokers": 3}, "no option 'jokers'"),
        ("options", {"target": 3}, "50 to 2000"),
        ("hidden", 1, '"hidden" should be true or false'),
        ("seed", "x", '"seed" should be a whole number or null'),
        ("bursts", [], '"bursts" should be a list'),
        ("bursts", [-1], '"bursts" should be a list'),
        ("actions", 5, '"actions" should be a list'),
        ("actions", [["play", 0]], r"actions 1: should be \[name, seat, value\]"),
        ("actions", [["fly", 0, 0]], 'there is no action "fly"'),
        ("actions", [["play", 0, "red"]], '"red" of seat 0 is no value for "play"'),
        ("actions", [["play", 0, {"act": "draw"}]], "action 1 is against the rules: no round is under way"),
        ("position", None, '"position" is missing'),
        ("undone", [["play", 9, {"act": "take"}]], "action 1 is against the rules"),
    ],
)
def test_what_is_wrong_is_named(key: str, value: object, message: str) -> None:
    document = to_document(_match())
    document[key] = value
    with pytest.raises(RecordError, match=message):
        from_document(document)


def test_an_altered_position_is_found() -> None:
    document = to_document(_match())
    document["position"]["scores"][1] += 5
    with pytest.raises(RecordError, match=r"scores is .* the file was altered"):
        from_document(document)


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
    assert game.state.conserved()


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
    with pytest.raises(RecordError, match=r"actions 1: .* is no value for \"begin\""):
        from_document(document)


@pytest.mark.parametrize("version", [True, 1.0, "1", None])
def test_a_version_is_a_whole_number(version: object) -> None:
    document = to_document(_match())
    document["version"] = version
    with pytest.raises(RecordError, match=r"reads versions 1 and 2"):
        from_document(document)


def test_an_altered_seat_is_found() -> None:
    document = to_document(_match())
    document["actions"][0][1] = 2
    with pytest.raises(RecordError, match=r"action 1 is written down for seat 2"):
        from_document(document)


def test_an_unknown_part_of_the_position_is_found() -> None:
    document = to_document(_match())
    document["position"]["secret"] = None
    with pytest.raises(RecordError, match="secret is"):
        from_document(document)


V1 = sorted((Path(__file__).parent / "records_v1").glob("*.json"))


@pytest.mark.parametrize("path", V1, ids=lambda path: path.stem)
def test_a_document_of_version_1_is_read_where_moves_were_numbers(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    game = from_json(text)
    old = json.loads(text)
    assert (len(game.log), len(game.undone)) == (len(old["actions"]), len(old["undone"]))
    assert [game.state.held(seat) for seat in range(game.seats)] == old["position"]["hands"]
    assert from_json(to_json(game)).state.save() == game.state.save()


def test_every_game_has_a_document_of_version_1() -> None:
    assert {path.stem.removesuffix("-hidden") for path in V1} == set(GAMES)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (["play", 0, "red"], "no value"),
        (["play", 0, 1 << 40], "no value"),
        (["begin", -1, {"hands": [[-1]]}], "no value"),
        (["fly", 0, 0], 'no action "fly"'),
        (["play", 0], "should be"),
    ],
)
def test_what_is_wrong_in_a_document_of_version_1_is_named(action: object, message: str) -> None:
    document = json.loads(V1[0].read_text(encoding="utf-8"))
    document["actions"][2] = action
    with pytest.raises(RecordError, match=f"actions 3: .*{message}"):
        from_document(document)


def test_moves_can_be_read_by_people() -> None:
    game = new_game("uno", 2, seed=1)
    game.begin(dealer=1, hands=[[52, 1], [2, 3]], first=0)
    game.play(0, lay(52, colour=2))
    assert to_document(game)["actions"] == [
        ["begin", None, {"dealer": 1, "hands": [["wild", "red 1"], ["red 2", "red 3"]], "first": "red 0"}],
        ["play", 0, {"act": "lay", "card": "wild", "colour": "green"}],
    ]


def in_version_1(game: Game, moves: Mapping[int, int]) -> dict[str, Any]:
    """The match as version 1 wrote it down.

    :param moves: which actions are moves, and the number of each.
    """
    document = to_document(game)
    position = document["position"]
    for name in ("exposed", "announced", "gone", "unsaid", *(("fresh",) if game.game_id == "151" else ())):
        if name in position:
            position[name] = sum(1 << seat for seat in position[name])
    position["phase"] = list(Phase).index(Phase(position["phase"]))
    position["calling"] = next(iter(position["calling"]), -1)
    actions = [
        [deed.replace(" ", "_"), -1 if action.seat is None else action.seat, moves.get(number, action.value)]
        for number, (action, (deed, *_)) in enumerate(zip(game.log, document["actions"], strict=True))
    ]
    return document | {"version": 1, "actions": actions}


@pytest.mark.parametrize(
    ("game_id", "options", "hand", "first", "move", "number"),
    [
        ("uno-vache", {"white": 1}, "white, red 1, red 2", "red 9", lay(54, seat=1, other=2), 54 | 2 << 8 | 3 << 16),
        ("151", {"packs": 1}, "joker, king of clubs", "9 of hearts", lay(52, stands_for=38), 52 | 39 << 8),
        (
            "151",
            {"packs": 1},
            "joker, king of clubs",
            "9 of hearts",
            lay(52, stands_for=33, colour=2),
            52 | 34 << 8 | 3 << 16,
        ),
        ("151", {"packs": 1}, "2 of clubs, king of clubs", "joker", stand(7, colour=2), 28 << 24 | 7 | 3 << 8),
        ("uno", {}, "red 1, red 2", "wild", Move(Act.NAME, colour=2), 24 << 24 | 2),
    ],
)
def test_a_move_of_version_1_keeps_all_its_choices(
    game_id: str, options: dict[str, Any], hand: str, first: str, move: Move, number: int
) -> None:
    others = ["green 1, green 2, green 3", "blue 1, blue 2"] if game_id != "151" else ["7 of clubs", "8 of clubs"]
    game = new_game(game_id, 3, options)
    hands = [cards_of(game_id, each) for each in (hand, *others)]
    dealer = 0 if move.act in {Act.NAME, Act.STAND} else 2
    game.begin(dealer=dealer, hands=hands, first=cards_of(game_id, first)[0], pile=())
    if game_id == "uno-vache":
        game.play(2, TO_THE_LEFT)
    game.play(game.turn, move)
    moves = {len(game.log) - 1: number, **({1: 25 << 24} if game_id == "uno-vache" else {})}
    assert from_document(in_version_1(game, moves)).log == game.log
