"""Faults of the simulated launcher, switched on by name."""

from __future__ import annotations

import enum

from dispenser.i18n import Text
from dispenser.simulator.errors import SimulatorValueError


class SimulatorFault(enum.Enum):
    """Faults of the simulated launcher.

    The first three strike a number of cards and are then used up; all others last until they are switched off.
    """

    ROLLER_JAM = "roller_jam"
    """The next card jams in the light barrier: dark until ``clear_jam`` or until a retract frees it."""
    DOUBLE_FEED = "double_feed"  # The next card is fed together with another one
    MISFEED = "misfeed"  # The roller slips on the next card until the motor restarts
    FLAT_CELLS = "flat_cells"  # The voltage is limited to that of flat cells: everything is slow
    MOTOR_DEAD = "motor_dead"  # A motor lead is disconnected: nothing turns
    EXIT_STUCK_DARK = "exit_stuck_dark"  # The exit sensor always sees dark
    EXIT_STUCK_LIGHT = "exit_stuck_light"  # The exit sensor always sees light
    BUTTON_STUCK = "button_stuck"  # The button stays down
    BOUNCING_BUTTON = "bouncing_button"  # A worn button: every push and release bounces often and long
    LID_CONTACT_FLUTTER = "lid_contact_flutter"  # The lid switch opens briefly while the lid is shut
    EMPTY_STACK = "empty_stack"  # The roller reaches no card, as with an empty stack; the cards are still counted


class FaultPanel:
    """The faults that are on, and how many more cards those that strike single cards will strike."""

    def __init__(self) -> None:
        self._remaining: dict[SimulatorFault, int] = {}

    def on(self, fault: SimulatorFault) -> bool:
        return fault in self._remaining

    def names(self) -> tuple[str, ...]:
        """Return the names of the faults that are on, in alphabetical order."""
        return tuple(sorted(fault.value for fault in self._remaining))

    def switch(self, fault: SimulatorFault, *, on: bool, cards: int) -> bool:
        """Switch a fault on or off.

        :returns: whether that is a change.
        """
        if cards < 1:
            raise SimulatorValueError(
                Text("cards must be 1 or more, not {cards}: switch the fault off instead").filled(cards=cards)
            )
        was_on = self._remaining.pop(fault, None) is not None
        if on:
            self._remaining[fault] = cards
        return was_on != on

    def strike(self, fault: SimulatorFault) -> bool:
        """Count one card that a fault has struck; without effect if the fault is off.

        :returns: whether the fault is used up now.
        """
        remaining = self._remaining.pop(fault, 0)
        if remaining > 1:
            self._remaining[fault] = remaining - 1
        return remaining == 1
