"""Replay the launcher's events at the start of a session: what it had counted and what was under way."""

from __future__ import annotations

from dispenser.journal import Journal, Record
from dispenser.launcher import messages as m
from dispenser.launcher.replay import CORRECTABLE, LauncherReplay

_ENDS = (m.BurstEnded.type, m.BurstLost.type, m.BurstCounted.type)
_TOLD = (*_ENDS, m.SwitchedOn.type, m.PressAccepted.type, m.PressRefused.type, m.CardLeft.type, m.CardsLoaded.type)


def replay_launcher(journal: Journal) -> LauncherReplay:
    """What a service must know of the evening so far: it survives a restart by the journal alone.

    Reads no more than it needs: from the last press before the last load of cards on, and how the newest presses ended.
    """
    loaded = _last(journal, m.CardsLoaded.type)
    begin = _last(journal, m.PressAccepted.type, before=loaded.seq if loaded else None) or loaded
    after = begin.seq - 1 if begin else 0
    memory = LauncherReplay()
    for entry in journal.read(before=after + 1, types=_ENDS, last=CORRECTABLE):
        memory.apply(entry)
    if refused := _last(journal, m.PressRefused.type, before=after + 1):
        memory.apply(refused)
    if switched_on := _last(journal, m.SwitchedOn.type, before=after + 1):
        memory.apply(switched_on)
    memory.cards_inside = None  # what is inside was said later, or never
    for entry in journal.read(after=after, types=_TOLD):
        memory.apply(entry)
    return memory


def _last(journal: Journal, type_: str, before: int | None = None) -> Record | None:
    return next(journal.read(before=before, types=[type_], last=1), None)
