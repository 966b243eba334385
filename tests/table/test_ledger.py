"""A counted match: what is charged, what a push pays, and taking both back."""

from __future__ import annotations

from dispenser.table import commands as c
from dispenser.table import events as e
from tests.table.evening import counting, pressing_four

LUCK = (None, None)


def test_a_charge_asks_who_pays_and_how_much_where_the_card_leaves_that_open() -> None:
    charges = {each["label"]: each for each in counting().view(2)["choices"]}
    assert charges["Extreme Hit"]["asks"] == "Extreme Hit: who presses?"
    assert charges["Customizable"]["next"][1]["asks"] == "How many presses for Tom?"


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
    assert sat.view(2)["news"][-1]["text"] == "Léa removed the debt: Zoé: Press 4"
    assert sat.view(2)["sentence"] == "Press 1 of 2!"
    assert sat.press(4) == [e.PressTaken(press=1, seat=1), e.Paid(press=1, cards=4)]
    assert sat.view(3)["sentence"] == "Tom: press once more!"
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


def test_a_card_more_than_a_debt_of_cards_goes_back() -> None:
    sat = counting("uno")
    sat.execute(c.ChargeSeat(1, 0))
    assert sat.press(3)[-2:] == [e.Paid(press=1, cards=3), e.PressDone(press=1, cards=1)]
    assert sat.view(2)["news"][-1]["text"] == "One card too many: put it back."
    assert sat.match.ledger.debts == []
    assert sat.press(2)[-2:] == [e.Paid(press=2, cards=2), e.PressDone(press=2, cards=1)], "nothing owed: one card"
    sat.check()


def test_what_is_left_open_by_a_charge_is_asked_for() -> None:
    sat = counting("huit-americain")
    assert sat.view()["choices"][0]["asks"] == "Chain of aces: who draws?"
    assert sat.view()["choices"][0]["next"][1]["asks"] == "How many cards for Tom?"
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
