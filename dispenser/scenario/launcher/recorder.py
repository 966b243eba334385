"""Turns what a journal recorded around one entry into a scenario: a bug report that is a test.

The raw edges of the input lines are played again at their times, requests of people and programs at theirs, and the
odds bring what they brought. What the journal tells is what is expected.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from dispenser.journal import Entry, FilterError, JournalReader, RecordedEdge
from dispenser.language import Text
from dispenser.launcher import messages as m
from dispenser.launcher.doubles import KEPT_FIRSTS
from dispenser.launcher.recollection import Recollection
from dispenser.service.settings import Settings, changed_settings
from dispenser.tables import as_toml

LEAD_S = 1.0
"""The replay begins so long before the first thing that is played."""
TOLERANCE_S = 0.25
"""A real computer's timers are late at times; what the journal tells is expected within this."""
MAX_ENTRIES = 5000
"""So many entries before, and after, the wanted one are looked at."""
FARTHEST_S = 600.0
"""Edges farther away than this are of no interest."""


STILL_S = 0.2
"""No line moved for so long before a moment of rest: every filter has settled."""
_AT_REST = (m.State.READY.value, m.State.OPEN.value)
"""A launcher that is switched on now would be in the same state."""


def record(
    journal: JournalReader, seq: int, settings: Settings, *, before_s: float = 10.0, after_s: float = 5.0
) -> str:
    """The scenario around entry ``seq``, as TOML text.

    It begins at a moment of rest, at the latest ``before_s`` seconds before the entry, and ends ``after_s`` seconds
    after it, or when the bursts that began until then are over.

    :param settings: those that the launcher runs with, unless its start in the journal tells them.
    :raises FilterError: there is no such entry.
    """
    story = _Story.read(journal, seq)
    wanted_s = story.time_of(seq)
    begin_s = _last_quiet_s(story.moments, story.edges, not_after_s=wanted_s - before_s)
    end_s = story.end_of_bursts(begin_s, wanted_s + after_s)
    told = story.started.data.get("settings")
    return _Recorder(story, Settings.from_told(told) if told else settings, seq, begin_s, end_s).text()


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry on the monotonic clock of the service that wrote it, seconds."""

    at_s: float
    entry: Entry


@dataclass(frozen=True, slots=True)
class _Story:
    """The entries and edges of one start of the service, on its monotonic clock."""

    moments: list[Moment]
    edges: list[RecordedEdge]
    started: Entry

    @classmethod
    def read(cls, journal: JournalReader, seq: int) -> _Story:
        edges = journal.edges_around(seq, FARTHEST_S, FARTHEST_S)
        starts = list(journal.read(before=seq + 1, types=["service.started"], last=1))
        if not starts:
            raise FilterError(
                Text("entry {seq} belongs to no start of the service: give the number of a later one").filled(seq=seq)
            )
        ends = list(journal.read(after=seq, types=["service.started"], limit=1))
        before = list(journal.read(after=starts[0].seq - 1, before=seq + 1, last=MAX_ENTRIES))
        after = list(journal.read(after=seq, before=ends[0].seq if ends else None, limit=MAX_ENTRIES))
        return cls(list(_placed([*before, *after], edges)), edges, starts[0])

    def time_of(self, seq: int) -> float:
        return next(moment.at_s for moment in self.moments if moment.entry.seq == seq)

    def end_of_bursts(self, begin_s: float, end_s: float) -> float:
        """The end, put off until the bursts that have begun are over."""
        open_presses: set[int] = set()
        for moment in self.moments:
            data = moment.entry.data
            if moment.entry.type == m.PressAccepted.type and begin_s <= moment.at_s <= end_s:
                open_presses.add(data["press"])
            elif moment.entry.type == m.BurstEnded.type and data["press"] in open_presses:
                open_presses.discard(data["press"])
                end_s = max(end_s, moment.at_s)
        return end_s


def _placed(entries: list[Entry], edges: list[RecordedEdge]) -> Iterator[Moment]:
    """Entries have wall clock times only; the edge before each tells where it is on the monotonic clock."""
    latest_s = float("-inf")
    for entry in entries:
        wall_s = datetime.fromisoformat(entry.time).timestamp()
        split = bisect_left(edges, entry.seq, key=lambda edge: edge.after_seq)
        at_s = wall_s
        if edges:
            nearest = edges[max(split - 1, 0)]
            gap_s = wall_s - nearest.wall_s
            at_s = nearest.at_s + (max(0.0, gap_s) if split else min(0.0, gap_s))
            if 0 < split < len(edges):
                at_s = min(at_s, edges[split].at_s)
        latest_s = max(latest_s, at_s)
        yield Moment(latest_s, entry)


def _last_quiet_s(moments: list[Moment], edges: list[RecordedEdge], *, not_after_s: float) -> float:
    """The last moment of rest that is not later than ``not_after_s``; when there was none, when it was switched on."""
    known, button_down = Recollection(), False
    best_s = next((moment.at_s for moment in moments if _switches_on(moment.entry)), moments[0].at_s)
    happenings: list[tuple[float, Entry | RecordedEdge]] = [(moment.at_s, moment.entry) for moment in moments]
    happenings += [(edge.at_s, edge) for edge in edges]
    happenings.sort(key=lambda happening: happening[0])
    for number, (at_s, happening) in enumerate(happenings):
        if at_s > not_after_s:
            break
        if isinstance(happening, Entry):
            known.take(happening)
        elif happening.line == "button":
            button_down = happening.active
        elif happening.line == "lid":
            known.lid_open = happening.active
        else:
            known.exit_blocked = happening.active
        at_rest = known.state in _AT_REST and known.under_way is None and not (known.exit_blocked or button_down)
        next_s = happenings[number + 1][0] if number + 1 < len(happenings) else not_after_s
        quiet_until_s = min(next_s, not_after_s)
        if at_rest and quiet_until_s - at_s >= STILL_S:
            best_s = quiet_until_s - STILL_S / 2
    return best_s


def _switches_on(entry: Entry) -> bool:
    return entry.type == m.StateChanged.type and entry.data["old"] == m.State.OFF.value


class _Recorder:
    """Writes one scenario."""

    def __init__(self, story: _Story, settings: Settings, seq: int, begin_s: float, end_s: float) -> None:
        self._story = story
        self._settings = settings
        self._seq = seq
        self._begin_s = begin_s
        self._end_s = end_s
        self._before = [moment for moment in story.moments if moment.at_s <= begin_s]
        self._moments = [moment for moment in story.moments if begin_s < moment.at_s <= end_s]
        self._fault = next((each.entry for each in self._moments if _is_fault(each.entry)), None)
        numbers = [each.entry.data["press"] for each in self._moments if each.entry.type in _PRESSES]
        self._offset = min(numbers, default=1) - 1

    def text(self) -> str:
        """The whole file.

        :raises FilterError: nothing in it could be expected.
        """
        expectations = list(self._expectations())
        if not expectations:
            raise FilterError(
                Text(
                    "around entry {seq} nothing happened that a replay of the input lines could show: name another "
                    "entry, or give more seconds --before"
                ).filled(seq=self._seq)
            )
        wanted = next(moment.entry for moment in self._story.moments if moment.entry.seq == self._seq)
        top = {"title": f"As recorded: {_sentence(wanted)}", "why": self._why(wanted)}
        tables = {"edge": list(self._edges()), "setup": self._setup(), "step": list(self._steps())}
        return as_toml(
            {**top, **{key: each for key, each in tables.items() if each}, "expect": expectations}, rows={"edge"}
        )

    def _why(self, wanted: Entry) -> str:
        about = self._story.started.data
        kind = "simulated launcher" if about.get("simulated") else "launcher"
        why = f"Recorded on a {kind}, version {about.get('version')}, around entry {wanted.seq} of {wanted.time}."
        if self._fault is not None:
            detail = self._fault.data["detail"]
            why += f"\nThen a fault came, which edges cannot show; from its burst on nothing is expected: {detail}"
        return why

    def _at(self, at_s: float) -> float:
        return round(at_s - self._begin_s + LEAD_S, 6)

    # --- what is played ---

    def _edges(self) -> Iterator[dict[str, Any]]:
        for edge in self._story.edges:
            if self._begin_s < edge.at_s <= self._end_s:
                yield {"at": self._at(edge.at_s), "line": edge.line, "active": edge.active}

    def _setup(self) -> dict[str, Any]:
        state = Recollection()
        for moment in self._before:
            state.take(moment.entry)
        known = {"button": False, "lid": state.lid_open, "exit": state.exit_blocked}
        for edge in reversed(self._story.edges):  # before its first edge from now on a line was the other way
            if edge.at_s > self._begin_s:
                known[edge.line] = not edge.active
        setup: dict[str, Any] = {"cards": 112 if state.cards_inside is None else min(state.cards_inside, 112)}
        setup["raw_lines"] = [name for name in known if getattr(self._settings.pins, name) is not None]
        words = {"button": ("up", "down"), "lid": ("shut", "open"), "exit": ("free", "blocked")}
        setup |= {name: words[name][active] for name, active in known.items() if active or name == "lid"}
        planned = list(self._planned())
        setup |= {"planned": planned} if planned else {}
        tables = changed_settings(self._settings)
        if (usual_ms := self._usual_first_card_ms()) is not None:
            tables.setdefault("launcher", {})["first_card_ms"] = usual_ms
        return setup | tables

    def _planned(self) -> Iterator[dict[str, Any]]:
        """What the odds brought, and how long the drum roll was."""
        lowest_s, highest_s = self._settings.launcher.suspense_min_s, self._settings.launcher.suspense_max_s
        for moment in self._moments:
            if moment.entry.type == m.PressAccepted.type and moment.entry.data["draw"] is not None:
                later = self._of_press(moment.entry.data["press"], m.BurstStarted.type, m.BurstEnded.type)
                planned = later[0].entry.data["planned"] if later else 0
                suspense_s = highest_s
                if later and (later[0].entry.type == m.BurstStarted.type or planned == 0):
                    suspense_s = min(max(later[0].at_s - moment.at_s, lowest_s), highest_s)
                yield {"cards": planned, "suspense": round(suspense_s, 6)}

    def _of_press(self, press: int, *types: str) -> list[Moment]:
        return [each for each in self._story.moments if each.entry.type in types and each.entry.data["press"] == press]

    def _usual_first_card_ms(self) -> float | None:
        """What the double detector had learnt until then."""
        left = [moment.entry.data for moment in self._before if moment.entry.type == m.CardLeft.type]
        firsts = [data["blocked_ms"] for data in left if data["number"] == 1][-KEPT_FIRSTS:]
        return round(median(firsts), 2) if firsts else None

    def _steps(self) -> Iterator[dict[str, Any]]:
        for moment in self._moments:
            step = self._step(moment.entry)
            if step is not None:
                yield {"at": self._at(moment.at_s), **step}

    def _step(self, entry: Entry) -> dict[str, Any] | None:
        """What somebody asked for, if the entry is the answer to that."""
        data = entry.data
        match entry.type:
            case m.PressAccepted.type | m.PressRefused.type if data["source"] != "button":
                asked = {"do": "press"} if data.get("cards") is None else {"do": "eject", "cards": data["cards"]}
                return {**asked, "source": data["source"]}
            case m.WasReset.type:
                return {"do": "reset"}
            case m.CardsLoaded.type:
                return {"do": "say loaded", "cards": data["cards"]}
            case m.BurstCounted.type if data["press"] > self._offset:
                return {"do": "enter count", "press": data["press"] - self._offset, "cards": data["cards"]}
            case m.SwitchedOff.type:
                return {"do": "stop the service"}
        return None

    # --- what is expected ---

    def _expectations(self) -> Iterator[dict[str, Any]]:
        for moment in self._moments[: self._expected_until()]:
            fields = _EXPECTED.get(moment.entry.type)
            if fields is not None:
                at_s = self._at(moment.at_s)
                expected: dict[str, Any] = {
                    "within": [round(max(0.0, at_s - TOLERANCE_S), 3), round(at_s + TOLERANCE_S, 3)],
                    "notice": moment.entry.type,
                }
                described = {name: self._field(name, moment.entry.data.get(name)) for name in fields}
                yield expected | ({"with": described} if described else {})

    def _expected_until(self) -> int:
        """How many moments can be expected: all, or those before the press at which a fault came."""
        pressed: int | None = None  # where the press stands whose burst is under way
        for number, moment in enumerate(self._moments):
            entry = moment.entry
            if entry is self._fault:
                return number if pressed is None else pressed
            if entry.type == m.PressAccepted.type:
                pressed = number
            elif entry.type == m.BurstEnded.type:
                if entry.data["cause"] == m.BurstEnd.FAULT.value and pressed is not None:
                    return pressed
                pressed = None
        return len(self._moments)

    def _field(self, name: str, value: Any) -> Any:
        if name == "press" and value is not None:
            return value - self._offset
        return "none" if value is None else value


_PRESSES = (m.PressAccepted.type, m.PressRefused.type)
_EXPECTED: dict[str, tuple[str, ...]] = {
    m.PressAccepted.type: ("press", "source"),
    m.PressRefused.type: ("press", "source", "reason"),
    m.BurstEnded.type: ("press", "planned", "delivered", "cause", "sticking_out", "suspected_doubles", "tries"),
    m.StateChanged.type: ("old", "new"),
    m.LidWasOpened.type: (),
    m.LidWasClosed.type: (),
}


def _is_fault(entry: Entry) -> bool:
    return entry.type == m.StateChanged.type and entry.data["new"] == m.State.FAULT.value


def _sentence(entry: Entry) -> str:
    told = {
        name: value for name, value in entry.data.items() if value is not None and value is not False and value != ""
    }
    details = ", ".join(f"{name} {value}" for name, value in told.items())
    return f"{entry.type} ({details})" if details else entry.type
