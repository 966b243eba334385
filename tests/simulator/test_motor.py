"""Motor and roller: the closed form against small time steps, and marks met exactly."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.simulator import SimulatorParameters
from dispenser.simulator.motor import Motor

P = SimulatorParameters.flawless()
STEP_S = 1e-5
Command = tuple[float, float, float, bool]  # seconds until the next, duty, motor volts, braking


def by_small_steps(commands: list[Command]) -> tuple[float, float]:
    """Speed and travel after the commands, integrated: torque less friction, one first-order lag."""
    volts_to_speed = P.full_speed_mm_s / (P.loaded_fresh_v - P.friction_v)
    speed = travel = 0.0
    for seconds, duty, motor_v, braking in commands:
        lag_s = (P.run_up_ms if duty else P.brake_ms if braking else P.coast_ms) / 1e3
        push = volts_to_speed * math.copysign(motor_v, duty) if duty else 0.0
        for _ in range(round(seconds / STEP_S)):
            if speed == 0.0:
                if not duty or motor_v < P.start_v:
                    continue
                sense = math.copysign(1.0, duty)
            else:
                sense = math.copysign(1.0, speed)
            before = speed
            speed += (push - volts_to_speed * P.friction_v * sense - speed) * STEP_S / lag_s
            if before * speed < 0.0:
                speed = 0.0
            travel += (before + speed) / 2.0 * STEP_S
    return speed, travel


def in_closed_form(commands: list[Command]) -> tuple[float, float]:
    motor, now_s = Motor(P), 0.0
    for seconds, duty, motor_v, braking in commands:
        motor.drive(now_s, duty, motor_v, braking=braking)
        end_s = now_s + seconds
        while motor.turns_at_s is not None and motor.turns_at_s < end_s:
            motor.drive(motor.turns_at_s, duty, motor_v)
        now_s = end_s
    return motor.speed_mm_s(now_s), motor.travel_mm(now_s)


@pytest.mark.parametrize(
    "commands",
    [
        [(0.2, 1.0, 4.44, False)],
        [(0.1, 1.0, 4.44, False), (0.02, 0.0, 0.0, False)],
        [(0.1, 1.0, 4.44, False), (0.1, 0.0, 0.0, False)],
        [(0.1, 1.0, 4.44, False), (0.1, 0.0, 0.0, True)],
        [(0.08, 1.0, 4.44, False), (0.15, -1.0, 4.44, False), (0.01, 0.0, 0.0, False)],
        [(0.08, 1.0, 4.44, False), (0.3, 0.3, 1.4, False)],
        [(0.08, 1.0, 4.44, False), (0.3, 0.2, 0.8, False)],
        [(0.08, -1.0, 4.44, False), (0.03, 1.0, 2.3, False), (0.05, 0.5, 2.0, False)],
        [(0.08, 1.0, 4.44, False), (0.3, -0.3, 1.4, False)],
        [(0.3, 0.3, 1.49, False)],
    ],
)
def test_the_closed_form_agrees_with_small_steps(commands: list[Command]) -> None:
    assert in_closed_form(commands) == pytest.approx(by_small_steps(commands), rel=2e-3, abs=0.5)


volts = st.floats(1.5, 4.44)


@given(
    first=volts, second=volts, duty=st.sampled_from([1.0, -1.0, 0.0]), run_s=st.floats(0.0, 0.2), share=st.floats(0, 1)
)
def test_a_mark_ahead_is_met_where_it_lies(
    first: float, second: float, duty: float, run_s: float, share: float
) -> None:
    motor = Motor(P)
    motor.drive(0.0, 1.0, first)
    motor.drive(run_s, duty, second)
    end_s = min(run_s + 1.0, motor.turns_at_s or math.inf)
    mark = motor.travel_mm(run_s) + share * (motor.travel_mm(end_s) - motor.travel_mm(run_s))
    when_s = motor.when(mark)
    if when_s is None:
        assert motor.direction == 0 or share == 1.0
    else:
        assert motor.travel_mm(when_s) == pytest.approx(mark, abs=1e-5)
        assert when_s >= run_s


def test_the_coast_ends_and_reaches_no_mark_beyond() -> None:
    motor = Motor(P)
    motor.drive(0.0, 1.0, 4.44)
    motor.drive(0.3, 0.0, 0.0)
    rest = motor.travel_mm(0.5)
    assert (motor.speed_mm_s(0.5), motor.travel_mm(100.0), motor.when(rest + 0.001)) == (0.0, rest, None)
