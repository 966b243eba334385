"""What a service must know of the evening so far, read back from the journal: it survives a restart from that alone.

It reads no more than it needs, from the last load of cards on, and takes no entry at its word: one that is damaged may
say anything, and is no reason not to start.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dispenser.journal import Entry, Journal
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
MOST_PRESSES = 10**9
_KINDS = (PressAccepted, PressRefused, CardLeft, BurstEnded, BurstLost, BurstCounted, CardsLoaded)
_COUNTED = {BurstEnded.type: "delivered", BurstLost.type: "delivered", BurstCounted.type: "cards"}


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
    """Read the journal, entry by entry, from the last press before the last load on."""
    loaded = _last(journal, CardsLoaded.type)
    accepted = _last(journal, PressAccepted.type, before=loaded.seq if loaded else None)
    begin = accepted or loaded
    after = begin.seq - 1 if begin else 0
    memory = Recollection()
    for kind in (PressRefused, BurstEnded):  # what the entries from there on may leave unsaid
        if entry := _last(journal, kind.type, before=after + 1):
            memory.presses = max(memory.presses, entry.number("press", MOST_PRESSES) or 0)
            memory.dud_streak = entry.number("dud_streak") or 0
    seen = 0  # cards of the burst under way
    for entry in journal.read(after=after, types=[kind.type for kind in _KINDS]):
        seen = _take_entry(memory, entry, seen)
    for entry in journal.read(types=_COUNTED, last=CORRECTABLE):
        note_count(memory.counts, entry)
    return memory


def note_count(counts: dict[int, int], entry: Entry) -> None:
    """Take in what an entry says of how many cards came out at a press; ``CORRECTABLE`` presses are kept."""
    if entry.type not in _COUNTED or (press := entry.number("press", MOST_PRESSES)) is None:
        return
    counts[press] = entry.number(_COUNTED[entry.type]) or 0
    if len(counts) > CORRECTABLE:
        del counts[next(iter(counts))]


def _last(journal: Journal, type_: str, before: int | None = None) -> Entry | None:
    return next(journal.read(before=before, types=[type_], last=1), None)


def _take_entry(memory: Recollection, entry: Entry, seen: int) -> int:
    """Fold one entry in; return how many cards of the burst under way have been seen."""
    match entry.type:
        case PressAccepted.type:
            memory.presses = max(memory.presses, entry.number("press", MOST_PRESSES) or memory.presses + 1)
            memory.lost = BurstLost(memory.presses, 0)
            return 0
        case PressRefused.type:
            memory.presses = max(memory.presses, entry.number("press", MOST_PRESSES) or memory.presses + 1)
        case CardLeft.type:
            _leave(memory, 1)
            seen += entry.data.get("press") is not None
            if memory.lost is not None and seen > memory.lost.delivered:
                memory.lost = BurstLost(memory.lost.press, seen)
        case BurstEnded.type:
            memory.dud_streak = entry.number("dud_streak") or 0
            memory.lost = None
            _leave(memory, (entry.number("delivered") or seen) - seen)
        case BurstLost.type:
            memory.lost = None
        case BurstCounted.type:
            _leave(memory, (entry.number("cards") or 0) - (entry.number("counted_before") or 0))
        case CardsLoaded.type:
            memory.cards_inside = entry.number("cards")
    return seen


def _leave(memory: Recollection, cards: int) -> None:
    if memory.cards_inside is not None:
        memory.cards_inside = max(0, memory.cards_inside - cards)
