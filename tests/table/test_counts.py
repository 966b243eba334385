"""How many cards came: who is asked, and how a count is set right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dispenser.launcher import messages as launcher
from dispenser.table import commands as c
from dispenser.table import events as e
from tests.table.evening import Sat, drawing_two, in_turn, owed, pressing_four, referee, turn_up

COUNT_FIRST = (0, "count_first")
MODE = e.TrackingMode


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
    assert [each["label"] for each in recount["choices"]] == ["That’s right", "One more", "One fewer"]
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
