"""Measured values of a launcher and the figures computed from them, in milliseconds. Pure functions.

Travel of the roller is also in milliseconds, at full speed.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from dispenser.drivers.base import Edge
from dispenser.i18n import Text

PUSH_APART_MS = 30.0
"""Button edges this far apart are two movements: the worst bounce is 20 ms, the quickest release 50 ms (assumed)."""
LID_APART_MS = 60.0  # The same for the lid, which nobody moves as quickly
FLICKER_MS = 3.0  # Shorter than any card or gap: the shortest gap is 6.5 ms on fresh cells (simulated launcher)
_LONGEST_RUN_UP_MS = 400.0


@dataclass
class Measured:
    """Samples, in chronological order.

    :ivar button_bounce: bounce time of each push and each release, 0 for none; ``lid_bounce``: the same for the lid.
    :ivar first_after: from the start of a run until a card is in the exit, if the run before ended by braking.
    :ivar first_blocked: how long the first card of a run blocks the exit; ``blocked``: how long each later one does.
    :ivar gap: between two cards, at full speed; ``period``: from card to card.
    :ivar flicker: length of pulses of the exit sensor that are too short for a card or a gap.
    :ivar late: from the stop of the motor until a card leaves the exit.
    :ivar coasted: rest of a card in the exit at the stop of the motor, as travel, if it left; ``stayed``: if it stayed.
    """

    button_bounce: list[float] = field(default_factory=list)
    lid_bounce: list[float] = field(default_factory=list)
    first_after: list[float] = field(default_factory=list)
    first_blocked: list[float] = field(default_factory=list)
    blocked: list[float] = field(default_factory=list)
    gap: list[float] = field(default_factory=list)
    period: list[float] = field(default_factory=list)
    flicker: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    coasted: list[float] = field(default_factory=list)
    stayed: list[float] = field(default_factory=list)

    def run_up_ms(self) -> float | None:
        """Return the time constant of the speed while the motor is driven; ``None`` if it was not measured."""
        if not (self.first_after and self.first_blocked and self.blocked):
            return None
        after, first = statistics.mean(self.first_after), statistics.mean(self.first_blocked)
        longer = first - statistics.mean(self.blocked)
        low, high = 0.1, _LONGEST_RUN_UP_MS
        for _ in range(60):  # bisection: a slower motor makes the first card longer
            middle = (low + high) / 2
            if middle * math.exp(-after / middle) * -math.expm1(-first / middle) < longer:
                low = middle
            else:
                high = middle
        return low

    def braked_ms(self) -> float | None:
        """Return how far the roller turns during braking: the next card is nearer to the exit by that travel."""
        if (run_up := self.run_up_ms()) is None or not self.gap:
            return None
        way = statistics.mean(after + run_up * math.expm1(-after / run_up) for after in self.first_after)
        return max(0.0, statistics.mean(self.gap) - way)

    def coast_ms(self) -> float | None:
        """Return how far the roller turns when the motor is turned off without braking."""
        if not (self.coasted or self.stayed):
            return None
        furthest, nearest = max(self.coasted, default=0.0), min(self.stayed, default=math.inf)
        return furthest if nearest == math.inf else (furthest + nearest) / 2


def bounces(edges: Sequence[Edge], apart_ms: float) -> list[float]:
    """Return the bounce time of each movement of a contact; edges ``apart_ms`` apart belong to two movements."""
    movements: list[list[float]] = []
    for edge in edges:
        if not movements or (edge.at_s - movements[-1][-1]) * 1e3 >= apart_ms:
            movements.append([])
        movements[-1].append(edge.at_s)
    return [(times[-1] - times[0]) * 1e3 for times in movements]


class Card(NamedTuple):
    """A card in the exit: times on the driver's clock, seconds."""

    dark_s: float
    clear_s: float

    @property
    def blocked_ms(self) -> float:
        return (self.clear_s - self.dark_s) * 1e3


def cards_of(edges: Iterable[Edge], flicker: list[float]) -> list[Card]:
    """Return the cards in raw edges of the exit sensor; append pulses that are too short to ``flicker``."""
    lasting: list[Edge] = []
    for edge in edges:
        if lasting and (edge.at_s - lasting[-1].at_s) * 1e3 < FLICKER_MS:
            flicker.append((edge.at_s - lasting.pop().at_s) * 1e3)
        elif not lasting or lasting[-1].active != edge.active:
            lasting.append(edge)
    return [Card(dark.at_s, clear.at_s) for dark, clear in pairwise(lasting) if dark.active and not clear.active]


@dataclass(frozen=True, slots=True)
class Shown:
    """Statistics of samples; ``shades`` is a histogram with relative counts, 0 to 1."""

    name: Text
    number: int
    least: float
    median: float
    most: float
    shades: tuple[float, ...]


PARTS = 16
_NAMES = {
    "button_bounce": Text("bounce of the button"),
    "lid_bounce": Text("bounce of the lid"),
    "first_after": Text("until the first card is in the exit"),
    "first_blocked": Text("the first card blocks the exit"),
    "blocked": Text("each later card blocks it"),
    "gap": Text("gap between two cards"),
    "period": Text("time per card"),
    "late": Text("a card leaves after the motor is off"),
}


def shown(measured: Measured) -> list[Shown]:
    """Return statistics for each kind of samples that is not empty."""
    return [_row(name, values) for key, name in _NAMES.items() if (values := getattr(measured, key))]


def _row(name: Text, values: list[float]) -> Shown:
    least, most = min(values), max(values)
    counts = [0] * PARTS
    for value in values:
        counts[min(PARTS - 1, int((value - least) / ((most - least) or 1.0) * PARTS))] += 1
    shades = tuple(count / max(counts) for count in counts)
    return Shown(name, len(values), least, statistics.median(values), most, shades)
