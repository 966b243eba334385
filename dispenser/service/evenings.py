"""List and read the evenings in a journal; each is found by its first and last record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from dispenser.i18n import Text
from dispenser.journal import JournalReader, Record
from dispenser.service.requests import ServiceError
from dispenser.table import events as e
from dispenser.table.evenings import BRIEF, EveningInBrief, EveningStory, in_brief, story
from dispenser.table.people import name_key
from dispenser.table.replay import seeds_in
from dispenser.table.secrets import commitment_of, seed_of

_KEPT: Final = 64
"""Number of cached stories of ended evenings, which never change: building one of 2,000 records takes 0.3 s."""


class UnknownEveningError(ServiceError):
    """The journal has no such evening."""

    def __init__(self, id_: str) -> None:
        super().__init__(Text("There is no evening {id} here: it never was, or it was deleted.").filled(id=id_))


class Span(NamedTuple):
    """Range of an evening's records; ``last`` is ``None`` while it is under way."""

    id: str
    first: int
    last: int | None

    def read(self, journal: JournalReader, types: tuple[str, ...] = (e.FAMILY,)) -> Iterator[Record]:
        before = None if self.last is None else self.last + 1
        return journal.read(after=self.first - 1, before=before, types=types)

    def is_of(self, seats: frozenset[str] | None, journal: JournalReader) -> bool:
        """Whether a phone with one of these secrets (SHA-256) was there; ``None``: always true."""
        joined = (e.Joined.type, e.Claimed.type)
        return seats is None or any(record.data.get("secret") in seats for record in self.read(journal, joined))


def spans(journal: JournalReader) -> list[Span]:
    """Return the spans of all evenings, oldest first."""
    found: list[Span] = []
    for record in journal.read(types=(e.Opened.type, e.Closed.type)):
        opens = record.type == e.Opened.type
        if found and found[-1].last is None:
            found[-1] = found[-1]._replace(last=record.seq - opens)
        if opens:
            found.append(Span(str(record.data.get("table")), record.seq, None))
    return found


def span_of(journal: JournalReader, id_: str, seats: frozenset[str] | None = None) -> Span:
    """:raises UnknownEveningError: there is no such evening, or none of these seats."""
    for span in spans(journal):
        if span.id == id_ and span.is_of(seats, journal):
            return span
    raise UnknownEveningError(id_)


class Evenings:
    """:param secret: returns the secret of the evening under way by commitment, if known; called from any thread."""

    def __init__(self, secret: Callable[[str], bytes | None] = lambda _: None) -> None:
        self._secret = secret
        self._stories: dict[str, EveningStory] = {}

    def listed(
        self, journal: JournalReader, name: str | None = None, seats: frozenset[str] | None = None
    ) -> list[EveningInBrief]:
        """Return summaries of all evenings, newest first.

        :param name: only those with a person of that name, however it is typed.
        :param seats: only those in which a phone had one of these secrets (SHA-256).
        """
        briefs = [
            in_brief(each.read(journal, BRIEF)) for each in reversed(spans(journal)) if each.is_of(seats, journal)
        ]
        wanted = None if name is None else name_key(name)
        return [each for each in briefs if each and (wanted is None or wanted in map(name_key, each.people))]

    def story(self, journal: JournalReader, id_: str, seats: frozenset[str] | None = None) -> EveningStory:
        """Return the story of one evening; ``seats`` as in ``listed``.

        :raises UnknownEveningError: there is none.
        """
        span = span_of(journal, id_, seats)
        if (known := self._stories.get(span.id)) is not None:
            return known
        records = list(span.read(journal))
        told = story(records, {**self._unrevealed(records), **seeds_in(records)})
        if told is None:
            raise UnknownEveningError(span.id)
        if span.last is not None:
            self._stories[span.id] = told
            if len(self._stories) > _KEPT:
                self._stories.pop(next(iter(self._stories)), None)  # another thread may have removed it
        return told

    def stories(self, journal: JournalReader, name: str | None = None) -> Iterator[EveningStory]:
        """Yield the stories of all evenings, newest first."""
        return (self.story(journal, brief.id) for brief in self.listed(journal, name))

    def _unrevealed(self, records: list[Record]) -> dict[str, bytes]:
        """Return the seeds of shuffles that are still secret, by commitment."""
        commitment = next((str(each.data.get("commitment")) for each in records if each.type == e.Opened.type), "")
        if (secret := self._secret(commitment)) is None:
            return {}
        shuffles = sum(each.type == e.MatchBegun.type for each in records)
        return {commitment_of(seed): seed for seed in (seed_of(secret, number + 1) for number in range(shuffles))}
