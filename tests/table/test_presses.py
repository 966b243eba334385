"""A press is money: whose it is, what it pays, what the next one brings, and who is asked how many cards came."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dispenser.launcher import messages as launcher
from dispenser.rules.registry import GAMES
from dispenser.table import commands as c
from dispenser.table import events as e
from tests.table.evening import Sat, in_turn, referee, turn_up

NOTHING_OWED, COUNT_FIRST = (0, "nothing_owed"), (0, "count_first")
LUCK = (None, None)
MODE = e.TrackingMode


def pressing_four() -> Sat:
    """Uno Extrême: Léa has laid a Press 4, and Tom owes."""
    sat = in_turn(referee("uno-extreme", "red 5"), 0)
    sat.act("hand size", 0, 7)
    sat.lay(0, "red press 2")
    return sat


def drawing_two(game: str = "uno") -> Sat:
    """Uno: Léa has laid a +2, and Tom draws two."""
    sat = in_turn(referee(game, "red 5"), 0)
    sat.lay(0, "red +2")
    return sat


def counting(game: str = "uno-extreme", **options: str) -> Sat:
    sat = Sat()
    sat.execute(c.Start(game, dict(options), MODE.COUNTER))
    return sat


def owed(sat: Sat) -> tuple[int, int] | None:
    demand = sat.match.game.demand
    return (demand.payer, demand.number) if demand else None


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


@pytest.mark.parametrize("cause", ["lid", "jammed", "empty", "fault", "timed"])
def test_a_burst_that_did_not_end_well_is_asked_about_with_the_likely_answer_first(cause: str) -> None:
    sat = pressing_four()
    sat.accepted()
    (asked,) = sat.ended(3, cause, planned=5)
    assert asked == e.CountAsked(press=1, likely=3, most=8, why=cause)
    asks = sat.view(3)["asks"]
    assert [each["send"]["cards"] for each in asks["choices"]] == list(range(9))
    assert asks["choices"][3] == {
        "label": "3 cards", "kind": "main", "send": {"do": "count", "press": 1, "cards": 3}
    }  # fmt: skip
    assert sorted(each["send"]["cards"] for each in asks["choices"]) == list(range(9))
    assert owed(sat) == (1, 2), "and the table waits"
    assert sat.order() == COUNT_FIRST


def test_a_suspected_double_a_launcher_that_sees_nothing_and_a_lost_burst_are_asked_about() -> None:
    bursts: list[tuple[Callable[[Sat], list[e.Event]], str, int]] = [
        (lambda sat: sat.ended(3, doubles=1), "double", 3),
        (lambda sat: sat.ended(None, "timed", planned=4), "timed", 4),
        (lambda sat: sat.handle_notice(launcher.BurstLost(1, 2)), "lost", 2),
    ]
    for end_burst, why, likely in bursts:
        sat = pressing_four()
        sat.accepted()
        (asked,) = end_burst(sat)
        assert isinstance(asked, e.CountAsked)
        assert (asked.why, asked.likely) == (why, likely)
        assert sat.execute(c.SetCount(1, likely), 3)[1:] == [e.Acted(action=["fulfil", 1, likely], press=1, by=3)]
        sat.check()


def test_with_the_cards_on_the_phones_nobody_counts() -> None:
    sat = Sat("Léa", "Tom")
    sat.execute(c.Start("uno-extreme", options={"customizable": 0}, tracking_mode=MODE.CARDS))
    for end in (
        lambda: sat.ended(2, "complete", planned=4, doubles=1),
        lambda: sat.ended(2, "lid", planned=4),
        lambda: sat.ended(None, "timed", planned=2),
        lambda: sat.handle_notice(launcher.BurstLost(sat.presses, 2)),
    ):
        seat = sat.match.payer
        assert seat is not None
        held = sat.match.game.state.sizes[seat]
        sat.accepted()
        end()
        assert (sat.table.asked, sat.view(1)["asks"], sat.view(1)["recount"]) == ({}, None, None)
        assert sat.match.game.state.sizes[seat] == held + 2
    sat.check()


def test_with_the_cards_on_the_phones_nobody_puts_back_what_came_too_many() -> None:
    sat = Sat("Léa", "Tom")
    sat.execute(c.Start("uno", tracking_mode=MODE.CARDS))
    seat = sat.match.game.turn
    sat.act("play", seat, {"act": "draw"}, person=sat.match.order[seat])
    assert sat.press(9)[-1] == e.PressDone(press=1, cards=8)
    assert "too many" not in str(sat.view(1)["news"])


def test_a_count_entered_at_the_launcher_answers_what_the_table_asks() -> None:
    sat = pressing_four()
    sat.accepted()
    sat.ended(3, "lid", planned=5)
    sat.handle_notice(launcher.BurstCounted(1, 4, 3))
    assert sat.table.asked == {}
    assert sat.match.game.state.sizes[1] == 11
    assert sat.handle_notice(launcher.BurstCounted(1, 4, 3)) == [], "it is known now"
    sat.check()


def test_more_came_than_was_owed_the_rest_is_put_back() -> None:
    sat = drawing_two()
    sat.accepted()
    sat.ended(2, doubles=1)
    told = sat.execute(c.SetCount(1, 3), 2)
    assert told == [
        e.CountTold(press=1, cards=3, by=2),
        e.Acted(action=["fulfil", 1, 2], press=1, by=2),
        e.PressDone(press=1, cards=1, by=2),
    ]
    assert sat.match.game.state.sizes[1] == 9
    seen = sat.view(2)
    assert seen["news"][-1]["text"] == f"{sat.table.people.name(2)}: 1 card too many. Put it back!"
    assert seen["recount"] is None, "who counted is not asked again"
    assert sat.handle_notice(launcher.BurstCounted(1, 3, 2)) == [], "the launcher says the same"
    assert sat.match.game.state.sizes[1] == 9
    sat.check()


def test_a_count_that_cannot_be_is_left_to_the_launcher_and_the_game_goes_on() -> None:
    """An exact demand of two was paid with two: that the launcher let out five changes no hand."""
    sat = drawing_two()
    sat.press()
    before = sat.match.game.state.sizes[:]
    sat.handle_notice(launcher.BurstCounted(1, 5, 2))
    assert sat.match.game.state.sizes == before
    sat.execute(c.SetCount(1, 4), 2)
    assert sat.match.game.state.sizes == before
    sat.check()


def test_the_presser_may_set_the_last_count_right_while_nothing_was_done_after_it() -> None:
    sat = pressing_four()
    sat.press(3)
    recount = sat.view(2)["recount"]
    assert (recount["press"], recount["cards"], recount["seconds"]) == (1, 3, 10)
    assert [each["label"] for each in recount["choices"]] == ["Correct", "One more", "One fewer"]
    assert sat.view(1)["recount"] is None
    assert sat.view(3)["recount"] is None
    sat.execute(c.SetCount(1, 4), 2)
    assert sat.match.game.state.sizes[1] == 11
    assert sat.view(2)["recount"]["cards"] == 4
    sat.press(0)
    assert sat.view(2)["recount"]["press"] == 2
    sat.lay(2, "red 7")
    assert sat.view(2)["recount"] is None
    sat.execute(c.SetCount(1, 2), 2)
    assert sat.match.game.state.sizes[1] == 9, "an older one is set right, too, as long as what followed fits"
    sat.check()


def test_who_answers_second_is_told_what_was_entered_by_whom_and_corrects_it_in_one_tap() -> None:
    sat = pressing_four()
    sat.accepted()
    sat.ended(3, "lid", planned=5)
    at = sat.table.at
    seen = sat.view(1)
    assert seen["asks"]["text"] == "Tom’s press. The lid was lifted. How many cards came?"
    assert seen["sentence"] == sat.view(None)["sentence"] == seen["asks"]["text"]
    sat.execute(c.SetCount(1, 3), 2, at=at)
    assert sat.refused(c.SetCount(1, 4), 3, at=at) == "counted"
    recount = sat.view(3)["recount"]
    assert recount["text"] == "Tom entered 3 cards."
    sat.execute(
        c.SetCount(**{key: recount["choices"][1]["send"][key] for key in ("press", "cards")}), 3, at=sat.table.at
    )
    assert sat.match.brought(1) == 4
    assert sat.view(2)["recount"]["text"] == "Zoé entered 4 cards."
    sat.check()


def test_a_neighbour_counts_for_who_has_no_phone() -> None:
    sat = Sat("Léa", "Tom")
    sat.execute(c.Guest("Mamie"), 2)
    sat.execute(c.Start("uno-extreme"))
    turn_up(sat, "red 5")
    in_turn(sat, 1)
    sat.lay(1, "red press 2")
    assert [sat.view(person)["push"] is not None for person in (1, 2)] == [True, True]
    assert sat.view(None, owner=True)["push"] is not None, "and the screen that all share"
    sat.press(1)
    assert sat.view(1)["recount"]["cards"] == 1


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


def test_a_charge_is_a_debt_and_each_push_pays_one_press_of_the_oldest() -> None:
    sat = counting()
    at = sat.table.at
    sat.execute(c.ChargeSeat(1, 0), at=at)
    assert sat.refused(c.ChargeSeat(1, 0), 2, at=at) == "too_late", "two who charge the same at once charge it once"
    sat.execute(c.ChargeSeat(2, 1))
    assert [(debt.seat, debt.left, debt.total) for debt in sat.match.ledger.debts] == [(1, 2, 2), (2, 4, 4)]
    labels = [[each["label"] for each in sat.view(2, language)["choices"]] for language in ("en", "fr")]
    assert [each[-2:] for each in labels] == [
        ["Remove Tom’s debt: Press 2", "Remove Zoé’s debt: Press 4"],
        ["Effacer la dette de Tom\u00a0: Appuyer 2 fois", "Effacer la dette de Zoé\u00a0: Appuyer 4 fois"],
    ]
    sat.execute(c.ChargeSeat(2, 1))
    assert [each["label"] for each in sat.view(2)["choices"]][-2:] == labels[0][-2:], "equal debts have one button"
    sat.execute(c.Forgive(3))
    assert sat.view(2)["sentence"] == "Press 1 of 2!"
    assert sat.press(4) == [e.PressTaken(press=1, seat=1), e.Paid(press=1, cards=4)]
    assert sat.view(3)["sentence"] == "Tom: one more!"
    assert sat.view(3)["news"][-1]["text"] == "Tom: 4 cards."
    sat.press(0)
    assert sat.view(3)["sentence"] == "Press 1 of 4!"
    assert sat.view()["owes"]["left"] == 4
    sat.check()


def test_who_was_eliminated_neither_owes_nor_wins() -> None:
    sat = counting(scoring="elimination")
    sat.execute(c.Out(0, [0, 600, 20]))
    sat.execute(c.Deal())
    for each in sat.view()["choices"]:
        assert [there["label"] for there in each["next"]] == ["Léa", "Zoé"]


def test_with_nothing_owed_a_push_is_the_choice_of_whoever_does_not_play() -> None:
    extreme, exact = counting(), counting("uno")
    assert (extreme.order(), exact.order()) == (LUCK, (1, None))
    assert extreme.press(3) == [e.PressTaken(press=1), e.Paid(press=1, cards=3)]
    assert exact.press() == [e.PressTaken(press=1), e.Paid(press=1, cards=1)]
    exact.check()


def test_what_is_left_open_by_a_charge_is_asked_for() -> None:
    sat = counting("huit-americain")
    assert sat.refused(c.ChargeSeat(1, 0)) == "number_needed"
    assert sat.refused(c.ChargeSeat(1, 99, 2)) == "unknown_charge"
    assert sat.refused(c.ChargeSeat(9, 0, 2)) == "unknown_charge"
    assert sat.refused(c.ChargeSeat(1, 0, 9)) == "too_many", "there are four aces"
    sat.execute(c.ChargeSeat(1, 0, 4))
    assert sat.order() == (4, None)
    sat.press()
    sat.execute(c.ChargeSeat(1, 1, 9))
    assert sat.order() == (1, None), "what is fixed is not the phone's to say"


def test_where_the_host_alone_takes_back_nobody_else_strikes_out_a_debt() -> None:
    def strikes(*who: int | None, owner: bool = False) -> list[bool]:
        views = [sat.view(each, owner=owner) for each in who]
        return [any("debt" in (each.get("send") or {}) for each in view["choices"]) for view in views]

    sat = counting()
    sat.execute(c.ChargeSeat(1, 0))
    assert strikes(1, 2) == [True, True]
    sat.execute(c.HostOnly(yes=True))
    assert strikes(1, 2) == [True, False]
    assert strikes(None, owner=True) == [True]
    assert sat.refused(c.Forgive(1), 2) == "host_only"
    sat.execute(c.Forgive(1))
    assert sat.match.ledger.debts == []
    assert sat.refused(c.Forgive(1)) == "too_late"
    sat.check()


def test_charges_and_payments_are_taken_back_and_done_again_one_by_one() -> None:
    sat = counting()
    sat.execute(c.ChargeSeat(1, 0))
    sat.press(3)
    for left in (2, None):
        sat.execute(c.Undo(), 3)
        assert [debt.left for debt in sat.match.ledger.debts] == ([left] if left else [])
    assert sat.refused(c.Undo()) == "nothing_to_undo"
    for left in (2, 1):
        sat.execute(c.Redo(), 2)
        assert [debt.left for debt in sat.match.ledger.debts] == [left]
    assert sat.refused(c.Redo()) == "nothing_to_redo"
    sat.check()


def test_the_end_of_a_counted_round_is_taken_back_and_done_again() -> None:
    sat = counting()
    sat.execute(c.ChargeSeat(1, 0))
    sat.press(3)
    sat.press(3)
    sat.execute(c.ChargeSeat(1, 0))
    sat.execute(c.Undo())
    sat.execute(c.Out(0, [0, 10, 20]))
    scores = sat.match.scores
    sat.execute(c.Undo())
    assert sat.match.in_round
    sat.execute(c.Redo())
    assert (sat.match.scores, sat.match.in_round, sat.match.ledger.debts) == (scores, False, [])
    sat.execute(c.Undo())
    sat.execute(c.ChargeSeat(2, 0))
    assert sat.refused(c.Redo()) == "nothing_to_redo", "something else has happened since"
    sat.check()


def test_a_count_in_the_ledger_is_set_right() -> None:
    sat = counting("uno")
    sat.execute(c.ChargeSeat(1, 1))
    sat.press()
    assert sat.match.ledger.debts == []
    sat.execute(c.SetCount(1, 3))
    assert [debt.left for debt in sat.match.ledger.debts] == [1]
    sat.press()
    assert sat.match.ledger.debts == []
    sat.check()


def test_a_round_does_not_end_before_it_is_paid_for() -> None:
    for sat in (counting(), pressing_four()):
        if sat.match.counter_mode:
            sat.execute(c.ChargeSeat(1, 0))
        assert sat.refused(c.Out(0, [0, 1, 2])) == "pay_first"


def test_the_cards_of_a_round_that_is_over_are_not_counted_again() -> None:
    sat = pressing_four()
    sat.press(3)
    sat.press(0)
    sat.execute(c.Out(0, [0, 10, 10]))
    assert sat.refused(c.SetCount(1, 4), 2) == "too_late"


def test_after_a_recount_there_is_nothing_to_do_again() -> None:
    sat = pressing_four()
    sat.press(2)
    sat.press(0)
    sat.lay(2, "red 7")
    sat.execute(c.Undo())
    sat.execute(c.SetCount(1, 3), 2)
    assert sat.refused(c.Redo()) == "nothing_to_redo"


def test_cards_that_the_table_believes_to_be_in_hands_already_are_put_back() -> None:
    """A sensor has seen one too many before, so the launcher has more than the engine knows: its word goes."""
    sat = in_turn(referee("uno-extreme"), 0)
    full = sat.match.game.state.sizes[0] + sat.match.game.state.available()
    sat.act("hand size", 0, full)
    assert sat.press(1)[-1] == e.PressDone(press=1, cards=1)
    assert (sat.match.game.state.sizes[0], owed(sat)) == (full, None)
    sat.check()
