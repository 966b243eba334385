"""Alone, the firmware is the Python machine: the same inputs, thousands of them; the same motor, sounds and states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from dispenser.launcher.messages import BurstEnd, State
from tests.firmware.conformance import (
    PROGRAM_LIMIT_US,
    DifferenceError,
    compare,
    core_log,
    program_log,
    reference_log,
    shorten,
    states_in,
)
from tests.firmware.host import BURST_ENDS, EXIT_SENSOR, RETRACT, HostCore
from tests.firmware.traces import Trace, by_hand, by_toy

TRACES = 4000
"""How many of them CI plays: half by hand, half by the toy."""
CHUNK = 100
PROGRAM_TRACES = 40
"""How many the real program plays in simavr, cycle by cycle."""
PROGRAM_CHUNK = 5
PITCH = 0.005
"""How far its tones may be off: a timer divides a crystal."""


def _differs(trace: Trace) -> bool:
    try:
        compare(core_log(trace), reference_log(trace))
    except DifferenceError:
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("make", [by_hand, by_toy], ids=lambda make: make.__name__)
@pytest.mark.parametrize("first", range(0, TRACES // 2, CHUNK))
def test_the_core_does_what_the_python_machine_does(make: Callable[[int], Trace], first: int) -> None:
    for seed in range(first, first + CHUNK):
        trace = make(seed)
        try:
            compare(core_log(trace), reference_log(trace))
        except DifferenceError as difference:
            _, edges, end_us = shorten(trace, _differs)
            raise AssertionError(f"{make.__name__}({seed}): {difference}\nshortened to {edges}, {end_us}") from None


@pytest.mark.slow
@pytest.mark.parametrize("clock_mhz", [16, 8])
@pytest.mark.parametrize("make", [by_hand, by_toy], ids=lambda make: make.__name__)
@pytest.mark.parametrize("first", range(0, PROGRAM_TRACES // 2, PROGRAM_CHUNK))
def test_the_real_program_does_what_the_python_machine_does(
    make: Callable[[int], Trace], first: int, clock_mhz: int
) -> None:
    for seed in range(first, first + (PROGRAM_CHUNK if clock_mhz == 16 else 1)):
        trace = make(seed)
        try:
            compare(
                program_log(trace, clock_mhz),
                reference_log(trace),
                PROGRAM_LIMIT_US,
                kinds=("motor", "tone", "light"),
                pitch=PITCH,
            )
        except DifferenceError as difference:
            raise AssertionError(f"{make.__name__}({seed}), {clock_mhz} MHz: {difference}") from None


def test_the_traces_go_everywhere() -> None:
    """Otherwise that they agree would prove little."""
    states: Counter[State] = Counter()
    ends: Counter[BurstEnd] = Counter()
    for make in (by_hand, by_toy):
        for seed in range(150):
            log = reference_log(make(seed))
            states.update(states_in(log))
            ends.update(BURST_ENDS[happening.value & 0xFF] for happening in log if happening.kind == "burst")
    assert set(states) == set(State) - {State.OFF, State.FAULT}, "what a launcher alone can be in"
    assert set(ends) == {
        BurstEnd.DUD,
        BurstEnd.COMPLETE,
        BurstEnd.LID,
        BurstEnd.JAMMED,
        BurstEnd.EMPTY,
        BurstEnd.BLIND,
    }
    assert min(states.values()) >= 10
    assert min(ends.values()) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("capabilities", [EXIT_SENSOR, RETRACT, 0], ids=["one MOSFET", "no exit sensor", "neither"])
def test_a_poorer_launcher_conforms_too(capabilities: int) -> None:
    for make in (by_hand, by_toy):
        for seed in range(CHUNK):
            trace = make(seed)
            core = HostCore(capabilities=capabilities)
            try:
                compare(core_log(trace, core), reference_log(trace, capabilities))
            except DifferenceError as difference:
                raise AssertionError(f"{make.__name__}({seed}): {difference}") from None


@pytest.mark.slow
def test_the_clock_may_wrap_in_the_middle_of_anything() -> None:
    for seed in range(CHUNK):
        trace = by_hand(seed)
        wraps_at_us = seed * 70_000 + 1
        try:
            compare(core_log(trace, HostCore(clock_us=2**32 - wraps_at_us)), reference_log(trace))
        except DifferenceError as difference:
            raise AssertionError(f"by_hand({seed}), wrap at {wraps_at_us} us: {difference}") from None


def test_two_that_differ_are_told_apart() -> None:
    trace = by_hand(1)
    log = reference_log(trace)
    with pytest.raises(DifferenceError):
        compare(log[:-1], log)
    with pytest.raises(DifferenceError):
        compare([*log[:20], *log[21:]], log)
