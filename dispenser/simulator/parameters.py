"""Pins and physical constants of the simulator, each with its unit and source.

"assumed": not measured on a real launcher, but chosen so that the known figures result.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Self

from dispenser.i18n import Text
from dispenser.simulator.errors import SimulatorValueError
from dispenser.simulator.view import FRESH_CELLS_V


@dataclass(frozen=True, slots=True)
class Line:
    """One wire.

    :param gpio: BCM number, 0 to 27.
    :param active_high: the level that means *active*: button down, lid open, exit dark; motor, buzzer or light on.
    """

    gpio: int
    active_high: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatorWiring:
    """All wires of the launcher; ``None`` for a part that is not connected.

    Contacts usually close to ground against a pull-up: a pressed button is low (``active_high=False``); the lid switch
    is closed while the lid is shut, so an open lid, or a broken wire, is high (``active_high=True``). The same applies
    to a phototransistor to ground: a dark exit is high.

    Motor: forward and backward inputs of an H-bridge (PWM on either), or one MOSFET on ``motor_forward``.
    ``motor_enable`` scales both. External pull-downs keep every output off while no device claims its pin.
    """

    button: Line
    lid: Line
    exit: Line | None = None
    motor_forward: Line
    motor_backward: Line | None = None
    motor_enable: Line | None = None
    buzzer: Line | None = None
    light: Line | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatorParameters:
    """Constants of one launcher, its cells and its cards.

    :raises SimulatorValueError: for a negative or meaningless value; the text names the field.
    """

    # --- cards and path ---

    card_length_mm: float = 87.0
    """Side of the card that lies along the path. Cards are 56 x 87 mm (measured); leaving lengthwise: assumed."""
    stack_capacity_cards: int = 112  # Capacity of the stack: the whole pack of the original game (its instructions)
    card_period_ms: float = 57.0  # Motor time per card in the middle of a burst, full duty, fresh cells (measured)
    gap_mean_mm: float = 27.0  # Roller travel between the end of a card and the start of the next, mean (assumed)
    gap_spread_mm: float = 4.5  # Its standard deviation: the roller grips some cards sooner than others (assumed)
    gap_min_mm: float = 13.0
    """Its minimum; the maximum is as far above the mean (assumed). Must exceed ``barrier_distance_mm``."""
    barrier_distance_mm: float = 12.0  # From the roller to the light barrier (assumed)
    slip_spread: float = 0.015
    """Standard deviation of roller travel per card travel, no unit; clipped at three times that (assumed)."""

    # --- motor ---

    run_up_ms: float = 25.0
    """Time constant of the speed while the motor is driven (assumed, small toy motor with a reduction gear)."""
    coast_ms: float = 17.0
    """Time constant of the coast-down with the motor open (assumed: sometimes a card is left sticking out)."""
    brake_ms: float = 6.0  # Time constant with both bridge inputs on, the motor short-circuited (assumed)
    friction_v: float = 0.9
    """Motor voltage that just overcomes friction while turning; it also ends the coast-down (assumed)."""
    start_v: float = 1.5
    """Motor voltage below which the motor does not start to turn (assumed; toy motors are sold as 1.5-4.5 V)."""
    motor_current_a: float = 0.8
    """Current of the loaded motor at full duty (assumed; data sheets of 130-size motors say 0.6-0.7 A at 3 V)."""
    hardware_interlock: bool = False
    """``True``: an open lid cuts the motor in hardware. ``False``: only the driver's code does, which is under test."""

    # --- cells ---

    cell_fresh_v: float = FRESH_CELLS_V  # Three fresh LR14 cells in series, no load (measured)
    cell_flat_v: float = 2.7  # Three flat ones, no load: 0.9 V each (measured)
    cell_capacity_mah: float = 8000.0
    """Charge from fresh to flat (LR14 data sheets: 7000-8400 mAh, light load). The voltage falls linearly."""
    cell_resistance_ohm: float = 0.45  # Inner resistance of the three (LR14 data sheet: 0.15 ohm each)

    # --- chance ---

    wear: float = 0.0
    """Wear of the cards, 0 new to 1 worn out; the three probabilities below are interpolated linearly."""
    misfeed_probability_new: float = 0.022
    """A card does not move until the motor starts again, new cards (measured: 2.2 % feed failures)."""
    misfeed_probability_worn: float = 0.15  # The same with worn cards (known: more; the figure is assumed)
    double_probability_new: float = 0.004  # Two overlapping cards leave as one, new cards (assumed)
    double_probability_worn: float = 0.02  # The same with worn cards (assumed)
    jam_probability_new: float = 0.001  # A card jams in the light barrier, new cards (assumed)
    jam_probability_worn: float = 0.01  # The same with worn cards (assumed)
    double_offset_min_mm: float = 8.0  # Minimum offset of the second card of a double behind the first (assumed)
    double_offset_max_mm: float = 60.0  # Its maximum (assumed)
    jam_free_travel_mm: float = 10.0
    """Backward roller travel after which a jammed card may come free, once per retract (assumed)."""
    jam_free_probability: float = 0.5  # The probability of that (assumed)

    # --- contacts and beeper ---

    bounce_min_ms: float = 0.1  # Shortest time a contact bounces (issue: 0.1-20 ms)
    bounce_max_ms: float = 6.2
    """Longest time a sound contact bounces (longest of the good switches in Ganssle, "A Guide to Debouncing")."""
    bounce_worst_ms: float = 20.0  # Longest time a worn contact bounces, fault `bouncing_button` (issue: 0.1-20 ms)
    flutter_gap_min_ms: float = 20.0  # Fault `lid_contact_flutter`: shortest time between two false openings (assumed)
    flutter_gap_max_ms: float = 400.0  # The same, longest (assumed)
    flutter_open_max_ms: float = 5.0  # Longest false opening; the shortest is `bounce_min_ms` (assumed)
    active_buzzer_hz: float = 2300.0
    """Tone of an active buzzer, which has its own oscillator (typical data sheet: 2300 +- 300 Hz)."""

    def __post_init__(self) -> None:
        for name, value in dataclasses.asdict(self).items():
            if not math.isfinite(value) or value < 0:
                raise SimulatorValueError(
                    Text("{name} must be a finite number, 0 or more, not {value}").filled(name=name, value=value)
                )
            if value > 1 and ("probability" in name or name == "wear"):
                raise SimulatorValueError(Text("{name} must be 0 to 1, not {value}").filled(name=name, value=value))
            if value == 0 and name.endswith(("_ms", "_mah", "length_mm", "friction_v", "cell_fresh_v")):
                raise SimulatorValueError(Text("{name} must be above 0").filled(name=name))

    @classmethod
    def flawless(cls, **changes: float) -> Self:
        """Return parameters without random misfeeds, doubles or jams (faults can still be switched on)."""
        never = {
            f"{what}_probability_{cards}": 0.0 for what in ("misfeed", "double", "jam") for cards in ("new", "worn")
        }
        return cls(**{**never, **changes})  # type: ignore[arg-type]

    @property
    def loaded_fresh_v(self) -> float:
        """Return the motor voltage at full duty with fresh cells, volts."""
        return self.cell_fresh_v - self.cell_resistance_ohm * self.motor_current_a

    @property
    def full_speed_mm_s(self) -> float:
        """Return the roller's surface speed at full duty with fresh cells, mm/s: one card and one gap per period."""
        return (self.card_length_mm + self.gap_mean_mm) / self.card_period_ms * 1000.0

    def probability(self, what: str) -> float:
        """Return the probability of a ``misfeed``, a ``double`` or a ``jam``, interpolated by ``wear``."""
        new, worn = (getattr(self, f"{what}_probability_{cards}") for cards in ("new", "worn"))
        return float(new + (worn - new) * self.wear)
