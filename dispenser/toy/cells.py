"""Three LR14 cells in series."""

from __future__ import annotations

from dispenser.language import Text
from dispenser.toy.errors import ToyValueError
from dispenser.toy.parameters import ToyParameters

SECONDS_AN_HOUR = 3600.0


class Cells:
    """An open-circuit voltage that falls in a straight line with the charge drained, and an inner resistance."""

    def __init__(self, parameters: ToyParameters) -> None:
        self._parameters = parameters
        self._drained_mah = 0.0
        self.flat = False
        """However fresh they are, they give no more than flat ones."""

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
