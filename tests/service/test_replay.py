"""What a service remembers of the evening so far, from the journal alone."""

from __future__ import annotations

import pytest

from dispenser.journal import Journal
from dispenser.launcher.messages import BurstLost
from dispenser.service.replay import evening_under_way, replay_launcher

Notice = tuple[str, dict[str, object]]
Known = tuple[int, int, int | None, BurstLost | None]
"""Presses, duds in a row, cards inside, and the press that a kill has cut off."""


def accepted(press: int) -> Notice:
    return "launcher.press.accepted", {"press": press}


def refused(press: int) -> Notice:
    return "launcher.press.refused", {"press": press}


def left(press: int | None) -> Notice:
    return "launcher.card.left", {"press": press}


def ended(press: int, delivered: int | None, dud_streak: int = 0) -> Notice:
    return "launcher.burst.ended", {"press": press, "delivered": delivered, "dud_streak": dud_streak}


def loaded(cards: int) -> Notice:
    return "launcher.cards.loaded", {"cards": cards}


def counted(press: int, cards: int, before: int) -> Notice:
    return "launcher.burst.counted", {"press": press, "cards": cards, "counted_before": before}


LOST = "launcher.burst.lost", {"press": 4, "delivered": 1}
STORIES: dict[str, tuple[list[Notice], Known]] = {
    "nothing": ([], (0, 0, None, None)),
    "presses are counted, refused ones too": ([accepted(1), ended(1, 0, 1), refused(2)], (2, 1, None, None)),
    "cards that left were inside": ([loaded(20), accepted(1), left(1), left(1), ended(1, 2)], (1, 0, 18, None)),
    "a card sticking out has left": ([loaded(20), accepted(1), left(1), ended(1, 2)], (1, 0, 18, None)),
    "a card outside a burst": ([loaded(20), left(None)], (0, 0, 19, None)),
    "somebody counted": (
        [loaded(20), accepted(1), ended(1, None), counted(1, 3, 0), counted(1, 2, 3)],
        (1, 0, 18, None),
    ),
    "never below none": ([loaded(1), accepted(1), left(1), left(1), ended(1, 2)], (1, 0, 0, None)),
    "loaded again": ([loaded(1), left(None), loaded(50)], (0, 0, 50, None)),
    "killed before anything left": ([accepted(4)], (4, 0, None, BurstLost(4, 0))),
    "killed in a burst": ([loaded(9), accepted(4), left(4), left(4), refused(5)], (5, 0, 7, BurstLost(4, 2))),
    "killed, and told since": ([accepted(4), left(4), LOST], (4, 0, None, None)),
}


@pytest.mark.parametrize(("told", "expected"), STORIES.values(), ids=STORIES)
def test_the_journal_is_enough(told: list[Notice], expected: Known) -> None:
    with Journal.open(":memory:") as journal:
        for notice in told:
            journal.append("launcher", [notice, ("launcher.chime.played", {"chime": "dud"})])
        memory = replay_launcher(journal)
    assert (memory.presses, memory.dud_streak, memory.cards_inside, memory.lost) == expected


def test_the_secret_of_an_evening_that_is_over_is_forgotten_at_the_next_start_at_the_latest() -> None:
    over, later = "ab" * 32, "cd" * 32
    with Journal.open(":memory:") as journal:
        journal.put_secret(over, "ef" * 32)
        opened = journal.append("table", [("table.opened", {"commitment": over})])
        assert evening_under_way(journal) == opened[0]
        journal.append("table", [("table.closed", {})])
        journal.put_secret(later, "01" * 32)
        assert evening_under_way(journal) is None
        assert dict(journal.unrevealed_secrets()) == {later: "01" * 32}
