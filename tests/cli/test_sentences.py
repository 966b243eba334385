"""Journal records, and what came of a press, in words and in both languages."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dispenser.cli.sentences import describe, remark, was_cut_short
from dispenser.journal import Record
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.launcher.settings import MachineSettings
from tests.launcher.scripted import ScriptedOdds


def ended(number: int = 1, type_: str = "launcher.burst.ended", **data: Any) -> Record:
    defaults = {
        "press": number,
        "planned": 3,
        "delivered": 3,
        "cause": "complete",
        "sticking_out": False,
        "suspected_doubles": 0,
        "tries": 1,
        "dud_streak": 0,
    }
    return Record(number, "2026-11-20T12:00:00.000000Z", "launcher", type_, defaults | data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "Three cards!"),
        ({"planned": 1, "delivered": 1}, "One card!"),
        ({"planned": 13, "delivered": 13}, "13 cards!"),
        ({"planned": 3, "delivered": 4}, "Four cards!"),
        ({"cause": "dud", "planned": 0, "delivered": 0, "dud_streak": 1}, "Phew… not a single card!"),
        (
            {"cause": "dud", "planned": 0, "delivered": 0, "dud_streak": 2},
            "Phew… not a single card! 2 duds since cards last came.",
        ),
        ({"cause": "lid", "delivered": 2, "planned": 5}, "2 of 5: the lid was lifted."),
        ({"cause": "jammed", "delivered": 0, "planned": 1}, "0 of 1, then a jam."),
        ({"cause": "empty", "delivered": 1}, "1 of 3, then it was empty."),
        ({"cause": "lid", "delivered": None}, "? of 3: the lid was lifted."),
        (
            {"cause": "timed", "delivered": None},
            "About 3: there is no exit sensor. 'dispenser count' takes the right number.",
        ),
        ({"suspected_doubles": 1}, "Three cards! Perhaps 1 more, stuck to another."),
        ({"suspected_doubles": 2}, "Three cards! Perhaps 2 more, stuck to others."),
        ({"sticking_out": True}, "Three cards, counting the one that sticks out. Take it!"),
    ],
)
def test_what_came_of_a_press_in_words(data: dict[str, Any], words: str) -> None:
    assert remark(ended(**data)) == words


def test_a_lost_burst_has_words() -> None:
    record = Record(1, "2026-11-20T12:00:00.000000Z", "service", "launcher.burst.lost", {"press": 1, "delivered": 2})
    assert remark(record) == "Press 1: the service stopped suddenly; 2 seen until then."
    assert was_cut_short(record)


def test_what_is_wrong_is_said_in_the_language_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = LauncherMachine(MachineSettings(), ScriptedOdds([]), cards_inside=5)
    changes = [output for each in EMPTIED for output in machine.step(each, 1.0) if isinstance(output, m.StateChanged)]
    record = Record(1, "2026-11-20T12:00:00.000000Z", "launcher", changes[-1].type, msgspec.to_builtins(changes[-1]))
    assert "No more cards came, though about 5 should be inside." in describe(record)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert "Plus aucune carte ne sort, alors qu’il devrait en rester environ 5." in describe(record)


EMPTIED = [
    m.SwitchOn(lid_open=False),
    m.Press(cards=1),
    m.Tick(),
    *[m.FeedEnded(m.FeedEnd.STALL, 0), m.RetractEnded(m.FeedEnd.TIMED)] * 3,
]
