"""Motor and roller in closed form: first-order speed, friction, no time steps.

While driven, the roller's surface speed approaches ``(motor voltage - friction voltage)`` times a constant
exponentially; undriven, the target is a negative speed because of friction, so that it reaches zero in finite time and
stays there.
"""

from __future__ import annotations

import math

from dispenser.simulator.parameters import SimulatorParameters

SLOWEST_MM_S = 1.0  # A motor that would turn more slowly than this stops
TIME_ERROR_S = 1e-9


class Motor:
    """The motor's motion, computed per stretch between two calls of ``drive``. Travel is in mm of roller surface.

    :ivar direction: 1 forward, -1 backward, 0 at rest: of the current stretch, which ends at rest at the latest.
    :ivar turns_at_s: time at which a motor driven against its motion stands still; call ``drive`` again then.
    """

    def __init__(self, parameters: SimulatorParameters) -> None:
        p = parameters
        self._mm_s_per_v = p.full_speed_mm_s / (p.loaded_fresh_v - p.friction_v)
        self._friction_mm_s = self._mm_s_per_v * p.friction_v
        self._start_v = p.start_v
        self._run_up_s, self._coast_s, self._brake_s = p.run_up_ms / 1e3, p.coast_ms / 1e3, p.brake_ms / 1e3
        self._start_s = 0.0
        self._end_s = math.inf
        self._travel_mm = 0.0
        self._speed_mm_s = 0.0
        self._target_mm_s = 0.0
        self._tau_s = self._coast_s
        self.direction = 0
        self.turns_at_s: float | None = None

    def drive(self, now_s: float, duty: float, motor_v: float, *, braking: bool = False) -> None:
        """Begin a new stretch with this duty.

        :param duty: -1 (backward) to 1; 0 lets it coast.
        :param motor_v: mean voltage at the motor, volts, 0 or more.
        :param braking: with duty 0: short-circuited.
        """
        speed = self.speed_mm_s(now_s)
        self._travel_mm = self.travel_mm(now_s)
        self._start_s, self._speed_mm_s, self._end_s, self.turns_at_s = now_s, speed, math.inf, None
        sense = (duty > 0) - (duty < 0)
        self.direction = (speed > 0) - (speed < 0) or (sense if motor_v >= self._start_v else 0)
        pull = self._mm_s_per_v * motor_v - self._friction_mm_s
        if self.direction == 0:
            self._target_mm_s = 0.0
            return
        if sense == 0:
            self._tau_s = self._brake_s if braking else self._coast_s
            along = -self._friction_mm_s
        else:
            self._tau_s = self._run_up_s
            # Friction acts against the motion: it adds to a drive against the motion, and reduces one along it.
            along = pull if sense == self.direction else -(pull + 2.0 * self._friction_mm_s)
        if along < SLOWEST_MM_S:
            along = min(along, -SLOWEST_MM_S)
            self._end_s = now_s + self._tau_s * math.log1p(abs(speed) / -along)
            if sense == -self.direction and motor_v >= self._start_v:
                self.turns_at_s = self._end_s
        self._target_mm_s = along * self.direction

    def speed_mm_s(self, now_s: float) -> float:
        """Return the surface speed, signed, mm/s."""
        if self.direction == 0 or now_s >= self._end_s:
            return 0.0
        decay = math.exp((self._start_s - now_s) / self._tau_s)
        return self._target_mm_s + (self._speed_mm_s - self._target_mm_s) * decay

    def travel_mm(self, now_s: float) -> float:
        """Return the total surface travel, backward negative, mm."""
        if self.direction == 0:
            return self._travel_mm
        return self._travel_mm + self._way_mm(min(now_s, self._end_s) - self._start_s)

    def when(self, mark_mm: float) -> float | None:
        """Return when the travel reaches a mark ahead (one just behind, by rounding, counts as reached now).

        :returns: seconds on the clock of ``drive``; ``None`` if this stretch does not reach it.
        """
        if self.direction == 0:
            return None
        distance = max(0.0, (mark_mm - self._travel_mm) * self.direction)
        if distance == 0.0:
            return self._start_s
        first, last = self._speed_mm_s * self.direction, self._target_mm_s * self.direction
        if self._end_s != math.inf and distance > abs(self._way_mm(self._end_s - self._start_s)):
            return None
        # Newton's method: travel over time is convex or concave throughout, so from the right side it converges
        # monotonically. Slowing down starts with the time at first speed, speeding up with that of the asymptote.
        tau = self._tau_s
        seconds = distance / first if first >= last else (distance + (last - first) * tau) / last
        for _ in range(40):
            decay = math.exp(-seconds / tau)
            speed = last + (first - last) * decay
            if speed <= 0.0:
                break
            error = last * seconds + (first - last) * tau * (1.0 - decay) - distance
            seconds -= error / speed
            if abs(error) < TIME_ERROR_S * speed:
                break
        return min(self._start_s + max(0.0, seconds), self._end_s)

    def _way_mm(self, seconds: float) -> float:
        """Return the signed travel in this stretch after a time."""
        fall = -math.expm1(-seconds / self._tau_s)
        return self._target_mm_s * seconds + (self._speed_mm_s - self._target_mm_s) * self._tau_s * fall
