"""A snapshot of the simulated launcher, and its changes."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

FRESH_CELLS_V: Final = 4.8  # `SimulatorParameters.cell_fresh_v`, for modules that must not import the physics


@dataclass(frozen=True, slots=True)
class SimulatorView:
    """State of the simulated launcher. ``cards_loaded == cards_in_stack + cards_in_path + cards_out``, always.

    :param time_s: the scheduler's clock, seconds.
    :param lid_open: the lid is open, whatever its switch reports.
    :param button_down: the button is held down, by a finger or a fault.
    :param cards_loaded: all cards put in, less those taken out of the stack by hand.
    :param cards_in_stack: cards in the stack, also those that the roller cannot reach (``empty_stack``).
    :param cards_in_path: cards between the stack and the table: on their way, sticking out or jammed.
    :param cards_out: all cards that have left, including those pulled out by hand.
    :param card_in_exit: a card is in the light barrier, whatever the sensor reports.
    :param motor: surface speed of the roller, -1 (backward) to 1; 1 is full duty with fresh cells.
    :param motor_commanded: duty set by the pins, -1 to 1.
    :param cell_voltage_v: voltage of all cells under the present load, volts.
    :param tone_hz: frequency of the beeper, hertz; ``None`` when it is silent.
    :param faults: names of the faults that are on.
    :param jammed: a card is jammed in the barrier.
    """

    time_s: float
    lid_open: bool
    button_down: bool
    cards_loaded: int
    cards_in_stack: int
    cards_in_path: int
    cards_out: int
    card_in_exit: bool
    motor: float
    motor_commanded: float
    cell_voltage_v: float
    tone_hz: float | None
    light_on: bool
    faults: tuple[str, ...]
    jammed: bool


class Happening(enum.Enum):
    """Types of events; in brackets the event's value."""

    LID = "lid"  # The lid was opened or shut (bool: open)
    BUTTON = "button"  # The button went down or up (bool: down)
    MOTOR = "motor"  # The pins ask for another duty (float, -1 to 1)
    TONE = "tone"  # The beeper sounds another tone (float, hertz) or is silent (`None`)
    LIGHT = "light"  # The light went on or off (bool)
    CARD_IN_EXIT = "card_in_exit"  # A card has come into the light barrier or is out of it (bool)
    CARD_LEFT = "card_left"  # Cards have left, by the roller or by hand (int: how many at once)
    JAM = "jam"  # A card has jammed, or the jam is gone (bool)
    CARDS = "cards"  # Cards were put in or taken out by hand (int: cards in the stack now)
    CELLS = "cells"  # Other cells (float: open-circuit volts)
    FAULT = "fault"  # A fault was switched or used up (str: its name; ask `view().faults`)


@dataclass(frozen=True, slots=True)
class SimulatorEvent:
    """One event.

    :param time_s: the scheduler's clock, seconds.
    :param value: see :class:`Happening`.
    """

    time_s: float
    happening: Happening
    value: float | str | None


Listener = Callable[[SimulatorEvent], None]
