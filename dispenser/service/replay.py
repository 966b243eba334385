"""What a new session reads in the journal: card counts, the evening under way, seeds not yet revealed."""

from __future__ import annotations

from itertools import chain

from dispenser.journal import Journal, Record
from dispenser.launcher import messages as m
from dispenser.launcher.replay import CORRECTABLE, LauncherReplay
from dispenser.table import events as e

COMMITTED, REVEALED = "fairness.committed", "fairness.revealed"
_ENDS = (m.BurstEnded.type, m.BurstLost.type, m.BurstCounted.type)
_TOLD = (*_ENDS, m.SwitchedOn.type, m.PressAccepted.type, m.PressRefused.type, m.CardLeft.type, m.CardsLoaded.type)


def replay_launcher(journal: Journal) -> LauncherReplay:
    """Replay the launcher from the last press before the last load on, and how the newest bursts before it ended."""
    loaded = _last(journal, m.CardsLoaded.type)
    begin = _last(journal, m.PressAccepted.type, before=loaded.seq if loaded else None) or loaded
    first = begin.seq if begin else 1
    memory = LauncherReplay()
    single = (_last(journal, type_, before=first) for type_ in (m.PressRefused.type, m.SwitchedOn.type))
    for record in chain(journal.read(before=first, types=_ENDS, last=CORRECTABLE), filter(None, single)):
        memory.apply(record)
    memory.cards_inside = None  # a later record gives it, or none
    for record in journal.read(after=first - 1, types=_TOLD):
        memory.apply(record)
    return memory


def evening_under_way(journal: Journal) -> Record | None:
    """Return the record that opened it; forget the secret of one that has ended (after a kill at its end)."""
    opened = _last(journal, e.Opened.type)
    if opened is not None and next(journal.read(after=opened.seq, types=[e.Closed.type], limit=1), None):
        commitment = str(opened.data.get("commitment"))
        if commitment in dict(journal.unrevealed_secrets()):
            journal.forget_secret(commitment)
        return None
    return opened


def seeds_left_open(journal: Journal) -> list[tuple[str, str]]:
    """Return commitment and seed of killed sessions: committed and not revealed."""
    if not (secrets := journal.unrevealed_secrets()):
        return []
    last = {record.data.get("commitment"): record.type for record in journal.read(types=[COMMITTED, REVEALED])}
    return [(commitment, seed) for commitment, seed in secrets if last.get(commitment) == COMMITTED]


def _last(journal: Journal, type_: str, before: int | None = None) -> Record | None:
    return next(journal.read(before=before, types=[type_], last=1), None)
