"""The lid goes up at every millisecond of a burst, and in every state: the motor is off at that very instant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dispenser.launcher.messages import State
from dispenser.toy import ToyFault, ToyParameters
from tests.service.watched import WatchedLauncher, with_settings

BURST_MS = 700
"""From the press to after the end of five cards: no suspense, some 300 ms of motor, brake and coast."""


def launcher(name: str, *, cards: int = 112, suspense_s: float = 0.0, **pins: object) -> WatchedLauncher:
    return WatchedLauncher(
        name,
        settings=with_settings(
            pins=pins, launcher={"suspense_min_s": suspense_s, "suspense_max_s": suspense_s}, odds={"preset": "wild"}
        ),
        cards=cards,
        parameters=ToyParameters.flawless(),
    )


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
    """At every fifth one for the wirings that are not the build guide's."""
    ends: set[str] = set()
    for ms in range(start_ms, start_ms + 100, 5 if WIRINGS[wiring] else 1):
        with launcher(f"{wiring}, lid up after {ms} ms", **WIRINGS[wiring]) as watched:
            watched.run(0.2)
            watched.press(5)
            watched.run(ms / 1000)
            lift(watched)
            watched.run(0.5)
            assert watched.state == "open"
            (ended,) = [entry.data for entry in watched.entries if entry.type == "launcher.burst.ended"]
            ends.add(ended["cause"])
            if ended["delivered"] is not None:
                left = watched.rolled_out + watched.toy.view().card_in_exit
                assert ended["delivered"] == left, f"{watched.name}: {ended}"
            runs = watched.eyes.runs
            assert watched.eyes.runs == runs, "lid down starts no motor"
    assert "lid" in ends or start_ms >= 400
    assert ends <= {"lid", "complete", "timed"}


@pytest.mark.parametrize("fault", [ToyFault.ROLLER_JAM, ToyFault.MISFEED, ToyFault.EMPTY_STACK])
@pytest.mark.parametrize("start_ms", range(0, 2500, 500))
def test_at_every_fifth_millisecond_of_a_burst_that_needs_retries(fault: ToyFault, start_ms: int) -> None:
    """Feeds, retracts and the pauses between them."""
    for ms in range(start_ms, start_ms + 500, 5):
        with launcher(f"{fault.value}, lid up after {ms} ms") as watched:
            watched.run(0.2)
            watched.press(4)
            watched.call_after(0.1, lambda watched=watched: watched.fault(fault, on=True, cards=5))  # type: ignore[misc]
            watched.run(ms / 1000)
            lift(watched)
            watched.run(0.5)
            assert watched.state == "open"


def reach_suspense(watched: WatchedLauncher) -> None:
    watched.press()


def reach_feeding(watched: WatchedLauncher) -> None:
    watched.press(5)
    watched.run(0.1)


def reach_retracting(watched: WatchedLauncher) -> None:
    watched.press(5)
    watched.run(0.12)
    watched.fault(ToyFault.EMPTY_STACK, on=True)
    for _ in range(100):
        if watched.state == State.RETRACTING.value:
            return
        watched.run(0.005)


def reach_jammed(watched: WatchedLauncher) -> None:
    watched.fault(ToyFault.ROLLER_JAM, on=True, cards=20)
    watched.press(3)
    watched.run(6.0)


def reach_empty(watched: WatchedLauncher) -> None:
    watched.press(3)
    watched.run(0.12)
    watched.fault(ToyFault.EMPTY_STACK, on=True)
    watched.run(6.0)


def reach_blind(watched: WatchedLauncher) -> None:
    watched.fault(ToyFault.MOTOR_DEAD, on=True)
    watched.press(3)
    watched.run(6.0)


def reach_fault(watched: WatchedLauncher) -> None:
    watched.press(5)
    watched.run(0.1)
    watched.outage({watched.settings.pins.lid})
    watched.run(1.5)
    watched.outage(set())
    watched.run(1.5)


REACH: dict[State, Callable[[WatchedLauncher], None]] = {
    State.READY: lambda _: None,
    State.SUSPENSE: reach_suspense,
    State.FEEDING: reach_feeding,
    State.RETRACTING: reach_retracting,
    State.JAMMED: reach_jammed,
    State.EMPTY: reach_empty,
    State.BLIND: reach_blind,
    State.FAULT: reach_fault,
    State.OPEN: lambda watched: watched.lid(True),
}


def test_every_state_but_off_is_reached() -> None:
    assert set(REACH) == set(State) - {State.OFF}


@pytest.mark.parametrize("state", REACH, ids=lambda state: state.value)
def test_in_every_state(state: State) -> None:
    with launcher(f"lid up in {state.value}", suspense_s=0.5) as watched:
        watched.run(0.5)
        REACH[state](watched)
        watched.run(0.06)
        assert watched.state == state.value
        lift(watched)
        watched.run(0.5)
        assert watched.state == ("fault" if state is State.FAULT else "open")
        runs = watched.eyes.runs
        refused = watched.press(3)
        watched.run(0.1)
        assert refused.result().data["reason"] == ("fault" if state is State.FAULT else "lid_open")
        watched.lid(False)
        watched.run(3.0)
        assert watched.state == ("fault" if state is State.FAULT else "ready")
        assert watched.eyes.runs == runs, "lid down starts no motor"
        chimes = [entry.data["chime"] for entry in watched.entries if entry.type == "launcher.chime.played"]
        assert (chimes[-1] == "lid_shut") is (state is not State.FAULT)


@pytest.mark.parametrize("shut_ms", [0, 1, 10, 49, 50, 51, 52, 60, 100, 119, 120, 121, 150, 200])
def test_a_lid_that_is_shut_again_at_once_leaves_the_next_press_its_own(shut_ms: int) -> None:
    """The burst that was cut and the next one share the driver; neither may get the other's cards."""
    for ms in range(50, 350, 10):
        with launcher(f"lid up after {ms} ms, shut {shut_ms} ms later", suspense_s=0.02) as watched:
            watched.run(0.2)
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
