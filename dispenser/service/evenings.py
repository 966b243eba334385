"""List and read the evenings in a journal; each is found by its first and last record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from dispenser.i18n import Text
from dispenser.journal import JournalReader, Record
from dispenser.service.requests import ServiceError
from dispenser.table import messages as t
from dispenser.table.evenings import BRIEF, EveningInBrief, EveningStory, in_brief, story
from dispenser.table.people import name_key
from dispenser.table.replay import seeds_in
from dispenser.table.secrets import commitment_of, seed_of

_BOUNDS: Final = (t.Opened.type, t.Closed.type)
_KEPT: Final = 64
"""Stories of evenings that are over, which never change: an evening of 2,000 entries takes a third of a second."""


class UnknownEveningError(ServiceError):
    """The journal has no such evening."""

    def __init__(self, id_: str) -> None:
        super().__init__(Text("There is no evening {id} here: it never was, or it was deleted.").filled(id=id_))


class Span(NamedTuple):
    """Where an evening is.

    :ivar last: number of its last entry; ``None`` while it is under way.
    """

    id: str
    first: int
    last: int | None

    def read(self, journal: JournalReader, types: tuple[str, ...] = (t.FAMILY,)) -> Iterator[Record]:
        """Its entries."""
        before = None if self.last is None else self.last + 1
        return journal.read(after=self.first - 1, before=before, types=types)


def spans(journal: JournalReader) -> list[Span]:
    """All of them, the oldest first."""
    found: list[Span] = []
    for entry in journal.read(types=_BOUNDS):
        opens = entry.type == t.Opened.type
        if found and found[-1].last is None:
            found[-1] = found[-1]._replace(last=entry.seq - opens)
        if opens:
            found.append(Span(str(entry.data.get("table")), entry.seq, None))
    return found


def span_of(journal: JournalReader, id_: str) -> Span:
    """:raises UnknownEveningError: there is none."""
    found = next((span for span in spans(journal) if span.id == id_), None)
    if found is None:
        raise UnknownEveningError(id_)
    return found


class Evenings:
    """Tells of the evenings, on any thread; remembers what it has worked out.

    :param secret: of the evening under way, by its commitment, if that is known here; asked from any thread.
    """

    def __init__(self, secret: Callable[[str], bytes | None] = lambda _: None) -> None:
        self._secret = secret
        self._stories: dict[str, EveningStory] = {}

    def listed(
        self, journal: JournalReader, name: str | None = None, seats: frozenset[str] | None = None
    ) -> list[EveningInBrief]:
        """All of them, the newest first.

        :param name: only those in which somebody had that name, however it is typed.
        :param seats: SHA-256 of secrets: only those in which a phone had one of them.
        """
        found = []
        for span in reversed(spans(journal)):
            if not _is_of(span, journal, seats):
                continue
            told = in_brief(span.read(journal, BRIEF))
            if told is not None and (name is None or _has(told, name)):
                found.append(told)
        return found

    def story(self, journal: JournalReader, id_: str, seats: frozenset[str] | None = None) -> EveningStory:
        """All of one evening.

        :param seats: as in ``listed``.
        :raises UnknownEveningError: there is none.
        """
        span = span_of(journal, id_)
        if not _is_of(span, journal, seats):
            raise UnknownEveningError(id_)
        if (known := self._stories.get(span.id)) is not None:
            return known
        entries = list(span.read(journal))
        told = story(entries, {**self._unrevealed(entries), **seeds_in(entries)})
        if told is None:
            raise UnknownEveningError(span.id)
        if span.last is not None:
            self._stories[span.id] = told
            if len(self._stories) > _KEPT:
                self._stories.pop(next(iter(self._stories)), None)  # another thread may have been faster
        return told

    def stories(self, journal: JournalReader, name: str | None = None) -> Iterator[EveningStory]:
        """All of all of them, the newest first."""
        for brief in self.listed(journal, name):
            yield self.story(journal, brief.id)

    def _unrevealed(self, entries: list[Record]) -> Mapping[str, bytes]:
        """Seeds of shuffles that are still secret."""
        commitment = next((str(each.data.get("commitment")) for each in entries if each.type == t.Opened.type), "")
        secret = self._secret(commitment)
        if secret is None:
            return {}
        shuffles = sum(each.type == t.MatchBegun.type for each in entries)
        seeds = [seed_of(secret, number + 1) for number in range(shuffles)]
        return {commitment_of(seed): seed for seed in seeds}


def _is_of(span: Span, journal: JournalReader, seats: frozenset[str] | None) -> bool:
    """Whether a phone of one of these seats was there."""
    if seats is None:
        return True
    return any(entry.data.get("secret") in seats for entry in span.read(journal, (t.Joined.type, t.Claimed.type)))


def _has(told: EveningInBrief, name: str) -> bool:
    return name_key(name) in map(name_key, told.people)
