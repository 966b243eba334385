"""``GET /metrics``: figures for Prometheus, counted from the journal since the start of the service.

Nothing is counted before the first request, which reads the records since the start; later ones read only new records.
"""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, disable_created_metrics, generate_latest

from dispenser.launcher import messages as m
from dispenser.table import events as e
from dispenser.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dispenser.journal import JournalReader, Record
    from dispenser.service.service import Service
    from dispenser.web.stream import Streams

STARTED: Final = "service.started"
_AT_A_TIME: Final = 2000  # Records per batch
_MOTOR_ON: Final = frozenset({m.State.FEEDING.value, m.State.RETRACTING.value})
_COUNTED: Final = (m.PressAccepted, m.PressRefused, m.BurstEnded, m.BurstLost, m.StateChanged)
TYPES: Final = (*(kind.type for kind in _COUNTED), e.CountAsked.type, e.RoundOpened.type, e.Acted.type)


class Metrics:
    """The metrics since the last start of the service."""

    def __init__(self, service: Service, streams: Streams) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._service, self._streams = service, streams
        self._begin("", 0)

    def _begin(self, journal: str, start: int) -> None:
        self._journal, self._start, self._after = journal, start, start
        self._motor_since: datetime | None = None
        self._registry = registry = CollectorRegistry()

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"dispenser_{name}", text, labels, registry=registry)

        def gauge(name: str, text: str, *labels: str) -> Gauge:
            return Gauge(f"dispenser_{name}", text, labels, registry=registry)

        self._presses = counter("presses", "Presses that counted")
        self._refusals = counter("refusals", "Presses refused, by reason", "reason")
        self._bursts = counter("bursts", "Finished presses by cause, duds included", "cause")
        self._cards = counter("cards", "Cards seen by the exit sensor")
        self._jams = counter("jams", "Jams")
        self._doubtful = counter("doubtful_counts", "Presses whose cards the table was asked to count")
        self._lid_stops = counter("lid_stops", "Bursts stopped by the lid")
        self._motor_s = counter("motor_seconds", "Run time of the motor, from the journal")
        self._rounds = counter("rounds", "Rounds begun at the table")
        self._state = gauge("state", "1 for the current state", "state")
        self._inside = gauge("cards_inside", "Cards inside; absent if unknown", "of")
        self._late_s = gauge("loop_late_seconds", "Longest delay of the event loop since the last scrape")
        self._bytes = gauge("journal_bytes", "Size of the journal file")
        self._open_streams = gauge("streams", "Open event streams")
        gauge("info", "Version of the program", "version").labels(version=VERSION).set(1)
        for reason in m.Refusal:  # create all label values at 0: Prometheus sees no increase in a new series
            self._refusals.labels(reason=reason.value)
        for cause in m.BurstEnd:
            self._bursts.labels(cause=cause.value)

    async def text(self) -> bytes:
        """Read new records, and return all metrics in the text format of Prometheus."""
        if self._service.session is not None:
            journal = self._service.journal
            await self._service.ask_journal(lambda reader: self._read_new(journal.id, reader))
            self._bytes.set(os.stat(journal.path).st_size if journal.path else 0)  # noqa: PTH116 - one call
        known = self._service.known()
        for state in m.State:
            self._state.labels(state=state.value).set(state is known.state)
        self._inside.clear()
        if known.cards_inside is not None:
            self._inside.labels(of="stack").set(known.cards_inside)
        self._late_s.set(self._service.take_lateness_s())
        self._open_streams.set(len(self._streams))
        return generate_latest(self._registry)

    def _read_new(self, journal: str, reader: JournalReader) -> None:
        """Count records written since the last call; start over when the service or a session has started meanwhile."""
        start = next((record.seq for record in reader.read(types=[STARTED], last=1)), 0)
        if (journal, start) != (self._journal, self._start):
            self._begin(journal, start)
        while batch := list(reader.read(after=self._after, types=TYPES, limit=_AT_A_TIME)):
            self._count(batch)
            self._after = batch[-1].seq

    def _count(self, records: Iterable[Record]) -> None:
        for record in records:
            data = record.data
            match record.type:
                case m.PressAccepted.type:
                    self._presses.inc()
                case m.PressRefused.type:
                    self._refusals.labels(reason=data["reason"]).inc()
                case m.BurstEnded.type:
                    self._bursts.labels(cause=data["cause"]).inc()
                    self._cards.inc(data["delivered"] or 0)
                    self._lid_stops.inc(data["cause"] == m.BurstEnd.LID.value)
                case m.BurstLost.type:
                    self._cards.inc(data["delivered"])
                case m.StateChanged.type:
                    self._jams.inc(data["new"] == m.State.JAMMED.value)
                    self._motor(data["new"] in _MOTOR_ON, record.time)
                case e.CountAsked.type:
                    self._doubtful.inc()
                case e.RoundOpened.type:  # with ``deals`` the cards are dealt first, and a "begin" action follows
                    self._rounds.inc(not data.get("deals"))
                case e.Acted.type:
                    self._rounds.inc(data["action"][0] == "begin")

    def _motor(self, on: bool, time: str) -> None:
        """Add the time since the motor was switched on, and keep the time if it is on now."""
        now = datetime.fromisoformat(time)
        if self._motor_since is not None:
            self._motor_s.inc(max(0.0, (now - self._motor_since).total_seconds()))
        self._motor_since = now if on else None
