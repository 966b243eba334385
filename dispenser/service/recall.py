"""What a service must know of the evening so far, read back from the journal: it survives a restart from that alone.

It reads no more than it needs: from the last load of cards on, and how the newest presses ended.
"""

from __future__ import annotations

from dispenser.journal import Entry, Journal
from dispenser.launcher import messages as m
from dispenser.launcher.recollection import CORRECTABLE, Recollection

_ENDS = (m.BurstEnded.type, m.BurstLost.type, m.BurstCounted.type)
_TOLD = (*_ENDS, m.PressAccepted.type, m.PressRefused.type, m.CardLeft.type, m.CardsLoaded.type)


def recall(journal: Journal) -> Recollection:
    """Where the journal leaves off: entry by entry, from the last press before the last load on."""
    loaded = _last(journal, m.CardsLoaded.type)
    accepted = _last(journal, m.PressAccepted.type, before=loaded.seq if loaded else None)
    begin = accepted or loaded
    after = begin.seq - 1 if begin else 0
    memory = Recollection()
    for entry in journal.read(before=after + 1, types=_ENDS, last=CORRECTABLE):
        memory.take(entry)
    if refused := _last(journal, m.PressRefused.type, before=after + 1):
        memory.take(refused)
    memory.cards_inside = None  # what is inside was said later, or never
    for entry in journal.read(after=after, types=_TOLD):
        memory.take(entry)
    return memory


def _last(journal: Journal, type_: str, before: int | None = None) -> Entry | None:
    return next(journal.read(before=before, types=[type_], last=1), None)
