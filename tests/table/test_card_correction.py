"""Another card was laid than was told: it is set right, and what followed stays."""

from __future__ import annotations

from typing import Any

import pytest

from dispenser.rules.engine.history import Deed
from dispenser.table import commands as c
from dispenser.table.card_correction import other_cards
from tests.table.evening import Sat, referee, turn_up


def leaves(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [leaf for each in choices for leaf in (leaves(each["next"]) if "next" in each else [each])]


def playing() -> Sat:
    """Uno as referee: red 7 turned up, Ana and Bob have laid red 5 and red 3, whoever began."""
    sat = referee("uno", "red 7", "Ana", "Bob")
    for card in ("red 5", "red 3"):
        sat.lay(sat.match.game.turn, card)
    return sat


def other(sat: Sat, card: str, place: int = 2) -> c.SetCard:
    return c.SetCard(place, ["play", sat.match.game.log[place].seat, {"act": "lay", "card": card}])


def test_the_card_before_was_another_and_what_followed_stays() -> None:
    sat = playing()
    game, seat = sat.match.game, sat.match.game.log[2].seat
    sat.execute(other(sat, "red 4"), 2)
    assert [action.value.card for action in game.log[2:4]] == [4, 3]
    assert game.state.talon[-2:] == [4, 3]
    assert game.turn == seat
    sat.check()


def test_a_card_that_was_set_right_meanwhile_is_not_set_again() -> None:
    sat = playing()
    at = sat.table.at
    sat.execute(other(sat, "red 4"), 2, at=at)
    assert sat.refused(other(sat, "red 9"), at=at) == "too_late"


def test_what_followed_must_fit() -> None:
    sat = playing()
    sat.refused(other(sat, "red skip"))


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
    playing().refused(c.SetCard(place, action))


def test_the_sheet_offers_what_could_have_been_laid_and_leaves_the_match_as_it_is() -> None:
    match = playing().match
    before = list(match.game.log), list(match.game.undone), match.game.turn
    offered = other_cards(match, "en", ["Ana", "Bob"])
    assert (list(match.game.log), list(match.game.undone), match.game.turn) == before
    assert [each["label"].split(": ")[1] for each in offered] == ["red 3", "red 5"]
    for each in offered:
        (place,) = {leaf["send"]["place"] for leaf in leaves([each])}
        for leaf in leaves([each]):
            action = match.action(leaf["send"]["action"])
            assert (action.deed, action.seat) == (Deed.PLAY, match.game.log[place].seat)


def test_what_was_laid_in_the_round_before_stays() -> None:
    sat = playing()
    sat.execute(c.Out(0, [0, 5]))
    sat.execute(c.Deal())
    turn_up(sat, "red 7")
    assert other_cards(sat.match, "en", ["Ana", "Bob"]) == []
    sat.refused(other(sat, "red 4", 3))
