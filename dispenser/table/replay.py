"""Apply the recorded events of an evening to a table: for a start, the audit, the story of an evening and the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, Self

import msgspec

from dispenser.i18n import Text
from dispenser.rules.engine.errors import RulesError
from dispenser.table import events as e
from dispenser.table.news import sentence
from dispenser.table.secrets import commitment_of
from dispenser.table.table import News, Table

MISFITS = (msgspec.ValidationError, RulesError, LookupError, ValueError, TypeError, AttributeError)
"""Raised by an event that is malformed, or impossible in the current state."""
_NO_SECRET = b"\0" * 32


class Written(Protocol):
    """Protocol of a journal record."""

    @property
    def seq(self) -> int: ...
    @property
    def time(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


def event_of(written: Written) -> e.Event | None:
    """Return the table event of a record; ``None`` if the record is of another type."""
    kind = e.EVENTS.get(written.type)
    return None if kind is None else msgspec.convert(written.data, kind)


def seeds_in(events: Iterable[Written]) -> dict[str, bytes]:
    """Return the seeds that ``MatchEnded`` events reveal, by commitment; the audit reports malformed ones."""
    shown = (seed for written in events if written.type == e.MatchEnded.type for seed in written.data.get("seeds", ()))
    return {commitment: bytes.fromhex(seed) for seed in shown if (commitment := commitment_of_shown(seed))}


def commitment_of_shown(seed: object) -> str | None:
    """Return the commitment to a seed in hexadecimal digits; ``None`` if malformed."""
    try:
        return commitment_of(bytes.fromhex(seed)) if isinstance(seed, str) else None
    except ValueError:
        return None


class Replay:
    """Applies recorded events in order.

    :param seeds: known seeds of shuffles by commitment; ``None``: the table knows the evening's secret.
    :ivar hidden: the seed of this match is unknown, so its moves are skipped.
    """

    def __init__(self, table: Table, seeds: Mapping[str, bytes] | None) -> None:
        self.table = table
        self.hidden = False
        self._seeds = seeds

    @classmethod
    def without_secret(cls, seeds: Mapping[str, bytes]) -> Self:
        return cls(Table(lambda _: _NO_SECRET, seeds), seeds)

    def apply(self, event: e.Event) -> bool:
        """Apply an event; return whether it was applied, not skipped."""
        if isinstance(event, e.MatchBegun):
            in_hands = event.tracking_mode is e.TrackingMode.CARDS
            self.hidden = in_hands and self._seeds is not None and event.commitment not in self._seeds
        if self.hidden and isinstance(event, e.MatchEvent):
            self.table.note_luck(event)
            return False
        self.table.apply(event)
        return True

    def apply_all(self, events: Iterable[Written]) -> Iterator[tuple[Written, Exception]]:
        """Apply all events that are possible; yield the others with their errors."""
        for written in events:
            try:
                if (event := event_of(written)) is not None:
                    self.apply(event)
            except MISFITS as error:
                yield written, error


class Chronicle:
    """Describes the events of evenings in sentences, for readers of the journal.

    :param seeds: revealed seeds of shuffles by commitment; without one, the moves cannot be described.
    """

    def __init__(self, seeds: Mapping[str, bytes]) -> None:
        self._replay = Replay.without_secret(seeds)

    def words(self, written: Written, language: str) -> str:
        """Apply an event and return its sentence with names; empty if it has none or is malformed."""
        table, told = self._replay.table, ""
        try:
            event = event_of(written)
            if event is not None and self._replay.apply(event):
                news = table.news[-1] if table.news else News(0, event)
                told = sentence(table, news, None, language).rstrip(".")
        except MISFITS:
            return ""
        if isinstance(event, e.PressTaken):
            text = Text("Press {press} is for {name}").filled(press=event.press)
            return self._of_seat(text, event.seat, language)
        if not told and isinstance(event, e.Acted):
            return self._of_seat(Text("{name} makes a move"), event.action[1], language)
        return told

    def _of_seat(self, text: Text, seat: int | None, language: str) -> str:
        table = self._replay.table
        if (match := table.match) is None or seat is None:
            return ""
        return text.filled(name=table.people.name(match.order[seat]))[language]
