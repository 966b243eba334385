"""Which cards are suspected to be two, promise by promise; the figures are what the simulated launcher shows."""

from __future__ import annotations

import asyncio
import random

import pytest

from dispenser.launcher.cards import DoubleDetector
from dispenser.launcher.settings import MachineSettings
from dispenser.simulator import Happening, ToyEvent, ToyParameters
from tests.nightly.search.watched import WatchedLauncher
from tests.sampled import sampled
from tests.service.test_service import with_settings

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


@pytest.mark.parametrize("pace_ms", [43.0, 65.0, 107.0])
def test_a_double_in_the_middle_is_found_at_any_pace(pace_ms: float) -> None:
    assert detector().suspects([1.1 * pace_ms, pace_ms, 1.4 * pace_ms, pace_ms]) == [False, False, True, False]
    assert detector().suspects([1.1 * pace_ms, 1.5 * pace_ms, 1.6 * pace_ms]) == [False, True, True]


def test_the_only_card_is_held_against_the_first_cards_of_the_runs_before() -> None:
    doubles = detector()
    assert doubles.suspects([75.0]) == [False], "nobody knows yet how long a card takes"
    doubles.learn(FRESH)
    assert doubles.suspects([75.0]) == [True]
    assert doubles.suspects([54.0]) == [False]


def test_a_first_card_that_is_slow_is_no_suspect_when_the_whole_run_is() -> None:
    doubles = detector()
    doubles.learn(FRESH)
    assert doubles.suspects([75.0, 66.0, 67.0]) == [False, False, False]
    assert doubles.suspects([75.0, 43.0, 44.0]) == [True, False, False]


def test_of_what_is_dark_for_longer_than_two_of_its_run_nobody_knows_how_many_it_was() -> None:
    doubles = detector()
    doubles.learn(FRESH)
    assert doubles.suspects([53.0, 43.0, 640.0]) == [False, False, True]
    assert doubles.suspects([640.0, 43.0]) == [True, False]
    assert doubles.suspects([640.0]) == [False], "other cells, for all that anybody knows"


def test_other_cells_make_a_single_card_a_suspect_three_times_at_most() -> None:
    doubles, suspected = detector(), 0
    for _ in range(5):
        doubles.learn(FRESH)
    for _ in range(20):
        suspected += sum(doubles.suspects([75.0]))
        doubles.learn([75.0])
    assert suspected <= 3


@pytest.mark.parametrize("volts", sampled([4.8, 3.6, 2.7], 3))
def test_on_the_simulated_launcher_three_doubles_of_four_are_found_and_no_other_card_is_suspected(volts: float) -> None:
    """300 bursts of 1 to 8 cards; one card in twenty is a double."""
    name = f"doubles at {volts} V"
    dice = random.Random(name)
    really: list[bool] = []
    runs: list[tuple[list[float], list[bool]]] = []
    with WatchedLauncher(
        name,
        settings=with_settings(launcher={"suspense_min_s": 0.0, "suspense_max_s": 0.0}),
        parameters=ToyParameters.flawless(double_probability_new=0.05),
    ) as watched:

        def see(event: ToyEvent) -> None:
            if event.happening is Happening.CARD_LEFT:
                really.append(event.value == 2)

        watched.toy.add_listener(see)
        watched.run(0.2)
        for _ in range(300):
            watched.toy.set_cell_voltage(volts)
            told = len(watched.entries)
            really.clear()
            watched.press(dice.choice((1, 1, 2, 3, 5, 8)))
            watched.until_idle()
            left = [entry.data["blocked_ms"] for entry in watched.entries[told:] if entry.type == "launcher.card.left"]
            runs.append((left, really[: len(left)]))
            watched.take_card()
            watched.do(asyncio.sleep(0.2))
            if watched.toy.view().cards_in_stack < 30:
                watched.load(70)
    doubles, found, wrong = detector(), 0, 0
    for run_ms, double in runs:
        for suspect, is_double in zip(doubles.suspects(run_ms), double, strict=True):
            found += suspect and is_double
            wrong += suspect and not is_double
        doubles.learn(run_ms)
    cards = sum(sum(double) for _, double in runs)
    assert cards >= 30
    assert found >= 0.72 * cards, f"{found} of {cards}"
    assert wrong == 0
