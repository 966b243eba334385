"""The lid goes up at chosen moments of a burst: the motor is off at that very instant, and every card is counted.

A sample of the moments; the nightly search takes all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from dispenser.simulator import ToyFault
from tests.service.watched import WatchedLauncher, flawless

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


def sweep_burst(wiring: str, moments_ms: Iterable[int]) -> None:
    """A burst of five cards; the lid goes up so long after the press."""
    ends: set[str] = set()
    for ms in moments_ms:
        with flawless(f"{wiring}, lid up after {ms} ms", pins=WIRINGS[wiring]) as watched:
            watched.press(5)
            watched.run(ms / 1000)
            lift(watched)
            watched.run(0.5)
            assert watched.state == "open"
            (ended,) = [entry.data for entry in watched.entries if entry.type == "launcher.burst.ended"]
            ends.add(ended["cause"])
            if ended["delivered"] is not None:
                left = watched.truth.rolled_out + watched.toy.view().card_in_exit
                assert ended["delivered"] == left, f"{watched.name}: {ended}"
            runs = watched.eyes.runs
            watched.lid(False)
            watched.run(0.5)
            assert watched.eyes.runs == runs, "lid down starts no motor"
    assert ends <= {"lid", "complete", "timed"}


def sweep_retries(fault: ToyFault, moments_ms: Iterable[int]) -> None:
    """A burst that needs retries: feeds, retracts and the pauses between them."""
    for ms in moments_ms:
        with flawless(f"{fault.value}, lid up after {ms} ms") as watched:
            watched.press(4)
            watched.call_after(0.1, lambda watched=watched: watched.fault(fault, on=True, cards=5))  # type: ignore[misc]
            watched.run(ms / 1000)
            lift(watched)
            watched.run(0.5)
            assert watched.state == "open"


def sweep_shut_again(shut_ms: int, moments_ms: Iterable[int]) -> None:
    """The lid is shut again at once: the cut burst and the next one share the driver, each keeps its own cards."""
    for ms in moments_ms:
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


@pytest.mark.parametrize("wiring", WIRINGS)
def test_lid_up_at_any_moment_of_a_burst_stops_the_motor_and_the_count_is_right(wiring: str) -> None:
    sweep_burst(wiring, range(3, BURST_MS, 30))


@pytest.mark.parametrize("fault", [ToyFault.ROLLER_JAM, ToyFault.MISFEED, ToyFault.EMPTY_STACK])
def test_lid_up_at_any_moment_of_retries_stops_the_motor(fault: ToyFault) -> None:
    sweep_retries(fault, range(7, 2500, 130))


@pytest.mark.parametrize("shut_ms", [0, 50, 120, 200])
def test_after_a_lid_that_is_shut_again_at_once_the_next_press_has_its_own_cards(shut_ms: int) -> None:
    sweep_shut_again(shut_ms, range(50, 350, 75))
