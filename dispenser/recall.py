"""What a service must know of the evening so far, read back from the journal: it survives a restart from that alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dispenser.journal import Journal
from dispenser.launcher.messages import (
    BurstCounted,
    BurstEnded,
    BurstLost,
    CardLeft,
    CardsLoaded,
    PressAccepted,
    PressRefused,
)

CORRECTABLE = 2000
"""How many presses back a count can be corrected: more than an evening."""


@dataclass(slots=True)
class Recollection:
    """Where the journal leaves off.

    :param presses: number of the last press.
    :param dud_streak: duds since the last press that fired.
    :param cards_inside: what was loaded less what left since; ``None`` when nobody ever said.
    :param lost: a press that was accepted and never ended, because the service died in between.
    :param counts: how many cards are believed to have come out at each of the newest presses.
    """

    presses: int = 0
    dud_streak: int = 0
    cards_inside: int | None = None
    lost: BurstLost | None = None
    counts: dict[int, int] = field(default_factory=dict, compare=False)


def recall(journal: Journal) -> Recollection:
    """Read the journal once, entry by entry."""
    memory = Recollection()
    seen = 0  # cards of the burst under way
    kinds = (PressAccepted, PressRefused, CardLeft, BurstEnded, BurstLost, BurstCounted, CardsLoaded)
    for entry in journal.read(types=[kind.type for kind in kinds]):
        data = entry.data
        note_count(memory.counts, entry.type, data)
        match entry.type:
            case PressAccepted.type:
                seen = 0
                memory.presses = data["press"]
                memory.lost = BurstLost(data["press"], 0)
            case PressRefused.type:
                memory.presses = data["press"]
            case CardLeft.type:
                _take(memory, 1)
                if data["press"] is not None:
                    seen += 1
                    memory.lost = BurstLost(data["press"], seen)
            case BurstEnded.type:
                memory.dud_streak = data["dud_streak"]
                memory.lost = None
                _take(memory, (data["delivered"] or seen) - seen)
            case BurstLost.type:
                memory.lost = None
            case BurstCounted.type:
                _take(memory, data["cards"] - data["counted_before"])
            case CardsLoaded.type:
                memory.cards_inside = data["cards"]
    return memory


def note_count(counts: dict[int, int], entry_type: str, data: Mapping[str, Any]) -> None:
    """Take in what an entry says of how many cards came out at a press; ``CORRECTABLE`` presses are kept."""
    match entry_type:
        case BurstEnded.type | BurstLost.type:
            counts[data["press"]] = data["delivered"] or 0
        case BurstCounted.type:
            counts[data["press"]] = data["cards"]
    if len(counts) > CORRECTABLE:
        del counts[next(iter(counts))]


def _take(memory: Recollection, cards: int) -> None:
    if memory.cards_inside is not None:
        memory.cards_inside = max(0, memory.cards_inside - cards)
