"""The lid goes up at many moments of a burst, and in every state: the motor is off at that very instant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dispenser.launcher.messages import State
from dispenser.simulator import ToyFault
from tests.service.lid_sweep import BURST_MS, WIRINGS, launcher, lift, sweep_burst, sweep_retries, sweep_shut_again
from tests.service.watched import WatchedLauncher


@pytest.mark.parametrize("wiring", WIRINGS)
def test_lid_up_at_any_moment_of_a_burst_stops_the_motor_and_the_count_is_right(wiring: str) -> None:
    sweep_burst(wiring, range(3, BURST_MS, 30))


@pytest.mark.parametrize("fault", [ToyFault.ROLLER_JAM, ToyFault.MISFEED, ToyFault.EMPTY_STACK])
def test_lid_up_at_any_moment_of_retries_stops_the_motor(fault: ToyFault) -> None:
    sweep_retries(fault, range(7, 2500, 130))


@pytest.mark.parametrize("shut_ms", [0, 50, 120, 200])
def test_after_a_lid_that_is_shut_again_at_once_the_next_press_has_its_own_cards(shut_ms: int) -> None:
    sweep_shut_again(shut_ms, range(50, 350, 75))


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


@pytest.mark.parametrize("state", [state for state in State if state is not State.OFF], ids=lambda state: state.value)
def test_lid_up_stops_the_motor_in_every_state_and_lid_down_starts_none(state: State) -> None:
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
