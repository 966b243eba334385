"""Doubles on the simulated launcher: how many are found, and that no single card is taken for two."""

from __future__ import annotations

import asyncio
import random

import pytest

from dispenser.launcher.cards import DoubleDetector
from dispenser.launcher.settings import MachineSettings
from dispenser.simulator import Happening, SimulatorEvent, SimulatorParameters
from tests.nightly.search.watched import WatchedLauncher
from tests.service.test_service import with_settings


@pytest.mark.parametrize("volts", [4.8, 3.6, 2.7])
def test_three_doubles_of_four_are_found_and_no_other_card_is_suspected(volts: float) -> None:
    """300 bursts of 1 to 8 cards; one card in twenty is a double."""
    name = f"doubles at {volts} V"
    dice = random.Random(name)
    really: list[bool] = []
    runs: list[tuple[list[float], list[bool]]] = []
    with WatchedLauncher(
        name,
        settings=with_settings(launcher={"suspense_min_s": 0.0, "suspense_max_s": 0.0}),
        parameters=SimulatorParameters.flawless(double_probability_new=0.05),
    ) as watched:

        def see(event: SimulatorEvent) -> None:
            if event.happening is Happening.CARD_LEFT:
                really.append(event.value == 2)

        watched.simulator.add_listener(see)
        watched.run(0.2)
        for _ in range(300):
            watched.simulator.set_cell_voltage(volts)
            told = len(watched.records)
            really.clear()
            watched.press(dice.choice((1, 1, 2, 3, 5, 8)))
            watched.until_idle()
            left = [
                record.data["blocked_ms"] for record in watched.records[told:] if record.type == "launcher.card.left"
            ]
            runs.append((left, really[: len(left)]))
            watched.take_card()
            watched.do(asyncio.sleep(0.2))
            if watched.simulator.view().cards_in_stack < 30:
                watched.load(70)
    doubles, found, wrong = DoubleDetector(MachineSettings().double_ratio), 0, 0
    for run_ms, double in runs:
        for suspect, is_double in zip(doubles.suspects(run_ms), double, strict=True):
            found += suspect and is_double
            wrong += suspect and not is_double
        doubles.learn(run_ms)
    cards = sum(sum(double) for _, double in runs)
    assert cards >= 30
    assert found >= 0.72 * cards, f"{found} of {cards}"
    assert wrong == 0
