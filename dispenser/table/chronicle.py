"""The events of an evening, one after the other, in sentences: for who reads the journal, not for who plays."""

from __future__ import annotations

from collections.abc import Mapping

from dispenser.i18n import Text
from dispenser.table import events as e
from dispenser.table.news import sentence
from dispenser.table.replay import MISFITS, Replay, Written, event_of
from dispenser.table.table import News

_MOVED = Text("{name} makes a move")
_TAKEN = Text("Press {press} is for {name}")


class Chronicle:
    """Follows evenings from their beginnings.

    :param seeds: of shuffles that were revealed, by commitment: of others nobody can say what was played.
    """

    def __init__(self, seeds: Mapping[str, bytes]) -> None:
        self._replay = Replay.without_secret(seeds)

    def words(self, written: Written, language: str) -> str:
        """What that event tells, with the names of people; empty where it takes none, or is not what it should be."""
        table = self._replay.table
        try:
            event = event_of(written)
            if event is None:
                return ""
            if not self._replay.apply(event):
                return self._of_seat(_MOVED, event.action[1], language) if isinstance(event, e.Acted) else ""
            if isinstance(event, e.PressTaken):
                return self._of_seat(_TAKEN.filled(press=event.press), event.seat, language)
            news = table.news[-1] if table.news else News(0, event)
            told = sentence(table, news, None, language).rstrip(".")
        except MISFITS:
            return ""
        if not told and isinstance(event, e.Acted):
            return self._of_seat(_MOVED, event.action[1], language)
        return told

    def _of_seat(self, text: Text, seat: int | None, language: str) -> str:
        table = self._replay.table
        if (match := table.match) is None or seat is None:
            return ""
        return text.filled(name=table.people.name(match.order[seat]))[language]
