"""A press is money: whose it is, what it pays, and what is asked when nobody knows what came."""

from __future__ import annotations

import pytest

from dispenser.launcher import messages as launcher
from dispenser.rules.engine.demands import Demand
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.presses import order
from tests.table.sitting import MOST_CARDS, Sitting
from tests.table.test_traps import LEA, TOM, ZOE, playing, sat, started, turn


def laid(sitting: Sitting, card: str, **more: object) -> int:
    """Whoever is in turn lays it; returns the seat."""
    seat = sitting.table.seat_of(turn(sitting))
    assert seat is not None
    sitting.said(c.Act(["play", seat, {"act": "lay", "card": card, **more}]), turn(sitting))
    return seat


def demand(sitting: Sitting) -> Demand | None:
    assert sitting.table.match is not None
    return sitting.table.match.game.demand


def size(sitting: Sitting, seat: int) -> int:
    assert sitting.table.match is not None
    return sitting.table.match.game.state.sizes[seat]


def wanted(sitting: Sitting) -> launcher.Order:
    return order(sitting.table, MOST_CARDS)


def extreme() -> Sitting:
    """Somebody has laid a Press 2, and the next one owes two presses."""
    sitting = playing("uno-extreme")
    laid(sitting, "red press 2")
    return sitting


# --- the odds decide --------------------------------------------------------------------------------------------


def test_each_press_pays_one_of_what_is_owed() -> None:
    sitting = extreme()
    owed = demand(sitting)
    assert owed is not None
    before = size(sitting, owed.payer)
    for left, cards in ((2, 3), (1, 0)):
        now = demand(sitting)
        assert now is not None
        assert now.number == left
        sitting.brings(cards)
    assert demand(sitting) is None
    assert size(sitting, owed.payer) == before + 3


def test_with_nothing_owed_a_press_is_the_choice_not_to_play() -> None:
    """E-14."""
    sitting = playing("uno-extreme")
    who, seat = turn(sitting), sitting.table.seat_of(turn(sitting))
    assert seat is not None
    assert sitting.refused(c.Act(["play", seat, {"act": "draw"}]), who) == "press_instead"
    before = size(sitting, seat)
    sitting.brings(4)
    assert turn(sitting) != who
    assert size(sitting, seat) == before + 4


def test_taking_back_a_press_takes_back_the_choice_not_to_play_with_it() -> None:
    sitting = playing("uno-extreme")
    who = turn(sitting)
    sitting.brings(4)
    sitting.said(c.Undo(), LEA)
    assert turn(sitting) == who
    assert demand(sitting) is None
    sitting.said(c.Redo(), TOM)
    assert turn(sitting) != who


def test_between_rounds_it_is_just_a_press() -> None:
    sitting = sat()
    assert wanted(sitting) == launcher.Order()
    sitting.push()
    assert sitting.burst_ends(5) == []


# --- exact games ------------------------------------------------------------------------------------------------


def test_the_next_push_brings_exactly_what_is_owed() -> None:
    sitting = playing()
    assert wanted(sitting) == launcher.Order(0, launcher.Refusal.NOTHING_OWED)
    laid(sitting, "red +2")
    assert wanted(sitting) == launcher.Order(2)
    sitting.brings(2)
    assert demand(sitting) is None
    assert not sitting.push()


def test_when_the_lid_cuts_a_burst_the_table_asks_and_then_the_rest_is_due() -> None:
    sitting = playing()
    laid(sitting, "red 7")
    laid(sitting, "+4", colour="blue")
    seat = sitting.table.seat_of(turn(sitting))
    assert seat is not None
    sitting.said(c.Act(["play", seat, {"act": "take"}]), turn(sitting))
    assert wanted(sitting) == launcher.Order(4)
    sitting.push()
    sitting.burst_ends(2, launcher.BurstEnd.LID)
    asked = sitting.table.asked[sitting.press]
    assert (asked.likely, asked.why) == (2, "lid")
    assert wanted(sitting) == launcher.Order(0, launcher.Refusal.COUNT_FIRST)
    assert not sitting.push()
    sitting.said(c.TellCount(asked.press, 2), TOM)
    assert wanted(sitting) == launcher.Order(2)


def test_a_card_too_many_is_nobodys_and_goes_back() -> None:
    sitting = playing()
    laid(sitting, "red +2")
    owed = demand(sitting)
    assert owed is not None
    before = size(sitting, owed.receiver)
    sitting.brings(3)
    assert isinstance(sitting.entries[-1], e.PressDone)
    assert sitting.entries[-1].cards == 1
    assert size(sitting, owed.receiver) == before + 2
    assert demand(sitting) is None


def test_a_recount_of_a_card_too_many_changes_no_hand() -> None:
    sitting = playing()
    laid(sitting, "red +2")
    owed = demand(sitting)
    assert owed is not None
    before = size(sitting, owed.receiver)
    press = sitting.brings(2)
    sitting.said(c.TellCount(press, 3), TOM)
    assert size(sitting, owed.receiver) == before + 2
    assert sitting.hear(launcher.BurstCounted(press, 3, 2)) == [], "the launcher tells the table what it has from it"
    sitting.said(c.TellCount(press, 1), TOM)
    assert size(sitting, owed.receiver) == before + 1
    assert wanted(sitting) == launcher.Order(1)


def test_who_counts_more_than_was_owed_at_a_burst_that_was_cut_is_not_asked_twice() -> None:
    sitting = playing()
    laid(sitting, "red +2")
    sitting.push()
    sitting.burst_ends(1, launcher.BurstEnd.LID)
    sitting.said(c.TellCount(sitting.press, 3), ZOE)
    assert sitting.hear(launcher.BurstCounted(sitting.press, 3, 1)) == []
    assert demand(sitting) is None


def test_the_launcher_deals_hand_by_hand() -> None:
    sitting = started(deals=True)
    for seat in range(3):
        assert sitting.table.match is not None
        assert next(iter(sitting.table.match.dealing)) == seat
        assert wanted(sitting) == launcher.Order(7)
        sitting.brings(7)
    assert sitting.table.match is not None
    assert sitting.table.match.game.state.sizes == [7, 7, 7]


def test_a_hand_that_comes_in_two_bursts_is_dealt_all_the_same() -> None:
    sitting = started(deals=True)
    sitting.push()
    sitting.burst_ends(5, launcher.BurstEnd.EMPTY)
    sitting.said(c.TellCount(sitting.press, 5), TOM)
    assert wanted(sitting) == launcher.Order(2)


def test_while_the_launcher_deals_nothing_of_an_earlier_round_is_taken_back() -> None:
    sitting = started(deals=True)
    for _ in range(3):
        sitting.brings(7)
    sitting.said(c.Act(["answer", None, "red 5"]), LEA)
    sitting.said(c.Out(0, [0, 10, 10]), LEA)
    sitting.said(c.Deal(), LEA)
    assert sitting.refused(c.Undo(), LEA) == "nothing_to_undo"
    for _ in range(3):
        sitting.brings(7)
    assert sitting.table.match is not None
    assert sitting.table.match.game.state.round == 2


# --- nobody knows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", [end for end in launcher.BurstEnd if end not in {
    launcher.BurstEnd.DUD, launcher.BurstEnd.COMPLETE}])  # fmt: skip
@pytest.mark.parametrize("delivered", [None, 0, 2])
def test_a_burst_that_did_not_end_well_is_asked_about(cause: launcher.BurstEnd, delivered: int | None) -> None:
    sitting = extreme()
    sitting.push()
    sitting.burst_ends(delivered, cause)
    assert sitting.press in sitting.table.asked
    owed = demand(sitting)
    assert owed is not None
    sitting.said(c.TellCount(sitting.press, 3), TOM)
    now = demand(sitting)
    assert now is not None
    assert now.number == owed.number - 1
    assert size(sitting, owed.payer) == 7 + 3


def test_a_suspected_double_is_asked_about() -> None:
    sitting = extreme()
    sitting.push()
    sitting.burst_ends(3, doubles=1)
    assert sitting.table.asked[sitting.press].why == "double"
    assert sitting.table.asked[sitting.press].likely == 3


def test_after_a_power_cut_in_the_middle_of_a_burst_the_table_asks_what_came() -> None:
    sitting = extreme()
    sitting.push()
    sitting.dies(seen=1)
    assert sitting.table.asked[sitting.press].why == "lost"
    sitting.said(c.TellCount(sitting.press, 2), ZOE)
    owed = demand(sitting)
    assert owed is not None
    assert owed.number == 1


def test_a_burst_whose_reason_was_taken_back_meanwhile_holds_nothing_up() -> None:
    sitting = started()
    sitting.said(c.Act(["answer", None, "red +2"]), LEA)
    sitting.push()
    sitting.said(c.Undo(), LEA)
    sitting.said(c.Undo(), LEA)
    sitting.burst_ends(1, launcher.BurstEnd.LID)
    assert not sitting.table.pushes
    sitting.check()


# --- recounts ---------------------------------------------------------------------------------------------------


def test_a_recount_after_further_moves_sets_the_hand_right() -> None:
    sitting = extreme()
    owed = demand(sitting)
    assert owed is not None
    first = sitting.brings(2)
    sitting.brings(0)
    laid(sitting, "red 7")
    sitting.said(c.TellCount(first, 3), ZOE)
    assert size(sitting, owed.payer) == 7 + 3
    assert demand(sitting) is None


def test_after_a_recount_there_is_nothing_to_do_again() -> None:
    sitting = extreme()
    first = sitting.brings(2)
    sitting.brings(0)
    laid(sitting, "red 7")
    sitting.said(c.Undo(), LEA)
    sitting.said(c.TellCount(first, 3), ZOE)
    assert sitting.refused(c.Redo(), LEA) == "nothing_to_redo"


def test_a_count_at_the_launcher_that_does_not_fit_any_more_stops_nothing() -> None:
    sitting = extreme()
    press = sitting.brings(2)
    sitting.hear(launcher.BurstCounted(press, 900, 2))
    sitting.hear(launcher.BurstCounted(press + 100, 3, 0))
    sitting.check()


def test_the_cards_of_an_earlier_round_are_not_counted_again() -> None:
    sitting = extreme()
    press = sitting.brings(2)
    sitting.brings(0)
    sitting.said(c.Out(0, [0, 10, 10]), LEA)
    assert sitting.refused(c.TellCount(press, 3), TOM) == "too_late"


# --- counter ----------------------------------------------------------------------------------------------------


def test_two_who_charge_the_same_at_once_charge_it_once() -> None:
    sitting = started("uno-extreme", e.TrackingMode.COUNTER)
    at = sitting.table.at
    sitting.said(c.ChargeSeat(1, 0), LEA, at=at)
    assert sitting.refused(c.ChargeSeat(1, 0), TOM, at=at) == "too_late"


def test_debts_are_paid_press_by_press_the_oldest_first() -> None:
    sitting = started("uno-extreme", e.TrackingMode.COUNTER)
    sitting.said(c.ChargeSeat(1, 0), LEA)
    sitting.said(c.ChargeSeat(2, 0), LEA)
    assert sitting.table.match is not None
    ledger = sitting.table.match.ledger
    first = ledger.debts[0].left
    for left in range(first - 1, -1, -1):
        sitting.brings(2)
        assert [debt.left for debt in ledger.debts if debt.seat == 1] == ([left] if left else [])
    assert ledger.debts[0].seat == 2
    sitting.said(c.Undo(), TOM)
    assert ledger.debts[0].seat == 1


def test_a_debt_that_was_meant_before_somebody_took_something_back_is_not_forgiven() -> None:
    sitting = started("uno-extreme", e.TrackingMode.COUNTER)
    sitting.said(c.ChargeSeat(1, 0), LEA)
    at = sitting.table.at
    sitting.said(c.Undo(), LEA)
    sitting.said(c.ChargeSeat(2, 0), LEA)
    assert sitting.refused(c.Forgive(1), TOM, at=at) == "too_late"


def test_a_round_does_not_end_while_the_launcher_deals() -> None:
    sitting = started("uno", e.TrackingMode.COUNTER, deals=True)
    assert sitting.refused(c.Out(0, [0, 5, 5]), LEA) == "no_round"


def test_with_points_told_the_counted_round_is_in_the_scores() -> None:
    sitting = started("uno", e.TrackingMode.COUNTER)
    sitting.said(c.Out(1, [10, 0, 32]), ZOE)
    assert sitting.table.match is not None
    assert sitting.table.match.scores == (0, 42, 0)
    assert not sitting.table.match.in_round


def test_cards_that_the_table_believes_to_be_in_hands_already_are_put_back() -> None:
    """A sensor has seen one too many before, so the launcher has more than the engine knows: its word goes."""
    sitting = playing("uno-extreme")
    match, seat = sitting.table.match, sitting.table.seat_of(turn(sitting))
    assert match is not None
    assert seat is not None
    full = size(sitting, seat) + match.game.state.available()
    sitting.said(c.Act(["hand size", seat, full]), LEA)
    sitting.brings(1)
    assert size(sitting, seat) == full
    assert e.PressDone(press=sitting.press, cards=1) in sitting.entries
    assert demand(sitting) is None
