"""Which cards are suspected to be two, promise by promise; ``tests/nightly/search`` counts how many are found."""

from __future__ import annotations

import pytest

from dispenser.launcher.cards import DoubleDetector
from dispenser.launcher.settings import MachineSettings

FRESH = [53.0, 43.0, 44.5, 42.0]
FLAT = [110.0, 107.0, 104.0, 109.0]


def detector() -> DoubleDetector:
    return DoubleDetector(MachineSettings().double_ratio)


@pytest.mark.parametrize("run", [FRESH, FLAT, FRESH[:2], FLAT[:2], FRESH[:1], FLAT[:1]])
@pytest.mark.parametrize("before", [[], [FRESH, FRESH], [FLAT, FLAT]])
def test_cards_of_one_pace_are_no_suspects(run: list[float], before: list[list[float]]) -> None:
    doubles = detector()
    for earlier in before:
        doubles.learn(earlier)
    assert not any(doubles.suspects(run))


@pytest.mark.parametrize(
    ("before", "run", "suspects"),
    [
        *(([], [1.1 * pace, pace, 1.4 * pace, pace], [False, False, True, False]) for pace in (43.0, 65.0, 107.0)),
        ([], [47.0, 64.0, 68.0, 43.0], [False, True, True, False]),
        ([], [75.0], [False]),  # nobody knows yet how long a card takes
        ([FRESH], [75.0], [True]),
        ([FRESH], [54.0], [False]),
        ([FRESH], [75.0, 66.0, 67.0], [False, False, False]),  # the whole run is slow
        ([FRESH], [75.0, 43.0, 44.0], [True, False, False]),
        ([FRESH], [53.0, 43.0, 640.0], [False, False, True]),
        ([FRESH], [640.0, 43.0], [True, False]),
        ([FRESH], [640.0], [False]),  # other cells, for all that anybody knows
    ],
)
def test_a_card_is_held_against_its_run_and_the_first_one_against_earlier_first_ones_too(
    before: list[list[float]], run: list[float], suspects: list[bool]
) -> None:
    doubles = detector()
    for earlier in before:
        doubles.learn(earlier)
    assert doubles.suspects(run) == suspects


def test_other_cells_make_a_single_card_a_suspect_three_times_at_most() -> None:
    doubles, suspected = detector(), 0
    for _ in range(5):
        doubles.learn(FRESH)
    for _ in range(20):
        suspected += sum(doubles.suspects([75.0]))
        doubles.learn([75.0])
    assert suspected <= 3
