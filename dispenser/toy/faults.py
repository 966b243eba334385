"""Faults of the toy, switched on by name, or by a seeded plan for searches."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Self

from dispenser.toy.errors import ToyValueError


class ToyFault(enum.Enum):
    """What can be wrong with the toy.

    The first three strike a number of cards and are then used up; all others last until they are switched off.
    """

    ROLLER_JAM = "roller_jam"
    """The next card jams in the light barrier: dark until ``clear_jam`` or until a retract frees it."""
    DOUBLE_FEED = "double_feed"
    """The next card takes another one along."""
    MISFEED = "misfeed"
    """The roller slips on the next card until the motor starts anew."""
    FLAT_CELLS = "flat_cells"
    """The cells have no more than the voltage of flat ones: everything is slow."""
    MOTOR_DEAD = "motor_dead"
    """A motor lead is off: nothing turns."""
    EXIT_STUCK_DARK = "exit_stuck_dark"
    """The exit sensor always sees dark."""
    EXIT_STUCK_LIGHT = "exit_stuck_light"
    """The exit sensor always sees light."""
    BUTTON_STUCK = "button_stuck"
    """The button stays down."""
    BOUNCING_BUTTON = "bouncing_button"
    """A worn button: every push and release bounces often and long."""
    LID_CONTACT_FLUTTER = "lid_contact_flutter"
    """The lid switch opens for moments while the lid is shut."""
    EMPTY_STACK = "empty_stack"
    """The roller reaches no card, as with an empty stack; the cards are still counted."""


STRIKING = frozenset({ToyFault.ROLLER_JAM, ToyFault.DOUBLE_FEED, ToyFault.MISFEED})
"""Faults that strike cards and are used up."""


class FaultPanel:
    """Which faults are on, and how many cards the striking ones still have to strike."""

    def __init__(self) -> None:
        self._remaining: dict[ToyFault, int] = {}

    def on(self, fault: ToyFault) -> bool:
        return fault in self._remaining

    def names(self) -> tuple[str, ...]:
        """Names of the faults that are on, in alphabetical order."""
        return tuple(sorted(fault.value for fault in self._remaining))

    def switch(self, fault: ToyFault, *, on: bool, cards: int) -> bool:
        """Switch a fault.

        :returns: whether it was in the other position before.
        """
        if cards < 1:
            raise ToyValueError(f"cards must be 1 or more, not {cards}: switch the fault off instead")
        was_on = fault in self._remaining
        if on:
            self._remaining[fault] = cards
        else:
            self._remaining.pop(fault, None)
        return was_on != on

    def strike(self, fault: ToyFault) -> bool:
        """A striking fault has struck one card (nothing happens when it is off).

        :returns: whether it is used up by this.
        """
        remaining = self._remaining.get(fault)
        if remaining is None:
            return False
        if remaining > 1:
            self._remaining[fault] = remaining - 1
            return False
        del self._remaining[fault]
        return True


@dataclass(frozen=True, slots=True)
class FaultChange:
    """One switch of a fault.

    :param at_s: seconds after the plan begins.
    :param cards: how many cards a striking fault strikes.
    """

    at_s: float
    fault: ToyFault
    on: bool
    cards: int = 1


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """A schedule of faults, in order of time; ``Toy.follow`` plays it."""

    changes: tuple[FaultChange, ...]

    def __post_init__(self) -> None:
        times = [change.at_s for change in self.changes]
        if times != sorted(times) or (times and times[0] < 0):
            raise ToyValueError("the changes of a fault plan must be in order of time and not before its beginning")

    @classmethod
    def of(cls, changes: Iterable[FaultChange]) -> Self:
        """A plan of changes in any order."""
        return cls(tuple(sorted(changes, key=lambda change: change.at_s)))


def random_faults(
    seed: int, *, duration_s: float, faults_per_minute: float, among: Iterable[ToyFault] = tuple(ToyFault)
) -> FaultPlan:
    """A plan of faults at random times; the same arguments give the same plan.

    A striking fault strikes one to three cards. A lasting one stays on for a moment or for up to ten seconds, and is
    off at the end of the plan.

    :param duration_s: length of the plan, seconds.
    :param faults_per_minute: how many come, on average.
    :raises ToyValueError: for a duration or rate that is not above 0, or no fault to choose from.
    """
    choice = sorted(among, key=lambda fault: fault.value)
    if not (duration_s > 0 and faults_per_minute > 0 and choice):
        raise ToyValueError("a fault plan needs a duration and a rate above 0 and at least one fault to choose from")
    random = Random(seed)
    changes: list[FaultChange] = []
    free_at_s = dict.fromkeys(choice, 0.0)
    at_s = random.expovariate(faults_per_minute / 60.0)
    while at_s < duration_s:
        fault = random.choice(choice)
        cards, lasts_s = random.randint(1, 3), 10.0 * random.random() ** 3
        if fault in STRIKING:
            changes.append(FaultChange(at_s, fault, on=True, cards=cards))
        elif at_s >= free_at_s[fault]:
            free_at_s[fault] = min(at_s + lasts_s, duration_s)
            changes.append(FaultChange(at_s, fault, on=True))
            changes.append(FaultChange(free_at_s[fault], fault, on=False))
        at_s += random.expovariate(faults_per_minute / 60.0)
    return FaultPlan.of(changes)
