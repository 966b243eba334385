"""True edges, true lgpio, a simulator in a process of its own: what comes out is what was asked for."""

from __future__ import annotations

import pytest

from tests.nightly.pi.pi import Pi


@pytest.mark.parametrize("cards", [1, 4, 8])
def test_a_burst_has_exactly_as_many_cards_as_were_asked_for(pi: Pi, cards: int) -> None:
    before, out = pi.seq(), pi.cards_out()
    pi.page("POST", "eject", {"cards": cards})
    ended = pi.wait_for("launcher.burst.ended", after=before)
    pi.pass_time(1)
    assert (ended["data"]["planned"], ended["data"]["delivered"], ended["data"]["cause"]) == (cards, cards, "complete")
    assert pi.cards_out() - out == cards, "the simulator says so, too"


def test_presses_are_answered_and_bring_what_luck_says(pi: Pi) -> None:
    for _ in range(4):
        before, out = pi.seq(), pi.cards_out()
        pi.simulator("push_button")
        accepted = pi.wait_for("launcher.press.accepted", after=before, source="button")
        ended = pi.wait_for("launcher.burst.ended", after=accepted["seq"], press=accepted["data"]["press"])
        pi.pass_time(1)
        assert ended["data"]["planned"] == ended["data"]["delivered"] == pi.cards_out() - out


def test_the_lid_stops_the_motor_in_a_burst_at_once(pi: Pi) -> None:
    before = pi.seq()
    pi.page("POST", "eject", {"cards": 8})
    pi.wait_for("launcher.card.left", after=before, number=2)
    pi.simulator("open_lid")
    ended = pi.wait_for("launcher.burst.ended", after=before)
    assert ended["data"]["cause"] == "lid"
    low_s = check_low_at_once(pi)
    pi.simulator("close_lid")
    pi.wait(lambda: pi.snapshot()["state"] == "ready", "ready again")
    pi.pass_time(2)
    assert not any(each["level"] for each in pi.lines("enable", low_s)), "a shut lid starts no motor"


def check_low_at_once(pi: Pi) -> float:
    """After the lid, the motor's enable went low and stays so; when."""
    lid_s = next(each["at_s"] for each in reversed(pi.happenings) if each.get("simulator") == "lid" and each["value"])
    low = [each for each in pi.lines("enable", lid_s) if not each["level"]]
    assert low, "the enable line went low"
    low_s = float(low[0]["at_s"])
    assert low_s - lid_s < 0.02, "at once, and not when the loop had time"
    pi.pass_time(2)
    assert not any(each["level"] for each in pi.lines("enable", low_s)), "and nothing starts it again"
    return low_s
