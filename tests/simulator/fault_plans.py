"""Faults that come and go by a seeded plan, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from random import Random

from dispenser.clocks import Clock
from dispenser.simulator import Simulator, SimulatorFault

STRIKING = frozenset({SimulatorFault.ROLLER_JAM, SimulatorFault.DOUBLE_FEED, SimulatorFault.MISFEED})
"""Faults that strike cards and are used up."""


@dataclass(frozen=True, slots=True)
class FaultChange:
    """One switch of a fault.

    :param at_s: seconds after the plan begins.
    :param cards: how many cards a striking fault strikes.
    """

    at_s: float
    fault: SimulatorFault
    on: bool
    cards: int = 1


def follow(simulator: Simulator, clock: Clock, plan: Iterable[FaultChange]) -> None:
    """Let the faults of a plan come and go, beginning now."""
    begin_s = clock.time()
    for change in plan:
        clock.call_at(
            begin_s + change.at_s, partial(simulator.switch_fault, change.fault, change.on, cards=change.cards)
        )


def random_faults(seed: int, *, duration_s: float, faults_per_minute: float) -> list[FaultChange]:
    """A plan of faults at random times; the same arguments give the same plan.

    A striking fault strikes one to three cards. A lasting one stays on for a moment or for up to ten seconds, and is
    off at the end of the plan.

    :param duration_s: length of the plan, seconds.
    :param faults_per_minute: how many come, on average.
    """
    choice = sorted(SimulatorFault, key=lambda fault: fault.value)
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
    return sorted(changes, key=lambda change: change.at_s)
