"""The burst under way."""

from __future__ import annotations

from dataclasses import dataclass, field

from dispenser.launcher.messages import BurstEnd


@dataclass(slots=True)
class Burst:
    """What one accepted press set going.

    :param counted: cards that had left when the present feed began.
    :param run_ms: how long each card of the present feed blocked the exit, milliseconds.
    :param suspected_doubles: those of the feeds that are over.
    :param seen: the exit sensor has told of something since the first feed of this burst.
    :param retracting: the present motor run is a retract: what clears the exit was pulled back in.
    :param cause: set when something cut the burst short while the motor turned; the coast-down is awaited.
    """

    press: int
    planned: int
    exact: bool
    suspense_s: float
    delivered: int = 0
    counted: int = 0
    seen: bool = False
    retracting: bool = False
    tries: int = 0
    run_ms: list[float] = field(default_factory=list)
    suspected_doubles: int = 0
    cause: BurstEnd | None = None
