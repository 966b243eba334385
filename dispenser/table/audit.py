"""Check the shuffles of the evenings in a journal by playing each match again.

The event that begins a match commits to the seed of its shuffles; the event that ends it reveals the seed. With the
seed every hand is known, so the audit checks that

* each committed seed is revealed when the match ends, in order, and hashes to its commitment;
* no match begins with a seed that had been revealed before;
* everything recorded was possible: each card was in that hand, each move allowed, also after undo and redo.

False records that were possible pass: another card of the same hand, an optional move. Whether records were changed
after they were written is checked by the journal's hash chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from dispenser.i18n import Text
from dispenser.rules.engine.errors import RulesError
from dispenser.table import events as e
from dispenser.table.replay import MISFITS, Replay, Written, commitment_of_shown, event_of, seeds_in

_SEED_DIGITS: Final = 64


class Misfit(NamedTuple):
    """A record that contradicts the rules, the seeds or the event schema."""

    seq: int
    type: str
    text: Text


@dataclass(slots=True)
class ShufflesReport:
    """Result of the audit: matches checked, matches still without their seeds, and errors."""

    matches: int = 0
    pending: int = 0
    misfits: list[Misfit] = field(default_factory=list)


def audit_shuffles(events: Iterable[Written]) -> ShufflesReport:
    """Check all table events of a journal, from its first record.

    :param events: journal records; other types are skipped. An iterator is read into memory, since two passes are made.
    """
    if isinstance(events, Iterator):
        events = [each for each in events if each.type in e.EVENTS]
    audit = _Audit(seeds_in(events))
    for written in events:
        if written.type in e.EVENTS:
            audit.take(written)
    return audit.report()


class _Audit:
    """Apply events in order and collect errors; ``seeds`` holds every revealed seed by commitment."""

    def __init__(self, seeds: dict[str, bytes]) -> None:
        self._seeds = seeds
        self._replay = Replay.without_secret(seeds)
        self._report = ShufflesReport()
        self._promised: list[str] = []
        """Commitments of the match under way."""
        self._shown: dict[str, int] = {}
        self._broken = False
        """The match under way has an error; its later events are skipped, as they would only fail because of it."""

    def take(self, written: Written) -> None:
        try:
            event = event_of(written)
        except msgspec.ValidationError as error:
            self._broken = True
            self._wrong(written, Text("this cannot have been written by a table: {error}").filled(error=error))
            return
        if isinstance(event, e.MatchBegun):
            self._check_begun(written, event)
        elif isinstance(event, e.MatchEnded):
            self._check_ended(written, event)
        elif isinstance(event, e.Opened) and self._promised:  # it did not end: no seeds were revealed
            self._promised = []
            self._report.pending += 1
        if event is not None and not (self._broken and isinstance(event, e.MatchEvent)):
            self._apply(written, event)

    def report(self) -> ShufflesReport:
        self._report.pending += bool(self._promised)
        return self._report

    def _wrong(self, written: Written, text: Text) -> None:
        self._report.misfits.append(Misfit(written.seq, written.type, text))

    def _check_begun(self, written: Written, event: e.MatchBegun) -> None:
        if event.anew:
            if self._promised:
                self._wrong(written, Text("a match begins, and the shuffles of the one before were never shown"))
            self._promised = []
        if event.anew or event.commitment in self._seeds:
            self._broken = False
        if (seq := self._shown.get(event.commitment)) is not None:
            text = Text("the shuffles are those of a seed that record {seq} had shown already")
            self._wrong(written, text.filled(seq=seq))
        self._promised.append(event.commitment)

    def _check_ended(self, written: Written, event: e.MatchEnded) -> None:
        promised, self._promised = self._promised, []
        self._report.matches += 1
        if len(event.seeds) != len(promised):
            text = Text("{shown} seeds are shown, and {promised} were promised")
            self._wrong(written, text.filled(shown=len(event.seeds), promised=len(promised)))
            return
        for number, (shown, commitment) in enumerate(zip(event.seeds, promised, strict=True), 1):
            if len(shown) != _SEED_DIGITS or commitment_of_shown(shown) != commitment:
                text = Text("seed {number} of this match does not belong to the commitment {commitment}")
                self._wrong(written, text.filled(number=number, commitment=commitment))
            self._shown[commitment] = written.seq

    def _apply(self, written: Written, event: e.Event) -> None:
        match = self._replay.table.match
        try:
            self._replay.apply(event)
        except MISFITS as error:
            self._broken = True
            text = Text("with these shuffles this was not possible: {why}")
            if match is None or match.tracking_mode is not e.TrackingMode.CARDS:
                text = Text("this was not possible then: {why}")
            self._wrong(written, text.filled(why=error.text if isinstance(error, RulesError) else str(error)))
