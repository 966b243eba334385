"""Turns what a journal recorded around one entry into a scenario: a bug report that is a test.

The raw edges of the input lines are played again at their times, requests of people and programs at theirs, and the
odds bring what they brought. What the journal tells is what is expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from statistics import median
from typing import Any

from dispenser.config import as_toml, read
from dispenser.i18n import Text
from dispenser.journal import FilterError, JournalReader, Record, RecordedEdge, told
from dispenser.journal.edges import place
from dispenser.launcher import messages as m
from dispenser.launcher.doubles import KEPT_FIRSTS
from dispenser.launcher.replay import LauncherReplay
from dispenser.service.settings import ConfigError, Settings

LEAD_S = 1.0
"""The replay begins so long before the first thing that is played."""
TOLERANCE_S = 0.25
"""A real computer's timers are late at times; what the journal tells is expected within this."""
ORDER_AFTER_S = 0.002
"""An order is played so much later, that a push which it followed in the same instant comes first again."""
MAX_ENTRIES = 5000
"""So many entries before, and after, the wanted one are looked at."""
FARTHEST_S = 600.0
"""Edges farther away than this are of no interest."""


STILL_S = 0.2
"""No line moved for so long before a moment of rest: every filter has settled."""
_STARTED = "service.started"
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
    return _Recorder(journal, seq, settings, before_s, after_s).text()


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry on the monotonic clock of the service that wrote it, seconds."""

    at_s: float
    entry: Record


def _placed(entries: list[Record], edges: list[RecordedEdge]) -> Iterator[Moment]:
    """Entries have wall clock times only; the edge before each tells where it is on the monotonic clock."""
    latest_s = float("-inf")
    for entry in entries:
        wall_s = datetime.fromisoformat(entry.time).timestamp()
        latest_s = max(latest_s, place(edges, entry.seq, wall_s)[0] if edges else wall_s)
        yield Moment(latest_s, entry)


def _last_quiet_s(moments: list[Moment], edges: list[RecordedEdge], *, not_after_s: float) -> float:
    """The last moment of rest that is not later than ``not_after_s``; when there was none, when it was switched on."""
    known, button_down = LauncherReplay(), False
    best_s = next((moment.at_s for moment in moments if _switches_on(moment.entry)), moments[0].at_s)
    happenings: list[tuple[float, Record | RecordedEdge]] = [(moment.at_s, moment.entry) for moment in moments]
    happenings += [(edge.at_s, edge) for edge in edges]
    happenings = [each for each in sorted(happenings, key=itemgetter(0)) if each[0] <= not_after_s]
    until_s = [at_s for at_s, _ in happenings[1:]] + [not_after_s]
    for (at_s, happening), quiet_until_s in zip(happenings, until_s, strict=False):
        if isinstance(happening, Record):
            known.apply(happening)
        elif happening.line == "button":
            button_down = happening.active
        elif happening.line == "lid":
            known.lid_open = happening.active
        else:
            known.exit_blocked = happening.active
        at_rest = known.state in _AT_REST and known.under_way is None and not (known.exit_blocked or button_down)
        if at_rest and quiet_until_s - at_s >= STILL_S:
            best_s = quiet_until_s - STILL_S / 2
    return best_s


def _switches_on(entry: Record) -> bool:
    return entry.type == m.StateChanged.type and entry.data["old"] == m.State.OFF.value


class _Recorder:
    """Writes one scenario, of the entries and edges of one start of the service."""

    def __init__(self, journal: JournalReader, seq: int, settings: Settings, before_s: float, after_s: float) -> None:
        self._edges = journal.edges_around(seq, FARTHEST_S, FARTHEST_S)
        starts = list(journal.read(before=seq + 1, types=[_STARTED], last=1))
        if not starts:
            no_start = Text("entry {seq} belongs to no start of the service: give the number of a later one")
            raise FilterError(no_start.filled(seq=seq))
        first = list(journal.read(after=starts[0].seq - 1, before=seq + 1, types=[m.SwitchedOn.type], last=1)) or starts
        if first[0].data.get("stand_in"):
            by_hand = Text(
                "at entry {seq} a phone stood in for the launcher, so no line moved that could be played again: name "
                "an entry of before or after that"
            )
            raise FilterError(by_hand.filled(seq=seq))
        ends = list(journal.read(after=seq, types=[_STARTED, m.SwitchedOn.type], limit=1))
        before = list(journal.read(after=first[0].seq - 1, before=seq + 1, last=MAX_ENTRIES))
        after = list(journal.read(after=seq, before=ends[0].seq if ends else None, limit=MAX_ENTRIES))
        story = list(_placed([*before, *after], self._edges))
        self._wanted, wanted_s = before[-1], story[len(before) - 1].at_s
        self._story = story
        if off := next((each.entry for each in story if each.entry.type == m.SwitchedOff.type), None):
            # Without what it has cut short, which it wrote in the same instant.
            self._story = [each for each in story if each.entry.seq < off.seq and each.entry.time != off.time]
        self._about = starts[0].data
        settled = self._about.get("settings")
        self._settings = read(settled, Settings, path=("settings",), error=ConfigError) if settled else settings
        self._begin_s = _last_quiet_s(self._story, self._edges, not_after_s=wanted_s - before_s)
        self._end_s = self._end_of_bursts(wanted_s + after_s)
        if len(self._story) < len(story):
            self._end_s = min(self._end_s, story[len(self._story)].at_s)
        self._moments = [moment for moment in self._story if self._begin_s < moment.at_s <= self._end_s]
        self._fault = next((each.entry for each in self._moments if _is_fault(each.entry)), None)
        numbers = [each.entry.data["press"] for each in self._moments if each.entry.type in _PRESSES]
        self._offset = min(numbers, default=1) - 1

    def _end_of_bursts(self, end_s: float) -> float:
        """The end, put off until the bursts that have begun are over."""
        open_presses: set[int] = set()
        for moment in self._story:
            data = moment.entry.data
            if moment.entry.type == m.PressAccepted.type and self._begin_s <= moment.at_s <= end_s:
                open_presses.add(data["press"])
            elif moment.entry.type == m.BurstEnded.type and data["press"] in open_presses:
                open_presses.discard(data["press"])
                end_s = max(end_s, moment.at_s)
        return end_s

    def text(self) -> str:
        """The whole file.

        :raises FilterError: nothing in it could be expected.
        """
        expectations = list(self._expectations())
        wanted = self._wanted
        if not expectations:
            nothing = Text(
                "around entry {seq} nothing happened that a replay of the input lines could show: name another entry, "
                "or give more seconds --before"
            )
            raise FilterError(nothing.filled(seq=wanted.seq))
        kind = "simulated launcher" if self._about.get("simulated") else "launcher"
        why = f"Recorded on a {kind}, version {self._about.get('version')}, around entry {wanted.seq} of {wanted.time}."
        if self._fault is not None:
            why += "\nThen a fault came, which edges cannot show; from its burst on nothing is expected: "
            why += self._fault.data["detail"]
        top = {"title": f"As recorded: {_sentence(wanted)}", "why": why}
        edges = [
            {"at": self._at(edge.at_s), "line": edge.line, "active": edge.active}
            for edge in self._edges
            if self._begin_s < edge.at_s <= self._end_s
        ]
        asked = [(moment.at_s, self._step(moment.entry)) for moment in self._moments]
        steps = [{"at": self._at(at_s), **step} for at_s, step in asked if step is not None]
        for step in steps:
            step["at"] += ORDER_AFTER_S * (step["do"] == "order")
        if (order := self._order_at_first()) is not None:
            steps.append({"at": LEAD_S / 2, **_ordered(order)})
        steps.sort(key=itemgetter("at"))
        tables = {"edge": edges, "setup": self._setup(), "step": steps}
        return as_toml(
            {**top, **{key: each for key, each in tables.items() if each}, "expect": expectations}, rows={"edge"}
        )

    def _at(self, at_s: float) -> float:
        return round(at_s - self._begin_s + LEAD_S, 6)

    # --- what is played ---

    def _setup(self) -> dict[str, Any]:
        state = LauncherReplay()
        firsts: list[float] = []
        for moment in self._story:
            if moment.at_s > self._begin_s:
                break
            state.apply(moment.entry)
            if moment.entry.type == m.CardLeft.type and moment.entry.data["number"] == 1 and not state.stand_in:
                firsts.append(moment.entry.data["blocked_ms"])
        known = {"button": False, "lid": state.lid_open, "exit": state.exit_blocked}
        for edge in reversed(self._edges):  # before its first edge from now on a line was the other way
            if edge.at_s > self._begin_s:
                known[edge.line] = not edge.active
        setup: dict[str, Any] = {"cards": 112 if state.cards_inside is None else min(state.cards_inside, 112)}
        setup["raw_lines"] = [name for name in known if getattr(self._settings.pins, name) is not None]
        words = {"button": ("up", "down"), "lid": ("shut", "open"), "exit": ("free", "blocked")}
        setup |= {name: words[name][active] for name, active in known.items() if active or name == "lid"}
        planned = list(self._planned())
        setup |= {"planned": planned} if planned else {}
        now, defaults = self._settings.for_journal(), Settings().for_journal()
        changed = {
            name: {key: now[name][key] for key in now[name] if now[name][key] != defaults[name][key]} for name in now
        }
        tables = {name: table for name, table in changed.items() if table}
        if firsts:  # what the double detector had learnt until then
            tables.setdefault("launcher", {})["first_card_ms"] = round(median(firsts[-KEPT_FIRSTS:]), 2)
        return setup | tables

    def _planned(self) -> Iterator[dict[str, Any]]:
        """What the odds brought, and how long the drum roll was."""
        lowest_s, highest_s = self._settings.launcher.suspense_min_s, self._settings.launcher.suspense_max_s
        outcomes: dict[int, Moment] = {}
        for moment in self._story:
            if moment.entry.type in {m.BurstStarted.type, m.BurstEnded.type}:
                outcomes.setdefault(moment.entry.data["press"], moment)
        for moment in self._moments:
            if moment.entry.type == m.PressAccepted.type and moment.entry.data["draw"] is not None:
                outcome = outcomes.get(moment.entry.data["press"])
                planned = outcome.entry.data["planned"] if outcome else 0
                suspense_s = highest_s
                if outcome and (outcome.entry.type == m.BurstStarted.type or planned == 0):
                    suspense_s = min(max(outcome.at_s - moment.at_s, lowest_s), highest_s)
                yield {"cards": planned, "suspense": round(suspense_s, 6)}

    def _step(self, entry: Record) -> dict[str, Any] | None:
        """What somebody asked for, if the entry is the answer to that."""
        data, step = entry.data, None
        match entry.type:
            case m.PressAccepted.type | m.PressRefused.type if data["source"] != "button":
                pushed = data.get("cards") is None or data.get("ordered")
                asked = {"do": "press"} if pushed else {"do": "eject", "cards": data["cards"]}
                step = {**asked, "source": data["source"]}
            case m.OrderChanged.type if not self._spent(entry):
                step = _ordered(entry)
            case m.WasReset.type:
                step = {"do": "reset"}
            case m.CardsLoaded.type:
                step = {"do": "say loaded", "cards": data["cards"]}
            case m.BurstCounted.type if data["press"] > self._offset:
                step = {"do": "enter count", "press": data["press"] - self._offset, "cards": data["cards"]}
        return step

    def _order_at_first(self) -> Record | None:
        """What the next push was to bring when the replay begins."""
        orders = (each.entry for each in self._story if each.at_s <= self._begin_s)
        return next((each for each in reversed([*orders]) if each.type == m.OrderChanged.type), None)

    def _spent(self, order: Record) -> bool:
        """The launcher's own doing: the push before it was what was ordered."""
        before = next((each.entry for each in self._moments if each.entry.seq == order.seq - 1), None)
        return before is not None and before.type == m.PressAccepted.type

    # --- what is expected ---

    def _expectations(self) -> Iterator[dict[str, Any]]:
        for moment in self._expected():
            fields = _EXPECTED.get(moment.entry.type)
            if fields is not None:
                at_s = self._at(moment.at_s)
                expected: dict[str, Any] = {
                    "within": [round(max(0.0, at_s - TOLERANCE_S), 3), round(at_s + TOLERANCE_S, 3)],
                    "notice": moment.entry.type,
                }
                described = {name: self._field(name, moment.entry.data.get(name)) for name in fields}
                yield expected | ({"with": described} if described else {})

    def _expected(self) -> Iterator[Moment]:
        """The moments that edges can show: all, or those before the press at which a fault came."""
        burst: list[Moment] = []
        for moment in self._moments:
            entry = moment.entry
            ended = entry.type == m.BurstEnded.type
            if entry is self._fault or (ended and entry.data["cause"] == m.BurstEnd.FAULT.value):
                return
            if burst or entry.type == m.PressAccepted.type:
                burst.append(moment)
            else:
                yield moment
            if ended:
                yield from burst
                burst.clear()
        yield from burst

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


def _ordered(order: Record) -> dict[str, Any]:
    return {"do": "order"} | {key: value for key, value in order.data.items() if key != "refusal" and value is not None}


def _is_fault(entry: Record) -> bool:
    return entry.type == m.StateChanged.type and entry.data["new"] == m.State.FAULT.value


def _sentence(entry: Record) -> str:
    plain = {name: value for name, value in told(entry.data).items() if isinstance(value, (str, int, float))}
    details = ", ".join(f"{name} {value}" for name, value in plain.items() if value is not False and value != "")
    return f"{entry.type} ({details})" if details else entry.type
