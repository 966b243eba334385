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
"""What is raised by an event that cannot be: none of ours, or not now."""
_NO_SECRET = b"\0" * 32


class Written(Protocol):
    """What is asked of a journal event."""

    @property
    def seq(self) -> int: ...
    @property
    def time(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


def event_of(written: Written) -> e.Event | None:
    """The table's event that stands there; ``None`` where another stands."""
    kind = e.EVENTS.get(written.type)
    return None if kind is None else msgspec.convert(written.data, kind)


def seeds_in(events: Iterable[Written]) -> dict[str, bytes]:
    """The seeds that ends of matches reveal, by their commitments; the audit tells of what is no seed."""
    shown = (seed for written in events if written.type == e.MatchEnded.type for seed in written.data.get("seeds", ()))
    return {commitment: bytes.fromhex(seed) for seed in shown if (commitment := commitment_of_shown(seed))}


def commitment_of_shown(seed: object) -> str | None:
    """The commitment to a seed as it stands in the journal, if it is one."""
    try:
        return commitment_of(bytes.fromhex(seed)) if isinstance(seed, str) else None
    except ValueError:
        return None


class Replay:
    """Applies events in their order.

    :param seeds: of all shuffles that can be known, by commitment; ``None``: the table knows the evening's secret.
    :ivar hidden: nobody knows the cards of this match yet, so its moves are left out.
    """

    def __init__(self, table: Table, seeds: Mapping[str, bytes] | None) -> None:
        self.table = table
        self.hidden = False
        self._seeds = seeds

    @classmethod
    def without_secret(cls, seeds: Mapping[str, bytes]) -> Self:
        return cls(Table(lambda _: _NO_SECRET, seeds), seeds)

    def apply(self, event: e.Event) -> bool:
        """Whether it was applied, and not left out."""
        if isinstance(event, e.MatchBegun):
            in_hands = event.telling is e.TrackingMode.CARDS
            self.hidden = in_hands and self._seeds is not None and event.commitment not in self._seeds
        if self.hidden and isinstance(event, e.MatchEvent):
            self.table.note_luck(event)
            return False
        self.table.apply(event)
        return True

    def apply_all(self, events: Iterable[Written]) -> Iterator[tuple[Written, Exception]]:
        """All that can be applied; yields the others, and why not."""
        for written in events:
            try:
                if (event := event_of(written)) is not None:
                    self.apply(event)
            except MISFITS as error:
                yield written, error


class Chronicle:
    """Tells the events of evenings in sentences, for who reads the journal, not for who plays.

    :param seeds: of shuffles that were revealed, by commitment: of others nobody can say what was played.
    """

    def __init__(self, seeds: Mapping[str, bytes]) -> None:
        self._replay = Replay.without_secret(seeds)

    def words(self, written: Written, language: str) -> str:
        """What that event tells, with the names of people; empty where it takes none, or is not what it should be."""
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
