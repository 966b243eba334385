"""What the notices of an evening tell of a launcher, taken in one by one."""

from __future__ import annotations

from typing import Any

import pytest

from dispenser.journal import Record
from dispenser.launcher import messages as m
from dispenser.launcher.replay import LauncherReplay


def after(*told: tuple[str, dict[str, Any]]) -> LauncherReplay:
    memory = LauncherReplay()
    for seq, (type_, data) in enumerate(told, 1):
        memory.apply(Record(seq, "2026-11-20T12:00:00.000000Z", "launcher", type_, data))
    return memory


def ended(**data: Any) -> tuple[str, dict[str, Any]]:
    return m.BurstEnded.type, {"press": 1, "planned": 3, "delivered": 3, "cause": "complete", **data}


def test_a_new_load_is_of_more_interest_than_the_last_burst() -> None:
    assert after(ended()).outcome is not None
    assert after(ended(), (m.CardsLoaded.type, {"cards": 50})).outcome is None


def test_a_burst_that_was_lost_is_the_last_one_until_something_newer_happens() -> None:
    lost = after((m.PressAccepted.type, {"press": 1}), (m.BurstLost.type, {"press": 1, "delivered": 2}))
    assert lost.outcome is not None
    assert (lost.outcome.type, lost.ended[1].count) == (m.BurstLost.type, 2)


@pytest.mark.parametrize(
    ("data", "dark"),
    [({"sticking_out": True}, True), ({"cause": "jammed"}, True), ({}, False), ({"sticking_out": False}, False)],
    ids=str,
)
def test_a_card_that_sticks_out_or_jams_darkens_the_exit(data: dict[str, Any], dark: bool) -> None:
    assert after((m.ExitChanged.type, {"blocked": not dark}), ended(**data)).exit_blocked is dark
