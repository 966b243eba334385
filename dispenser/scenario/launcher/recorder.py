"""Make a scenario from what a journal recorded around one record.

Raw edges of the input lines and commands of people and programs are replayed at their times, the odds are replaced by
the recorded outcomes, and the recorded notices become expectations.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from operator import itemgetter
from statistics import median
from typing import Any

from dispenser.config import as_toml, read
from dispenser.i18n import Text
from dispenser.journal import FilterError, JournalReader, Record, RecordedEdge, public_data
from dispenser.journal.edges import place
from dispenser.launcher import messages as m
from dispenser.launcher.cards import KEPT_FIRSTS
from dispenser.launcher.replay import LauncherReplay
from dispenser.service.settings import ConfigError, Settings

LEAD_S = 1.0  # Time in the scenario before the first replayed event
TOLERANCE_S = 0.25  # Timers of a real computer may be late; notices are expected within this time
ORDER_AFTER_S = 0.002
"""Delay of an order, so that a push recorded in the same instant as the order is replayed before it."""
MAX_RECORDS = 5000  # Limit of records read before, and after, the chosen one
FARTHEST_S = 600.0  # Edges farther away are not read
STILL_S = 0.2  # Time without an edge before a moment of rest: all filters have settled
MAX_CARDS = 112  # Capacity of the stack in the scenario
_STARTED = "service.started"
_AT_REST = (m.State.READY.value, m.State.OPEN.value)  # States that a launcher also has after being switched on
_PRESSES = (m.PressAccepted.type, m.PressRefused.type)
_EXPECTED: dict[str, tuple[str, ...]] = {
    m.PressAccepted.type: ("press", "source"),
    m.PressRefused.type: ("press", "source", "reason"),
    m.BurstEnded.type: ("press", "planned", "delivered", "cause", "sticking_out", "suspected_doubles", "tries"),
    m.StateChanged.type: ("old", "new"),
    m.LidWasOpened.type: (),
    m.LidWasClosed.type: (),
}
"""Record types that become expectations, with the fields compared."""
_WORDS = {"button": ("up", "down"), "lid": ("shut", "open"), "exit": ("free", "blocked")}
Timed = tuple[float, Record]  # A record with its time in seconds on the monotonic clock of the service


def record(
    journal: JournalReader, seq: int, settings: Settings, *, before_s: float = 10.0, after_s: float = 5.0
) -> str:
    """Return the scenario around record ``seq`` as TOML.

    It begins at a moment of rest at least ``before_s`` seconds before the record, and ends ``after_s`` seconds after
    it, or when the bursts that began until then are over.

    :param settings: used if the record of the service's start does not contain its settings.
    :raises FilterError: there is no such record, or nothing around it can be replayed.
    """
    return _Recorder(journal, seq, settings, before_s, after_s).text()


def _timed(records: list[Record], edges: list[RecordedEdge]) -> Iterator[Timed]:
    """Convert wall clock times of records to the monotonic clock, by the edge before each record."""
    latest_s = float("-inf")
    for record in records:
        wall_s = datetime.fromisoformat(record.time).timestamp()
        latest_s = max(latest_s, place(edges, record.seq, wall_s)[0] if edges else wall_s)
        yield latest_s, record


def _last_quiet_s(story: list[Timed], edges: list[RecordedEdge], *, not_after_s: float) -> float:
    """Return the last moment of rest up to ``not_after_s``, or else the time when the launcher was switched on."""
    known, button_down = LauncherReplay(), False
    best_s = next((at_s for at_s, record in story if record.data.get("old") == m.State.OFF.value), story[0][0])
    happenings: list[tuple[float, Record | RecordedEdge]] = [*story, *((edge.at_s, edge) for edge in edges)]
    happenings = [each for each in sorted(happenings, key=itemgetter(0)) if each[0] <= not_after_s]
    for (at_s, happening), (quiet_until_s, _) in pairwise([*happenings, (not_after_s, story[0][1])]):
        if isinstance(happening, Record):
            known.apply(happening)
        elif happening.line == "button":
            button_down = happening.active
        elif happening.line == "exit":
            known.exit_blocked = happening.active
        at_rest = known.state in _AT_REST and known.under_way is None and not (known.exit_blocked or button_down)
        if at_rest and quiet_until_s - at_s >= STILL_S:
            best_s = quiet_until_s - STILL_S / 2
    return best_s


class _Recorder:
    """Builds a scenario from the records and edges of one run of the service."""

    def __init__(self, journal: JournalReader, seq: int, settings: Settings, before_s: float, after_s: float) -> None:
        self._edges = journal.edges_around(seq, FARTHEST_S, FARTHEST_S)
        start = next(journal.read(before=seq + 1, types=[_STARTED], last=1), None)
        if start is None:
            no_start = Text("record {seq} belongs to no start of the service: give the number of a later one")
            raise FilterError(no_start.filled(seq=seq))
        first = next(journal.read(before=seq + 1, types=[_STARTED, m.SwitchedOn.type], last=1))
        if first.data.get("stand_in"):
            by_hand = Text(
                "at record {seq} a phone stood in for the launcher, so there is nothing to replay: name a record from "
                "before or after that"
            )
            raise FilterError(by_hand.filled(seq=seq))
        next_start = next(journal.read(after=seq, types=[_STARTED, m.SwitchedOn.type], limit=1), None)
        before = list(journal.read(after=first.seq - 1, before=seq + 1, last=MAX_RECORDS))
        after = journal.read(after=seq, before=next_start.seq if next_start else None, limit=MAX_RECORDS)
        self._story = list(_timed([*before, *after], self._edges))
        wanted_s, self._wanted = self._story[len(before) - 1]
        self._about = start.data
        kept = start.data.get("settings")
        self._settings = read(kept, Settings, path=("settings",), error=ConfigError) if kept else settings
        off = next((record for _, record in self._story if record.type == m.SwitchedOff.type), None)
        # Without the bursts that switching off aborted: their records have the same time.
        off_s = min((at_s for at_s, record in self._story if off and record.time == off.time), default=float("inf"))
        self._story = [each for each in self._story if not off or (each[1].seq < off.seq and each[1].time != off.time)]
        self._begin_s = _last_quiet_s(self._story, self._edges, not_after_s=wanted_s - before_s)
        self._end_s = min(self._end_of_bursts(wanted_s + after_s), off_s)
        self._moments = [each for each in self._story if self._begin_s < each[0] <= self._end_s]
        numbers = [record.data["press"] for _, record in self._moments if record.type in _PRESSES]
        self._offset = min(numbers, default=1) - 1

    def _end_of_bursts(self, end_s: float) -> float:
        """Return the end, delayed until the bursts that have begun are over."""
        begun = set[int]()
        for at_s, record in self._story:
            if record.type == m.PressAccepted.type and self._begin_s <= at_s <= end_s:
                begun.add(record.data["press"])
            elif record.type == m.BurstEnded.type and record.data["press"] in begun:
                end_s = max(end_s, at_s)
        return end_s

    def text(self) -> str:
        """Return the file as TOML."""
        wanted, expectations = self._wanted, list(self._expectations())
        if not expectations:
            nothing = Text(
                "around record {seq} nothing happened that a replay of the input lines could show: name another "
                "record, or give more --seconds-before"
            )
            raise FilterError(nothing.filled(seq=wanted.seq))
        kind = "simulated launcher" if self._about.get("simulated") else "launcher"
        why = (
            f"Recorded on a {kind}, version {self._about.get('version')}, around record {wanted.seq} of {wanted.time}."
        )
        if fault := next((record for _, record in self._moments if _is_fault(record)), None):
            why += "\nThen a fault came, which edges cannot show; from its burst on nothing is expected: "
            why += fault.data["detail"]
        moved = [edge for edge in self._edges if self._begin_s < edge.at_s <= self._end_s]
        edges = [{"at": self._at(edge.at_s), "line": edge.line, "active": edge.active} for edge in moved]
        steps = sorted(self._steps(), key=itemgetter("at"))
        whole = {"title": f"As recorded: {_sentence(wanted)}", "why": why, "edge": edges, "setup": self._setup()}
        whole |= {"step": steps, "expect": expectations}
        return as_toml({key: each for key, each in whole.items() if each}, rows={"edge"})

    def _at(self, at_s: float) -> float:
        return round(at_s - self._begin_s + LEAD_S, 6)

    # --- replay ---

    def _setup(self) -> dict[str, Any]:
        state, past = LauncherReplay(), [record for at_s, record in self._story if at_s <= self._begin_s]
        for record in past:
            state.apply(record)
        known = {"button": False, "lid": state.lid_open, "exit": state.exit_blocked}
        for edge in reversed(self._edges):  # before its next edge, a line had the opposite state
            if edge.at_s > self._begin_s:
                known[edge.line] = not edge.active
        cards = MAX_CARDS if state.cards_inside is None else min(state.cards_inside, MAX_CARDS)
        raw_lines = [name for name in known if getattr(self._settings.pins, name) is not None]
        setup: dict[str, Any] = {"cards": cards, "raw_lines": raw_lines}
        setup |= {name: _WORDS[name][active] for name, active in known.items() if active or name == "lid"}
        if planned := list(self._planned()):
            setup["planned"] = planned
        now, defaults = self._settings.for_journal(), Settings().for_journal()
        changed = {
            name: {key: value for key, value in table.items() if value != defaults[name][key]}
            for name, table in now.items()
        }
        tables = {name: table for name, table in changed.items() if table}
        firsts = [each.data["blocked_ms"] for each in past if each.type == m.CardLeft.type and each.data["number"] == 1]
        if firsts:  # learned by the double-feed detector before
            tables.setdefault("launcher", {})["first_card_ms"] = round(median(firsts[-KEPT_FIRSTS:]), 2)
        return setup | tables

    def _planned(self) -> Iterator[dict[str, Any]]:
        """Yield the recorded outcomes of the odds, with the length of the drum roll."""
        lowest_s, highest_s = self._settings.launcher.suspense_min_s, self._settings.launcher.suspense_max_s
        told = [each for each in self._story if each[1].type in {m.BurstStarted.type, m.BurstEnded.type}]
        outcomes = {each[1].data["press"]: each for each in reversed(told)}  # the first of each press
        for pressed_s, record in self._moments:
            if record.type == m.PressAccepted.type and record.data["draw"] is not None:
                planned, suspense_s = 0, highest_s
                if outcome := outcomes.get(record.data["press"]):
                    planned = outcome[1].data["planned"]
                    if outcome[1].type == m.BurstStarted.type or planned == 0:
                        suspense_s = min(max(outcome[0] - pressed_s, lowest_s), highest_s)
                yield {"cards": planned, "suspense": round(suspense_s, 6)}

    def _steps(self) -> Iterator[dict[str, Any]]:
        """Yield the commands, derived from the records of their effects, and first the order that was in force."""
        orders = [
            record for at_s, record in self._story if at_s <= self._begin_s and record.type == m.OrderChanged.type
        ]
        if orders:
            yield {"at": LEAD_S / 2, **_ordered(orders[-1])}
        before = 0  # seq of the last record of an accepted press
        for moment_s, record in self._moments:
            data, at = record.data, {"at": self._at(moment_s)}
            match record.type:
                case m.PressAccepted.type | m.PressRefused.type if data["source"] != "button":
                    pushed = data.get("cards") is None or data.get("ordered")
                    asked = {"do": "press"} if pushed else {"do": "eject", "cards": data["cards"]}
                    yield {**at, **asked, "source": data["source"]}
                case m.OrderChanged.type if record.seq != before + 1:  # else it follows from the press before it
                    yield {"at": at["at"] + ORDER_AFTER_S, **_ordered(record)}
                case m.WasReset.type:
                    yield {**at, "do": "reset"}
                case m.CardsLoaded.type:
                    yield {**at, "do": "say loaded", "cards": data["cards"]}
                case m.BurstCounted.type if data["press"] > self._offset:
                    yield {**at, "do": "enter count", "press": data["press"] - self._offset, "cards": data["cards"]}
            before = record.seq if record.type == m.PressAccepted.type else before

    # --- expectations ---

    def _expectations(self) -> Iterator[dict[str, Any]]:
        for at_s, record in self._expected():
            if (fields := _EXPECTED.get(record.type)) is not None:
                at = self._at(at_s)
                within = [round(max(0.0, at - TOLERANCE_S), 3), round(at + TOLERANCE_S, 3)]
                described: dict[str, Any] = {name: record.data.get(name) for name in fields}
                if described.get("press") is not None:
                    described["press"] -= self._offset
                expected = {"within": within, "notice": record.type}
                yield expected | ({"with": described} if described else {})

    def _expected(self) -> list[Timed]:
        """Return the moments that edges can reproduce: all, or those before the press in which a fault occurred."""
        begun: int | None = None
        for number, (_, record) in enumerate(self._moments):
            ended = record.type == m.BurstEnded.type
            if _is_fault(record) or (ended and record.data["cause"] == m.BurstEnd.FAULT.value):
                return self._moments[: number if begun is None else begun]
            if ended or record.type == m.PressAccepted.type:
                begun = None if ended else number
        return self._moments


def _ordered(order: Record) -> dict[str, Any]:
    return {"do": "order"} | {key: value for key, value in order.data.items() if key != "refusal" and value is not None}


def _is_fault(record: Record) -> bool:
    return record.type == m.StateChanged.type and record.data["new"] == m.State.FAULT.value


def _sentence(record: Record) -> str:
    plain = {name: value for name, value in public_data(record.data).items() if isinstance(value, (str, int, float))}
    details = ", ".join(f"{name} {value}" for name, value in plain.items() if value is not False and value != "")
    return f"{record.type} ({details})" if details else record.type
