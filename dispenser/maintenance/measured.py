"""Measured values of a launcher and the figures computed from them, in milliseconds. Pure functions.

Travel of the roller is told in milliseconds, too: of a roller at full speed.
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
"""Edges of the button so far apart belong to two movements: the worst contacts bounce for 20 ms, and a quick finger
lets go after 50 (assumed)."""
LID_APART_MS = 60.0  # The same of the lid, which no hand moves so quickly
FLICKER_MS = 3.0  # No card and no gap is as short: the shortest gap is 6.5 ms on fresh cells (simulated launcher)
_LONGEST_RUN_UP_MS = 400.0


@dataclass
class Measured:
    """Samples, in the order in which they came.

    :ivar button_bounce: at each push and each release; 0: it did not bounce. The same for the lid.
    :ivar first_after: from the begin of a run until a card was in the exit, where the run before was braked.
    :ivar first_blocked: how long the first card of a run blocked the exit; ``blocked``: how long a later one did.
    :ivar gap: between two cards, at full speed; ``period``: from card to card.
    :ivar flicker: how long the barrier told something else for a moment.
    :ivar late: how long after the motor was off a card still left the exit.
    :ivar coasted: what was left of a card when the motor was turned off, and it left, in travel; ``stayed``: it stayed.
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
        """Time constant of the speed while the motor is driven; ``None``: not measured."""
        if not (self.first_after and self.first_blocked and self.blocked):
            return None
        after, first = statistics.mean(self.first_after), statistics.mean(self.first_blocked)
        longer = first - statistics.mean(self.blocked)
        low, high = 0.1, _LONGEST_RUN_UP_MS
        for _ in range(60):  # a slower motor makes the first card longer
            middle = (low + high) / 2
            if middle * math.exp(-after / middle) * -math.expm1(-first / middle) < longer:
                low = middle
            else:
                high = middle
        return low

    def braked_ms(self) -> float | None:
        """How far the roller turns after the brake: the next card is nearer to the exit by that much."""
        if (run_up := self.run_up_ms()) is None or not self.gap:
            return None
        way = statistics.mean(after + run_up * math.expm1(-after / run_up) for after in self.first_after)
        return max(0.0, statistics.mean(self.gap) - way)

    def coast_ms(self) -> float | None:
        """How far it turns when the motor is only turned off."""
        if not (self.coasted or self.stayed):
            return None
        furthest, nearest = max(self.coasted, default=0.0), min(self.stayed, default=math.inf)
        return furthest if nearest == math.inf else (furthest + nearest) / 2


def bounces(edges: Sequence[Edge], apart_ms: float) -> list[float]:
    """How long a contact bounced at each of its movements; edges ``apart_ms`` from one another belong to two."""
    movements: list[list[float]] = []
    for edge in edges:
        if not movements or (edge.at_s - movements[-1][-1]) * 1e3 >= apart_ms:
            movements.append([])
        movements[-1].append(edge.at_s)
    return [(times[-1] - times[0]) * 1e3 for times in movements]


class Card(NamedTuple):
    """A card at the exit, seconds on the driver's clock."""

    dark_s: float
    clear_s: float

    @property
    def blocked_ms(self) -> float:
        return (self.clear_s - self.dark_s) * 1e3


def cards_of(edges: Iterable[Edge], flicker: list[float]) -> list[Card]:
    """The cards that raw edges of the exit tell of; what is too short for one goes to ``flicker``."""
    lasting: list[Edge] = []
    for edge in edges:
        if lasting and (edge.at_s - lasting[-1].at_s) * 1e3 < FLICKER_MS:
            flicker.append((edge.at_s - lasting.pop().at_s) * 1e3)
        elif not lasting or lasting[-1].active != edge.active:
            lasting.append(edge)
    return [Card(dark.at_s, clear.at_s) for dark, clear in pairwise(lasting) if dark.active and not clear.active]


@dataclass(frozen=True, slots=True)
class Shown:
    """Samples for people; ``shades`` is how many there are in each part of the range, 0 to 1."""

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
    """A row for each kind of samples of which there are any."""
    return [_row(name, values) for key, name in _NAMES.items() if (values := getattr(measured, key))]


def _row(name: Text, values: list[float]) -> Shown:
    least, most = min(values), max(values)
    counts = [0] * PARTS
    for value in values:
        counts[min(PARTS - 1, int((value - least) / ((most - least) or 1.0) * PARTS))] += 1
    shades = tuple(count / max(counts) for count in counts)
    return Shown(name, len(values), least, statistics.median(values), most, shades)
