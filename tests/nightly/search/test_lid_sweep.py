"""The lid goes up at every millisecond of a burst: the motor is off at that very instant, and every card is counted."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from dispenser.simulator import ToyFault
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


@pytest.mark.parametrize("start_ms", range(0, BURST_MS, 100))
@pytest.mark.parametrize("wiring", WIRINGS)
def test_at_every_millisecond_of_a_burst_of_five(wiring: str, start_ms: int) -> None:
    sweep_burst(wiring, range(start_ms, start_ms + 100))


@pytest.mark.parametrize("fault", [ToyFault.ROLLER_JAM, ToyFault.MISFEED, ToyFault.EMPTY_STACK])
@pytest.mark.parametrize("start_ms", range(0, 2500, 500))
def test_at_every_fifth_millisecond_of_a_burst_that_needs_retries(fault: ToyFault, start_ms: int) -> None:
    sweep_retries(fault, range(start_ms, start_ms + 500, 5))


@pytest.mark.parametrize("shut_ms", [0, 1, 10, 49, 50, 51, 52, 60, 100, 119, 120, 121, 150, 200])
def test_a_lid_that_is_shut_again_at_once_leaves_the_next_press_its_own(shut_ms: int) -> None:
    sweep_shut_again(shut_ms, range(50, 350, 10))
