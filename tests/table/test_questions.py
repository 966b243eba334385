"""What the table is asked is answered with what the phone was given, and the engine takes it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dispenser.rules import Game, new_game
from dispenser.rules.engine.demands import POINTS, TURN_UP
from dispenser.rules.engine.moves import CHALLENGE, lay
from dispenser.rules.engine.record import notes_of
from dispenser.rules.registry import GAMES
from dispenser.table.questions import question
from tests.rules.tables import card
from tests.table.buttons import NAMES, OPTIONS, cards_in, leaves, match, played, sent, taps


def filled_in(send: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    """What a phone sends with a value in its place, as the page puts it there."""
    filled: dict[str, Any] = json.loads(json.dumps(send))
    *path, last = key.split(".")
    place: Any = filled
    for step in path:
        place = place[int(step) if isinstance(place, list) else step]
    place[int(last) if isinstance(place, list) else last] = value
    return filled


def do(game: Game, choice: dict[str, Any], value: object = None) -> None:
    kind = choice.get("number") or choice.get("pick")
    command = filled_in(choice["send"], kind["key"], value) if kind else choice["send"]
    game.attempt(notes_of(game.state.cards).read(sent({"send": command})))


def middle(game_id: str, hands: list[str], first: str, **more: Any) -> Game:
    """A hidden round under way, with the known cards of the hands and ``?`` for others; seat 0 is to play."""
    game = new_game(game_id, len(hands), OPTIONS[game_id], hidden=True)
    deal = {"hands": [hand.split(", ") for hand in hands], "first": first, "turn": 0, **more}
    game.attempt(notes_of(game.state.cards).read(["begin", None, deal]))
    return game


@pytest.mark.parametrize("game_id", GAMES)
def test_any_card_can_be_said_to_be_turned_up_in_two_taps(game_id: str) -> None:
    game = match(game_id, hidden=True)
    for _ in played(game, 31, 20):
        if game.question is not None and game.question.kind == TURN_UP:
            break
    asked = question(game, "fr", NAMES)
    assert asked is not None
    assert asked["text"] == "Retournez la première carte. Laquelle est-ce\u00a0?"
    assert set(cards_in(asked["choices"])) == {game.state.cards.names[kind].en for kind in game.state.deck()}
    for leaf in leaves(asked["choices"]):
        assert sent(leaf) == ["answer", None, leaf["card"]["name"]]
        assert taps(asked["choices"], sent(leaf)) <= 2
        do(game, leaf)
        game.undo()


def test_a_card_that_was_put_back_is_not_turned_up_again() -> None:
    game = match("uno-extreme", hidden=True)
    game.begin(dealer=0)
    for _ in range(4):
        game.answer(card(game.state.cards, "extreme hit"))
    asked = question(game, "en", NAMES)
    assert asked is not None
    assert "extreme hit" not in set(cards_in(asked["choices"]))


def left_in_hand(hand: str) -> tuple[Game, dict[str, Any]]:
    game = middle("uno", ["?", hand, "?, ?"], "red 3")
    game.play(0, lay(card(game.state.cards, "red 5")))
    asked = question(game, "en", NAMES)
    assert asked is not None
    assert game.question is not None
    assert game.question.kind == POINTS
    return game, asked


def test_what_is_left_in_a_hand_is_a_number() -> None:
    game, asked = left_in_hand("?, ?, red 9")
    number, _ = asked["choices"]
    assert {name: number["number"][name] for name in ("least", "most")} == {"least": 9, "most": 109}
    assert number["number"]["rule"] == "U-20"
    assert 9 < number["number"]["likely"] < 60
    assert asked["text"] == "Bob, count your hand."
    do(game, number, 31)
    assert game.state.points[1] == 31


def test_what_is_left_in_a_hand_is_its_cards_those_that_are_known_among_them() -> None:
    game, asked = left_in_hand("?, ?, red 9")
    _, tap = asked["choices"]
    pick = tap["pick"]
    assert (pick["least"], pick["most"], pick["given"]) == (3, 3, ["red 9"])
    copies = {leaf["value"]: leaf["copies"] for leaf in leaves(pick["cards"])}
    assert not any("send" in leaf for leaf in leaves(pick["cards"]))
    assert (copies["red 9"], copies["red 5"], copies["red 0"], copies["wild"]) == (1, 1, 1, 4)
    do(game, tap, [*pick["given"], "wild", "red 0"])
    assert game.state.points[1] == 59


def test_who_doubts_a_plus_four_is_told_by_yes_or_no() -> None:
    game = middle("uno", ["?, ?", "?, ?", "?, ?"], "red 3")
    game.play(0, lay(card(game.state.cards, "+4"), colour=0))
    game.play(1, CHALLENGE)
    accused = [(question(game, language, NAMES, you=0) or {})["text"] for language in ("en", "fr")]
    assert accused == [
        "Show your hand: did you have another card to play?",
        "Montre ta main\u00a0: tu avais une autre carte à poser\u00a0?",
    ]
    asked = question(game, "fr", NAMES)
    assert asked is not None
    assert [(each["label"], sent(each)) for each in asked["choices"]] == [
        ("Oui", ["answer", 0, True]),
        ("Non", ["answer", 0, False]),
    ]
    do(game, asked["choices"][0])
    assert game.demand is not None
    assert game.demand.payer == 0


def test_what_went_down_with_a_discard_all_is_tapped_or_is_nothing() -> None:
    def asked(hand: str) -> tuple[Game, list[dict[str, Any]]]:
        game = middle("uno-extreme", [hand, "?, ?", "?, ?"], "red 3")
        game.play(0, lay(card(game.state.cards, "red discard all")))
        told = question(game, "en", NAMES)
        assert told is not None
        return game, told["choices"]

    game, (none, tap) = asked("?, ?, ?, red 5")
    pick = tap["pick"]
    assert (pick["least"], pick["most"], pick["given"]) == (1, 3, ["red 5"])
    assert {name.split()[0] for name in cards_in(pick["cards"])} == {"red"}
    do(game, tap, ["red 5", "red 9"])
    assert game.state.sizes[0] == 1
    game, (none, tap) = asked("?, ?, ?")
    do(game, none)
    assert game.state.sizes[0] == 2
