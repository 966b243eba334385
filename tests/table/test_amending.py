"""Another card was laid than was told: it is set right, and what followed stays."""

from __future__ import annotations

from typing import Any

import pytest

from dispenser.rules.engine.history import Action, Deed
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.card_correction import other_cards
from dispenser.table.decisions import execute
from dispenser.table.errors import TableRefusal, TooLateError
from dispenser.table.people import Who
from dispenser.table.table import Table

ANA, BOB = Who(1), Who(2)


def leaves(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [leaf for each in choices for leaf in (leaves(each["next"]) if "next" in each else [each])]


def playing() -> Table:
    """Uno as referee: red 7 turned up, Ana and Bob have laid red 5 and red 3, whoever began."""
    table = Table(lambda _: b"s" * 32)
    execute(table, c.Open("Ana"), Who(owner=True, secret="a", table="T", commitment="c" * 64))
    execute(table, c.Join("Bob"), Who(secret="b"))
    execute(table, c.Start("uno"), ANA)
    execute(table, c.Act(["answer", None, "red 7"]), ANA)
    for card in ("red 5", "red 3"):
        assert table.match is not None
        seat = table.match.game.turn
        execute(table, c.Act(["play", seat, {"act": "lay", "card": card}]), Who(table.match.order[seat]))
    return table


def test_the_card_before_was_another_and_what_followed_stays() -> None:
    table = playing()
    assert table.match is not None
    game, seat = table.match.game, table.match.game.log[2].seat
    execute(table, c.SetCard(2, ["play", seat, {"act": "lay", "card": "red 4"}]), BOB)
    assert [action.value.card for action in game.log[2:4]] == [4, 3]
    assert game.state.talon[-2:] == [4, 3]
    assert game.turn == seat


def test_a_card_that_was_set_right_meanwhile_is_not_set_again() -> None:
    table = playing()
    assert table.match is not None
    seat, at = table.match.game.log[2].seat, table.at
    execute(table, c.SetCard(2, ["play", seat, {"act": "lay", "card": "red 4"}]), BOB._replace(at=at))
    with pytest.raises(TooLateError):
        execute(table, c.SetCard(2, ["play", seat, {"act": "lay", "card": "red 9"}]), ANA._replace(at=at))


def test_what_followed_must_fit() -> None:
    table = playing()
    assert table.match is not None
    seat = table.match.game.log[2].seat
    before = list(table.match.game.log)
    with pytest.raises(TableRefusal):
        execute(table, c.SetCard(2, ["play", seat, {"act": "lay", "card": "red skip"}]), ANA)
    assert list(table.match.game.log) == before


@pytest.mark.parametrize(
    ("place", "action"),
    [
        (0, ["begin", None, {}]),
        (99, ["play", 0, {"act": "lay", "card": "red 4"}]),
        (2, ["fulfil", 0, 3]),
        (2, ["play", 0, {"act": "draw"}]),
        (2, ["nonsense"]),
    ],
)
def test_only_cards_can_be_others(place: int, action: list[Any]) -> None:
    table = playing()
    with pytest.raises(TableRefusal):
        execute(table, c.SetCard(place, action), ANA)


def test_the_sheet_offers_what_could_have_been_laid_and_leaves_the_match_as_it_is() -> None:
    table = playing()
    match = table.match
    assert match is not None
    before = list(match.game.log), list(match.game.undone), match.game.turn
    offered = other_cards(match, "en", ["Ana", "Bob"])
    assert (list(match.game.log), list(match.game.undone), match.game.turn) == before
    assert [each["label"].split(": ")[1] for each in offered] == ["red 3", "red 5"]
    for each in offered:
        place = leaves([each])[0]["send"]["place"]
        for leaf in leaves([each]):
            action = match.action(leaf["send"]["action"])
            assert leaf["send"]["place"] == place
            assert action.deed is Deed.PLAY
            assert action.seat == match.game.log[place].seat


def test_what_was_laid_in_the_round_before_stays() -> None:
    table = playing()
    match = table.match
    assert match is not None
    execute(table, c.Out(0, [0, 5]), ANA)
    execute(table, c.Deal(), ANA)
    execute(table, c.Act(["answer", None, "red 7"]), ANA)
    assert other_cards(match, "en", ["Ana", "Bob"]) == []
    with pytest.raises(TableRefusal):
        execute(table, c.SetCard(3, ["play", match.game.log[3].seat, {"act": "lay", "card": "red 4"}]), ANA)


def test_with_cards_on_phones_nobody_can_be_mistaken() -> None:
    table = Table(lambda _: b"s" * 32)
    execute(table, c.Open("Ana"), Who(owner=True, secret="a", table="T", commitment="c" * 64))
    execute(table, c.Join("Bob"), Who(secret="b"))
    execute(table, c.Start("uno", telling=e.TrackingMode.CARDS), ANA)
    match = table.match
    assert match is not None
    seat = match.game.turn
    move = next(move for move in match.game.legal_moves(seat) if str(move.act) in {"lay", "draw"})
    execute(table, c.Act(match.notes.write(Action(Deed.PLAY, seat, move))), Who(match.order[seat]))
    with pytest.raises(TableRefusal):
        execute(table, c.SetCard(1, ["play", seat, {"act": "lay", "card": "red 4"}]), ANA)
