"""What a service remembers of the evening so far, from the journal alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dispenser.journal import Journal
from dispenser.launcher.messages import BurstLost
from dispenser.service.recall import Recollection, recall

Told = list[tuple[str, dict[str, object]]]


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal.open(":memory:") as journal:
        yield journal


def accepted(press: int) -> tuple[str, dict[str, object]]:
    return "launcher.press.accepted", {"press": press}


def left(press: int | None) -> tuple[str, dict[str, object]]:
    return "launcher.card.left", {"press": press}


def ended(press: int, delivered: int | None, dud_streak: int = 0) -> tuple[str, dict[str, object]]:
    return "launcher.burst.ended", {"press": press, "delivered": delivered, "dud_streak": dud_streak}


def loaded(cards: int) -> tuple[str, dict[str, object]]:
    return "launcher.cards.loaded", {"cards": cards}


def counted(press: int, cards: int, before: int) -> tuple[str, dict[str, object]]:
    return "launcher.burst.counted", {"press": press, "cards": cards, "counted_before": before}


STORIES: dict[str, tuple[Told, Recollection]] = {
    "nothing": ([], Recollection()),
    "presses are counted, refused ones too": (
        [accepted(1), ended(1, 0, 1), ("launcher.press.refused", {"press": 2})],
        Recollection(presses=2, dud_streak=1),
    ),
    "cards that left were inside": (
        [loaded(20), accepted(1), left(1), left(1), ended(1, 2)],
        Recollection(presses=1, cards_inside=18),
    ),
    "nobody said how many were inside": ([accepted(1), left(1), ended(1, 1)], Recollection(presses=1)),
    "a card sticking out has left": (
        [loaded(20), accepted(1), left(1), ended(1, 2)],
        Recollection(presses=1, cards_inside=18),
    ),
    "a card outside a burst": ([loaded(20), left(None)], Recollection(cards_inside=19)),
    "no exit sensor": ([loaded(20), accepted(1), ended(1, None)], Recollection(presses=1, cards_inside=20)),
    "somebody counted": (
        [loaded(20), accepted(1), ended(1, None), counted(1, 3, 0), counted(1, 2, 3)],
        Recollection(presses=1, cards_inside=18),
    ),
    "never below none": (
        [loaded(1), accepted(1), left(1), left(1), ended(1, 2)],
        Recollection(presses=1, cards_inside=0),
    ),
    "loaded again": ([loaded(1), left(None), loaded(50)], Recollection(cards_inside=50)),
    "killed before anything left": ([accepted(4)], Recollection(presses=4, lost=BurstLost(4, 0))),
    "killed in a burst": (
        [loaded(9), accepted(4), left(4), left(4)],
        Recollection(presses=4, cards_inside=7, lost=BurstLost(4, 2)),
    ),
    "killed, and told since": (
        [accepted(4), left(4), ("launcher.burst.lost", {"press": 4, "delivered": 1})],
        Recollection(presses=4),
    ),
    "a refused press while one is under way": (
        [accepted(4), left(4), ("launcher.press.refused", {"press": 5})],
        Recollection(presses=5, lost=BurstLost(4, 1)),
    ),
}


@pytest.mark.parametrize(("told", "expected"), STORIES.values(), ids=STORIES)
def test_the_journal_is_enough(journal: Journal, told: Told, expected: Recollection) -> None:
    for type_, data in told:
        journal.append("launcher", [(type_, data), ("launcher.chime.played", {"chime": "dud"})])
    assert recall(journal) == expected
