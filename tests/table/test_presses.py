"""A press is money: whose it is, what it pays, and what the next one brings."""

from __future__ import annotations

import pytest

from dispenser.rules.registry import GAMES
from dispenser.table import commands as c
from dispenser.table import events as e
from tests.table.evening import Sat, counting, drawing_two, in_turn, owed, pressing_four, referee, turn_up

NOTHING_OWED, COUNT_FIRST = (0, "nothing_owed"), (0, "count_first")
LUCK = (None, None)
MODE = e.TrackingMode


@pytest.mark.parametrize("source", ["button", "page", "api", "phone"])
def test_a_push_from_wherever_pays_the_open_demand_of_whoever_owes_it(source: str) -> None:
    sat = pressing_four()
    assert (owed(sat), sat.order()) == ((1, 2), LUCK)
    assert sat.accepted(source) == [e.PressTaken(press=1, seat=1)]
    assert sat.ended(3) == [e.Acted(action=["fulfil", 1, 3], press=1)]
    assert owed(sat) == (1, 1)
    assert sat.match.game.state.sizes[1] == 10
    assert "Whose turn it is" not in str(sat.sheet()["menu"]), "first what is owed"
    sat.press(0)
    assert owed(sat) is None
    assert "Whose turn it is" in str(sat.sheet()["menu"])
    assert sat.match.game.turn == 2, "the one after plays"
    sat.check()


def test_all_that_each_owes_is_seen_and_not_only_what_is_due() -> None:
    told, counted = pressing_four(), counting()
    for seat in (1, 2):
        told.act("penalise", seat, "advice")
    for seat, charge in ((1, 0), (1, 1), (2, 1)):
        counted.execute(c.ChargeSeat(seat, charge))
    for sat in (told, counted):
        assert [each["owes"] for each in sat.view()["seats"]] == ["", "6×", "4×"]
    struck = [
        each["send"]["debt"] for each in counted.view()["choices"] if (each.get("send") or {}).get("do") == "forgive"
    ]
    assert struck == [1, 2, 3], "each can be struck out"


def test_who_owes_is_called_once_and_not_at_each_press() -> None:
    sat = pressing_four()
    calls = sat.view(2)["calls"]
    assert sat.view(2)["called"]
    sat.press(1)
    assert owed(sat) == (1, 1)
    assert sat.view(2)["calls"] == calls


def test_who_does_not_play_in_uno_extreme_presses_and_that_says_it() -> None:
    """E-14."""
    sat = in_turn(referee("uno-extreme"), 1)
    assert sat.order() == LUCK
    declined, taken = sat.accepted()
    assert isinstance(declined, e.Acted)
    assert (declined.action[:2], taken) == (["play", 1], e.PressTaken(press=1, seat=1))
    assert declined.press == 1
    sat.ended(2)
    assert (sat.match.game.turn, sat.match.game.state.sizes[1]) == (2, 9)
    undone = sat.execute(c.Undo())
    assert undone == [e.Undone(steps=2, by=1)], "the press and what it said are one"
    assert (sat.match.game.turn, sat.match.game.state.sizes[1]) == (1, 7)
    sat.execute(c.Redo())
    assert (sat.match.game.turn, sat.match.game.state.sizes[1]) == (2, 9)
    sat.check()


def test_between_rounds_and_without_a_match_it_is_just_a_press() -> None:
    sat = Sat()
    assert (sat.order(), sat.press(5)) == (LUCK, [])
    sat.execute(c.Start("uno-extreme"))
    turn_up(sat, "red 5")
    sat.execute(c.Out(0, [0, 5, 9]))
    assert (sat.order(), sat.press(4)) == (LUCK, [])


def test_an_eject_with_a_number_of_its_own_pays_nothing() -> None:
    sat = pressing_four()
    assert sat.accepted(ejected=3) == []
    assert sat.ended(3) == []
    assert owed(sat) == (1, 2)


def test_what_came_after_the_match_was_stopped_is_nobodys() -> None:
    sat = pressing_four()
    sat.accepted()
    sat.execute(c.EndMatch())
    assert sat.ended(3) == []
    assert sat.order() == LUCK
    sat.check()


def test_a_debt_that_was_taken_back_while_the_burst_ran_leaves_cards_that_nobody_owes() -> None:
    sat = drawing_two()
    sat.accepted()
    sat.execute(c.Undo())
    assert sat.ended(2) == [e.PressDone(press=1, cards=2)]
    assert "too many: put" in sat.view(2)["news"][-1]["text"]
    sat.check()


def test_in_exact_games_the_next_push_brings_what_is_owed_and_nothing_else() -> None:
    sat = in_turn(referee("uno"), 0)
    assert sat.order() == NOTHING_OWED
    sat.lay(0, "red +2")
    assert sat.order() == (2, None)
    sat.press()
    assert owed(sat) is None
    assert sat.match.game.state.sizes[1] == 9
    assert sat.order() == NOTHING_OWED
    sat.check()


def test_a_lid_opened_after_one_of_two_leaves_one_still_due() -> None:
    sat = drawing_two()
    sat.accepted()
    assert sat.ended(1, "lid", planned=2) == [e.CountAsked(press=1, likely=1, most=5, why="lid")]
    assert sat.order() == COUNT_FIRST
    assert sat.view(2)["push"] is None
    sat.execute(c.SetCount(1, 1), 2)
    assert (owed(sat), sat.order()) == ((1, 1), (1, None))
    assert sat.view(2)["sentence"] == "1 still due: press again!"
    assert sat.view(1)["sentence"] == "Tom: 1 still due, press again"
    assert sat.view(1, "fr")["sentence"] != sat.view(1)["sentence"]
    sat.press()
    assert (owed(sat), sat.match.game.state.sizes[1]) == (None, 9)
    sat.check()


def test_no_more_is_ordered_than_the_launcher_lets_out_at_a_time() -> None:
    sat = Sat()
    sat.execute(c.Start("uno", tracking_mode=MODE.COUNTER))
    for _ in range(4):
        sat.execute(c.ChargeSeat(1, 1))
    sat.execute(c.ChargeSeat(1, 3))
    assert sat.order() == (4, None), "one debt after the other"
    sat = Sat()
    sat.execute(c.Start("huit-americain", {"packs": 2}, MODE.COUNTER))
    sat.execute(c.ChargeSeat(1, 0, 16))
    assert sat.order() == (12, None)
    sat.press()
    assert sat.order() == (4, None)
    sat.press()
    assert sat.match.ledger.debts == []


@pytest.mark.parametrize("tracking_mode", [MODE.REFEREE, MODE.COUNTER])
@pytest.mark.parametrize("game", GAMES)
def test_the_launcher_deals_each_presses_once_a_whole_hand(game: str, tracking_mode: e.TrackingMode) -> None:
    sat = Sat()
    sat.execute(c.Start(game, tracking_mode=tracking_mode, deals=True))
    size = sat.match.game.state.hand_size
    assert sat.view()["phase"] == "dealing"
    for seat in range(3):
        assert sat.order() == (size, None)
        assert sat.view(seat + 1)["push"]["due"]
        sat.press()
        sat.check()
    assert sat.match.dealing == {}
    assert sat.match.in_round
    assert sat.view()["phase"] == "playing"


def test_a_deal_that_was_cut_short_is_made_up_and_a_surplus_put_back() -> None:
    sat = Sat()
    sat.execute(c.Start("uno", deals=True))
    sat.accepted()
    sat.ended(3, "lid", planned=7)
    sat.execute(c.SetCount(1, 3))
    assert sat.order() == (4, None)
    assert sat.press()[-1] == e.Dealt(press=2, seat=0, cards=4)
    sat.accepted()
    sat.ended(7, doubles=1)
    assert sat.execute(c.SetCount(3, 8))[1:] == [
        e.Dealt(press=3, seat=1, cards=7, by=1),
        e.PressDone(press=3, cards=1, by=1),
    ]
    assert sat.view(1)["news"][-1]["text"] == "Tom: 1 card too many. Put it back!"
    sat.press()
    assert not sat.match.dealing
    sat.check()


def test_nothing_is_taken_back_while_the_launcher_deals_the_next_round() -> None:
    sat = Sat()
    sat.execute(c.Start("uno-extreme", deals=True))
    for _ in range(3):
        sat.press()
    turn_up(sat, "red 5")
    sat.execute(c.Out(0, [0, 5, 9]))
    sat.execute(c.Deal())
    sat.press()
    assert sat.refused(c.Undo()) == "nothing_to_undo"
    assert sat.view()["phase"] == "dealing"
    sat.check()


def test_an_extreme_hit_tells_everybody_for_whom_the_cards_are() -> None:
    """E-21."""
    sat = in_turn(referee("uno-extreme", "blue 5"), 0)
    sat.act("play", 0, {"act": "lay", "card": "extreme hit", "colour": "red", "seat": 2})
    assert sat.view(1)["sentence"] == "Press 1 of 2! (cards for Zoé)"
    assert sat.view(3)["sentence"] == "Léa: press 1 of 2 (you get the cards!)"
    assert sat.view(2, "fr")["sentence"] == "Léa\u00a0: appui 1 sur 2 (cartes pour Zoé)"
    sat.execute(c.StandIn(person=2))
    sat.press(4)
    assert sat.view(2)["take"]["text"] == "Zoé takes 4 cards from the pile"
    assert sat.view(2, "fr")["take"]["text"] == "Zoé prend 4 cartes dans la pioche"
    assert sat.view(3)["take"]["text"] == "Take 4 cards from the pile"
