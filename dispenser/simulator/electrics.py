"""From the output pins to motor, beeper and light, with the cells behind them."""

from __future__ import annotations

from dispenser.i18n import Text
from dispenser.simulator.clockwork import Clockwork
from dispenser.simulator.errors import ToyValueError
from dispenser.simulator.faults import ToyFault
from dispenser.simulator.feeder import Feeder
from dispenser.simulator.parameters import ToyParameters
from dispenser.simulator.pins import ToyFactory
from dispenser.simulator.shared import Shared
from dispenser.simulator.view import Happening
from dispenser.simulator.wiring import OutputLine, ToyWiring

SECONDS_AN_HOUR = 3600.0


class Cells:
    """Three LR14 in series: an open-circuit voltage that falls in a straight line with the charge drained, and an
    inner resistance.

    :ivar flat: however fresh they are, they give no more than flat ones.
    """

    def __init__(self, parameters: ToyParameters) -> None:
        self._parameters = parameters
        self._drained_mah = 0.0
        self.flat = False

    def voltage_v(self, duty: float) -> float:
        """Voltage at the terminals while the motor runs at this duty, volts."""
        p = self._parameters
        slope_v_mah = (p.cell_fresh_v - p.cell_flat_v) / p.cell_capacity_mah
        open_v = p.cell_fresh_v - slope_v_mah * self._drained_mah
        if self.flat:
            open_v = min(open_v, p.cell_flat_v)
        return max(0.0, open_v - p.cell_resistance_ohm * p.motor_current_a * abs(duty))

    def drain(self, duty: float, seconds: float) -> None:
        """The motor has run at this duty for so long."""
        self._drained_mah += self._parameters.motor_current_a * 1e3 * abs(duty) * seconds / SECONDS_AN_HOUR

    def set_voltage(self, voltage_v: float) -> None:
        """Put in other cells, given by their open-circuit voltage together, volts.

        :raises ToyValueError: below 0 or above fresh cells.
        """
        p = self._parameters
        if not 0.0 <= voltage_v <= p.cell_fresh_v:
            raise ToyValueError(
                Text("voltage_v must be 0 to {highest} (three fresh LR14), not {voltage_v}").filled(
                    highest=p.cell_fresh_v, voltage_v=voltage_v
                )
            )
        self._drained_mah = (p.cell_fresh_v - voltage_v) / (p.cell_fresh_v - p.cell_flat_v) * p.cell_capacity_mah


class Electrics:
    """Everything that gets current.

    The motor turns when its bridge is enabled and one input is on; with both on it brakes, with none it coasts.

    :ivar commanded: duty that the pins ask for, -1 to 1.
    """

    def __init__(
        self, shared: Shared, wiring: ToyWiring, factory: ToyFactory, clockwork: Clockwork, feeder: Feeder
    ) -> None:
        self._shared = shared
        self._feeder = feeder
        self._cells = Cells(shared.parameters)
        self._lid_open = False
        self._duty = 0.0
        self._since_s = shared.agenda.time()
        self.commanded = 0.0
        self.tone_hz: float | None = None
        self.light_on = False
        self._forward = OutputLine(wiring.motor_forward, factory, clockwork, self.motor_changed)
        self._backward = OutputLine(wiring.motor_backward, factory, clockwork, self.motor_changed)
        self._enable = OutputLine(wiring.motor_enable, factory, clockwork, self.motor_changed, unwired=1.0)
        self._buzzer = OutputLine(wiring.buzzer, factory, clockwork, self._buzzer_changed)
        self._light = OutputLine(wiring.light, factory, clockwork, self._light_changed)
        self._buzzer_changed()
        self._light_changed()

    def voltage_v(self) -> float:
        """At the terminals of the cells now, volts."""
        return self._cells.voltage_v(self._duty)

    def set_lid(self, *, lid_open: bool) -> None:
        """The lid moved; with ``hardware_interlock`` that cuts the motor."""
        self._lid_open = lid_open
        self.motor_changed()

    def set_cell_voltage(self, voltage_v: float) -> None:
        """Other cells, open-circuit volts."""
        self._cells.set_voltage(voltage_v)
        self.motor_changed()

    def motor_changed(self) -> None:
        """A pin, the cells, the lid or a fault has changed: work out what the motor gets."""
        enable = self._enable.duty
        forward, backward = self._forward.duty * enable, self._backward.duty * enable
        braking = forward > 0.0 and backward > 0.0
        commanded = 0.0 if braking else forward - backward
        faults, interlock = self._shared.faults, self._shared.parameters.hardware_interlock
        cut = faults.on(ToyFault.MOTOR_DEAD) or (interlock and self._lid_open)
        now_s = self._shared.agenda.time()
        if self._duty:
            self._cells.drain(self._duty, now_s - self._since_s)
        self._since_s = now_s
        self._duty = 0.0 if cut else commanded
        self._cells.flat = faults.on(ToyFault.FLAT_CELLS)
        motor_v = self._cells.voltage_v(self._duty) * abs(self._duty)
        self._feeder.drive(self._duty, motor_v, braking=braking and not cut)
        if commanded != self.commanded:
            self.commanded = commanded
            self._shared.tell(Happening.MOTOR, commanded)

    def _buzzer_changed(self) -> None:
        duty, frequency_hz = self._buzzer.duty, self._buzzer.frequency_hz
        tone_hz: float | None = None
        if frequency_hz is None:
            # Plain on: an active buzzer sounds by itself.
            tone_hz = self._shared.parameters.active_buzzer_hz if duty > 0.0 else None
        elif 0.0 < duty < 1.0:
            # A passive piezo follows the PWM; a constant level makes it silent.
            tone_hz = float(frequency_hz)
        if tone_hz != self.tone_hz:
            self.tone_hz = tone_hz
            self._shared.tell(Happening.TONE, tone_hz)

    def _light_changed(self) -> None:
        light_on = self._light.duty > 0.0
        if light_on != self.light_on:
            self.light_on = light_on
            self._shared.tell(Happening.LIGHT, light_on)
