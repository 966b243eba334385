"""From the output pins to motor, beeper and light, with the batteries."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dispenser.i18n import Text
from dispenser.simulator.clockwork import Clockwork
from dispenser.simulator.contacts import Contact
from dispenser.simulator.errors import SimulatorValueError
from dispenser.simulator.faults import SimulatorFault
from dispenser.simulator.feeder import Feeder
from dispenser.simulator.parameters import Line, SimulatorWiring
from dispenser.simulator.shared import Shared
from dispenser.simulator.view import Happening

SECONDS_AN_HOUR = 3600.0


class OutputLine:
    """An output of the Pi, with the level that the physics has processed; the pin itself may be ahead.

    :param unwired: level of a part that is not connected.
    :param changed: called at every change, as part of the physics.
    :ivar frequency_hz: PWM frequency, hertz; ``None`` without PWM.
    """

    def __init__(
        self,
        line: Line | None,
        clockwork: Clockwork,
        changed: Callable[[], None],
        *,
        unwired: float = 0.0,
    ) -> None:
        self._active_high = line is None or line.active_high
        self._clockwork = clockwork
        self._changed = changed
        self._level: float | None = unwired
        self.frequency_hz: float | None = None
        if line is not None:
            pin = clockwork.factory.pin(line.gpio)
            self._level, self.frequency_hz = pin.output, pin.frequency
            pin.on_output = self._on_output

    @property
    def duty(self) -> float:
        """Return the active share, 0 to 1. A pin that no device drives is off, by the external pull-down."""
        if self._level is None:
            return 0.0
        return self._level if self._active_high else 1.0 - self._level

    def _on_output(self, at_s: float, level: float | None, frequency_hz: float | None) -> None:
        self._clockwork.note(at_s, partial(self._take, level, frequency_hz))

    def _take(self, level: float | None, frequency_hz: float | None) -> None:
        self._level, self.frequency_hz = level, frequency_hz
        self._changed()


class Electrics:
    """All consumers, and the cells: three LR14 in series. Their open-circuit voltage falls linearly with the charge
    drained, and they have an inner resistance.

    The motor turns when its bridge is enabled and one input is on; with both on it brakes, with none it coasts.

    :ivar commanded: duty that the pins ask for, -1 to 1.
    """

    def __init__(
        self, shared: Shared, wiring: SimulatorWiring, clockwork: Clockwork, feeder: Feeder, lid: Contact
    ) -> None:
        self._shared, self._feeder, self._lid = shared, feeder, lid
        self._drained_mah = 0.0
        self._duty = 0.0
        self._since_s = shared.agenda.time()
        self.commanded = 0.0
        self.tone_hz: float | None = None
        self.light_on = False
        self._forward = OutputLine(wiring.motor_forward, clockwork, self.motor_changed)
        self._backward = OutputLine(wiring.motor_backward, clockwork, self.motor_changed)
        self._enable = OutputLine(wiring.motor_enable, clockwork, self.motor_changed, unwired=1.0)
        self._buzzer = OutputLine(wiring.buzzer, clockwork, self._buzzer_changed)
        self._light = OutputLine(wiring.light, clockwork, self._light_changed)
        self._buzzer_changed()
        self._light_changed()
        self.motor_changed()

    def voltage_v(self) -> float:
        """Return the voltage at the terminals of the cells, under load, volts."""
        p = self._shared.parameters
        open_v = p.cell_fresh_v - (p.cell_fresh_v - p.cell_flat_v) / p.cell_capacity_mah * self._drained_mah
        if self._shared.faults.on(SimulatorFault.FLAT_CELLS):
            open_v = min(open_v, p.cell_flat_v)
        return max(0.0, open_v - p.cell_resistance_ohm * p.motor_current_a * abs(self._duty))

    def set_cell_voltage(self, voltage_v: float) -> None:
        """Set the cells' open-circuit voltage (all three together), volts.

        :raises SimulatorValueError: below 0 or above fresh cells.
        """
        p = self._shared.parameters
        if not 0.0 <= voltage_v <= p.cell_fresh_v:
            text = Text("voltage_v must be 0 to {highest} (three fresh LR14), not {voltage_v}")
            raise SimulatorValueError(text.filled(highest=p.cell_fresh_v, voltage_v=voltage_v))
        self._drained_mah = (p.cell_fresh_v - voltage_v) / (p.cell_fresh_v - p.cell_flat_v) * p.cell_capacity_mah
        self.motor_changed()

    def motor_changed(self) -> None:
        """Compute the motor's duty and voltage after a change of a pin, the cells, the lid or a fault."""
        enable = self._enable.duty
        forward, backward = self._forward.duty * enable, self._backward.duty * enable
        braking = forward > 0.0 and backward > 0.0
        commanded = 0.0 if braking else forward - backward
        faults, interlock = self._shared.faults, self._shared.parameters.hardware_interlock
        cut = faults.on(SimulatorFault.MOTOR_DEAD) or (interlock and self._lid.active)
        now_s = self._shared.agenda.time()
        drained_as = self._shared.parameters.motor_current_a * abs(self._duty) * (now_s - self._since_s)
        self._drained_mah += drained_as * 1e3 / SECONDS_AN_HOUR
        self._since_s = now_s
        self._duty = 0.0 if cut else commanded
        motor_v = self.voltage_v() * abs(self._duty)
        self._feeder.drive(self._duty, motor_v, braking=braking and not cut)
        if commanded != self.commanded:
            self.commanded = commanded
            self._shared.report(Happening.MOTOR, commanded)

    def _buzzer_changed(self) -> None:
        duty, frequency_hz = self._buzzer.duty, self._buzzer.frequency_hz
        tone_hz: float | None = None
        if frequency_hz is None:
            # Constant on: an active buzzer has its own oscillator.
            tone_hz = self._shared.parameters.active_buzzer_hz if duty > 0.0 else None
        elif 0.0 < duty < 1.0:
            # A passive piezo plays the PWM frequency; a constant level is silent.
            tone_hz = float(frequency_hz)
        if tone_hz != self.tone_hz:
            self.tone_hz = tone_hz
            self._shared.report(Happening.TONE, tone_hz)

    def _light_changed(self) -> None:
        light_on = self._light.duty > 0.0
        if light_on != self.light_on:
            self.light_on = light_on
            self._shared.report(Happening.LIGHT, light_on)
