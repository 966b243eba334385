"""Watches the motor pins: never driven with the lid up, never longer than the command allows. And the button."""

from __future__ import annotations

from collections.abc import Callable

from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.messages import MAX_MOTOR_RUN_S
from tests.drivers.gpio.mock_pins import TroubleFactory

ROUNDING_S = 1e-9


class Eyes:
    """Looks at the motor pins whenever anything changes."""

    def __init__(self, wiring: GpioWiring, factory: TroubleFactory, now: Callable[[], float]) -> None:
        self.problems: list[str] = []
        self.button_edges: list[tuple[float, bool]] = []
        """When the button's wire changed, and whether the button is down since."""
        self.lid_up = False
        """The lid itself, whatever its contact says."""
        self.limit_s = 0.0
        """How long the command under way lets the motor run."""
        self._now = now
        self._factory = factory
        self._wiring = wiring
        self._lid = factory.pin(wiring.lid)
        self._forward, self._backward, self._enable = (
            None if gpio is None else factory.pin(gpio)
            for gpio in (wiring.motor_forward, wiring.motor_backward, wiring.motor_enable)
        )
        self._motor_gpios = {wiring.motor_forward, wiring.motor_backward, wiring.motor_enable} - {None}
        self._driven_since_s: float | None = None
        self._against_lid_s: float | None = None  # a fault, unless it is over at this very instant
        self._excused = False
        factory.on_output = self._output_changed
        factory.on_input = self._input_changed

    def drives(self) -> bool:
        """Whether current flows through the motor: enabled, and one input on but not both (that brakes)."""
        if self._enable is not None and not self._enable.output:
            return False
        backward = bool(self._backward is not None and self._backward.output)
        return bool(self._forward is not None and self._forward.output) != backward

    def lid_wire_open(self) -> bool:
        return bool(self._lid.output is None and self._lid._state) != self._wiring.lid_active_high  # noqa: SLF001

    def outage(self, gpios: set[int]) -> None:
        """From now on these pins fail; an empty set ends that."""
        if self._motor_gpios & (self._factory.failing | gpios):
            self.excuse()
        self._factory.failing = set(gpios)

    def excuse(self) -> None:
        """The driver cannot know better until it has read the levels again."""
        self._excused = True

    def has_read(self) -> None:
        """The driver has read all levels."""
        self._excused = bool(self._motor_gpios & self._factory.failing)

    def _output_changed(self, gpio: int) -> None:
        if gpio in self._motor_gpios:
            self.look()

    def _input_changed(self, gpio: int, level: bool) -> None:
        if gpio == self._wiring.button:
            self.button_edges.append((self._now(), level == self._wiring.button_active_high))
        if gpio == self._wiring.lid:  # the edge is through, and so is the driver's own reflex
            if gpio in self._factory.deaf:
                self.excuse()
            self.look()
            if self._against_lid_s is not None:
                self.problems.append(f"{self._now():.6f}: the lid rose and its edge did not stop the motor")

    def look(self) -> None:
        now = self._now()
        drives = self.drives()
        if self._against_lid_s is not None and now > self._against_lid_s:
            self.problems.append(f"{self._against_lid_s:.6f}: the motor is driven with the lid up")
        against_lid = drives and (self.lid_up or self.lid_wire_open()) and not self._excused
        self._against_lid_s = now if against_lid else None
        if self._driven_since_s is not None:
            ran_s = now - self._driven_since_s
            if ran_s > min(self.limit_s, MAX_MOTOR_RUN_S) + ROUNDING_S and not self._excused:
                self.problems.append(f"{now:.6f}: the motor runs for {ran_s:.6f} s, allowed are {self.limit_s}")
            if not drives:
                self._driven_since_s = None
        elif drives:
            self._driven_since_s = now
