"""Check the shuffles of the evenings in a journal by playing each match again.

A match's beginning commits to the seed of its shuffles, its end shows it. With it every card that anybody had is known,
so it is checked that

* each shuffle that was committed to is shown when the match ends, in order, and belongs to its commitment;
* no match begins with a seed that had been shown before;
* everything recorded was possible: each card was in that hand and each move allowed, taken back and done again or not.

What is recorded and was possible is believed: another card of the same hand, a move that nobody needed to make. That
nothing was changed since it was written, the journal's chain says.
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
    """One thing that cannot be as it is written."""

    seq: int
    type: str
    text: Text


@dataclass(slots=True)
class ShufflesReport:
    """What came of it."""

    matches: int = 0
    pending: int = 0
    misfits: list[Misfit] = field(default_factory=list)


def audit_shuffles(events: Iterable[Written]) -> ShufflesReport:
    """Go through the events of a journal, from its first on.

    :param events: those of tables among them count; what can be gone through only once is kept in memory.
    """
    if isinstance(events, Iterator):
        events = [each for each in events if each.type in e.EVENTS]
    audit = _Audit(seeds_in(events))
    for written in events:
        if written.type in e.EVENTS:
            audit.take(written)
    return audit.report()


class _Audit:
    """Takes events in order; ``seeds`` are all that the journal shows, by commitment."""

    def __init__(self, seeds: dict[str, bytes]) -> None:
        self._seeds = seeds
        self._replay = Replay.without_secret(seeds)
        self._report = ShufflesReport()
        self._promised: list[str] = []
        """Commitments of the match under way."""
        self._shown: dict[str, int] = {}
        self._broken = False
        """What follows in this match would be nothing but a consequence."""

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
        elif isinstance(event, e.Opened) and self._promised:  # the evening before was left as it stood, with its secret
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
            text = Text("the shuffles are those of a seed that entry {seq} had shown already")
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
            if match is None or match.telling is not e.TrackingMode.CARDS:
                text = Text("this was not possible then: {why}")
            self._wrong(written, text.filled(why=error.text if isinstance(error, RulesError) else str(error)))
