"""A hundred thousand presses: random evenings with faults, hands and lids, each from its seed, in virtual time.

In a third of them the service's loop and its disk are up to half a second late, in another third a little.

When an evening goes wrong, the message names its seed. This shows it again, entry by entry, up to where it goes wrong::

    python -m tests.nightly.search.evening SEED 250

What a seed finds becomes a named test in ``tests/service/test_order_of_events.py``.
"""

from __future__ import annotations

import asyncio
import random

import pytest

from dispenser.launcher.cards import DoubleDetector
from dispenser.launcher.settings import MachineSettings
from dispenser.simulator import Happening, ToyEvent, ToyParameters
from tests.nightly.search.evening import play
from tests.nightly.search.watched import WatchedLauncher
from tests.nightly.seed import SEED
from tests.service.test_service import with_settings

GOAL_PRESSES = 100_000
SHARDS = 20
EVENINGS = 20
PRESSES = GOAL_PRESSES // (SHARDS * EVENINGS)
"""At least so many in each evening."""


@pytest.mark.parametrize("shard", range(SHARDS))
def test_no_promise_is_broken_in_many_presses(shard: int) -> None:
    seeds = range(SEED + shard * EVENINGS, SEED + (shard + 1) * EVENINGS)
    print(f"seeds {seeds}")
    assert sum(play(seed, PRESSES) for seed in seeds) >= EVENINGS * PRESSES


@pytest.mark.parametrize("volts", [4.8, 3.6, 2.7])
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
