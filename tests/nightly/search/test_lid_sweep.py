"""The lid goes up at every millisecond of a burst: the motor is off at that very instant, and every card is counted."""

from __future__ import annotations

from functools import partial

import pytest

from dispenser.simulator import SimulatorFault
from tests.nightly.search.watched import WatchedLauncher, flawless

BURST_MS = 700
"""From the press to after the end of five cards: no suspense, some 300 ms of motor, brake and coast."""


def lift(watched: WatchedLauncher) -> None:
    """The lid goes up now; what must hold at this instant."""
    watched.lid(True)
    assert not watched.eyes.drives(), f"{watched.name}: the motor runs with the lid up"


WIRINGS: dict[str, dict[str, object]] = {
    "bridge": {},
    "bridge without enable": {"motor_enable": None},
    "MOSFET": {"motor_backward": None, "motor_enable": None},
    "no exit sensor": {"exit": None},
}


@pytest.mark.parametrize("start_ms", range(0, BURST_MS, 100))
@pytest.mark.parametrize("wiring", WIRINGS)
def test_at_every_millisecond_of_a_burst_of_five(wiring: str, start_ms: int) -> None:
    for ms in range(start_ms, start_ms + 100):
        with flawless(f"{wiring}, lid up after {ms} ms", pins=WIRINGS[wiring]) as watched:
            watched.press(5)
            watched.run(ms / 1000)
            lift(watched)
            watched.run(0.5)
            assert watched.state == "open"
            (ended,) = [record.data for record in watched.records if record.type == "launcher.burst.ended"]
            assert ended["cause"] in {"lid", "complete", "timed"}
            if ended["delivered"] is not None:
                left = watched.truth.rolled_out + watched.simulator.view().card_in_exit
                assert ended["delivered"] == left, f"{watched.name}: {ended}"
            runs = watched.eyes.runs
            watched.lid(False)
            watched.run(0.5)
            assert watched.eyes.runs == runs, "lid down starts no motor"


@pytest.mark.parametrize("fault", [SimulatorFault.ROLLER_JAM, SimulatorFault.MISFEED, SimulatorFault.EMPTY_STACK])
@pytest.mark.parametrize("start_ms", range(0, 2500, 500))
def test_at_every_fifth_millisecond_of_a_burst_that_needs_retries(fault: SimulatorFault, start_ms: int) -> None:
    for ms in range(start_ms, start_ms + 500, 5):
        with flawless(f"{fault.value}, lid up after {ms} ms") as watched:
            watched.press(4)
            watched.loop.world.call_at(watched.now() + 0.1, partial(watched.fault, fault, on=True, cards=5))
            watched.run(ms / 1000)
            lift(watched)
            watched.run(0.5)
            assert watched.state == "open"


@pytest.mark.parametrize("shut_ms", [0, 1, 10, 49, 50, 51, 52, 60, 100, 119, 120, 121, 150, 200])
def test_a_lid_that_is_shut_again_at_once_leaves_the_next_press_its_own(shut_ms: int) -> None:
    for ms in range(50, 350, 10):
        with flawless(f"lid up after {ms} ms, shut {shut_ms} ms later", suspense_s=0.02) as watched:
            watched.press(5)
            watched.run(ms / 1000)
            lift(watched)
            watched.run(shut_ms / 1000)
            watched.lid(False)
            for _ in range(40):
                watched.press()
                watched.press(2)
                watched.run(0.005)
            watched.until_idle()
