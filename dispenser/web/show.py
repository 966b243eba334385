"""Turn the events of a simulated launcher that a script drives into records for its page.

There is no state machine and no file: events of the simulator become records in memory, the newest of which are kept.
Only :meth:`ScriptShow._on_simulator_event` runs on the simulator's threads, everything else on the page's event loop.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from dispenser.journal import Batch, Journal, JournalReader, Record
from dispenser.service.event_bus import EventBus
from dispenser.simulator.view import Happening
from dispenser.web.models import seen

if TYPE_CHECKING:
    from dispenser.service.service import Service
    from dispenser.simulator import Simulator, SimulatorEvent, SimulatorView, SimulatorWiring

    Showing: TypeAlias = Service | "ScriptShow"
    """What a page can show: a launcher service, or a simulated launcher that a script drives."""

_T = TypeVar("_T")
KEPT_RECORDS = 2000  # Records kept for replay; limited, as a script that blinks for a week must not fill the memory
PAUSE_S = 0.04
"""Minimum time between two publications, seconds; of faster changes (PWM, blinking) only the last is published."""
COAST_S = 0.25  # Seconds after the motor stops in which a card may still leave by itself; later it was taken by hand
SOURCE = "simulator"
_FLICKERS = frozenset({Happening.MOTOR, Happening.TONE, Happening.LIGHT})
_TYPES = {
    Happening.BUTTON: ("simulator.button.moved", "down"),
    Happening.CARD_IN_EXIT: ("launcher.exit.changed", "blocked"),
    Happening.CELLS: ("simulator.cells.changed", "voltage_v"),
    Happening.JAM: ("simulator.jam.changed", "jammed"),
    Happening.LIGHT: ("simulator.light.switched", "on"),
    Happening.MOTOR: ("simulator.motor.driven", "duty"),
    Happening.TONE: ("simulator.tone.changed", "hz"),
}
"""By what happened: record type, and the key of its value."""

Told = tuple[float, str, dict[str, Any]]  # Time, and type and data of the record


class Recent(Journal):
    """An in-memory journal that keeps the newest ``KEPT_RECORDS`` to twice as many records."""

    def append_batches(self, *batches: Batch) -> list[Record]:
        written = super().append_batches(*batches)
        if written and written[-1].seq % KEPT_RECORDS == 0:
            with self._transaction() as db:
                db.execute("DELETE FROM records WHERE seq <= ?", (written[-1].seq - KEPT_RECORDS,))
        return written


class ScriptShow:
    """The launcher and the records of one script. To be created on the page's event loop."""

    power = None  # a simulated launcher does not switch the computer off

    def __init__(self, simulator: Simulator, name: str, wiring: SimulatorWiring) -> None:
        self.simulator = simulator
        self.name = name
        self.journal: Journal = Recent.open(":memory:")
        self.event_bus = EventBus(self.journal)
        parts = {field.name: getattr(wiring, field.name) for field in dataclasses.fields(wiring)}
        self.wires = tuple(sorted((line.gpio, part) for part, line in parts.items() if line is not None))
        """BCM numbers and the parts connected to them, sorted."""
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Told] = deque()
        self._flickers: dict[Happening, Told] = {}
        self._woken = False
        self._published_s = 0.0
        self._exit_dark_s = 0.0
        self._motor_s = 0.0
        self._motor_on = False
        self._publish("simulator.script.started", {"script": name})
        simulator.add_listener(self._on_simulator_event)

    def snapshot(self, _language: str = "en") -> dict[str, Any]:
        """Return the current state, as ``ScriptNow``."""
        view = self.simulator.view()
        return {**seen(view), "seq": self.journal.last_seq, "script": self.name, "cards_inside": _inside(view)}

    async def ask_journal(self, question: Callable[[JournalReader], _T]) -> _T:
        return await self.event_bus.ask_journal(question)

    def disk_waiter(self) -> Callable[[], Awaitable[None]]:
        """Return a callable that does not wait: nothing is stored on disk."""
        return partial(asyncio.sleep, 0)

    def note(self, type_: str, data: dict[str, Any], source: str = SOURCE) -> None:
        """Ignore a command's record: the simulator reports its effects as events."""

    def end(self, error: str | None) -> None:
        """Record the end of the script, with its error if any, and close all streams."""
        self._take()
        self._woken = True  # prevents further calls of _wake
        self._publish("simulator.script.ended", {"error": error})
        self.event_bus.close()

    # --- from the simulator ---

    def _on_simulator_event(self, event: SimulatorEvent) -> None:
        """Handle an event of the simulator, on the thread that caused it."""
        record = (event.time_s, *self._words(event))
        if event.happening in _FLICKERS:
            self._flickers[event.happening] = record
        else:
            self._waiting.append(record)
        if not self._woken:
            self._woken = True
            self._loop.call_soon_threadsafe(self._wake)

    def _words(self, event: SimulatorEvent) -> tuple[str, dict[str, Any]]:
        value = event.value
        match event.happening:
            case Happening.LID:
                return "launcher.lid.opened" if value else "launcher.lid.closed", {}
            case Happening.CARD_LEFT:
                return self._card(event)
            case Happening.FAULT:
                return "simulator.fault.switched", {"fault": value, "on": value in self.simulator.view().faults}
            case Happening.CARDS:
                return "launcher.cards.loaded", {"cards": _inside(self.simulator.view())}
            case Happening.CARD_IN_EXIT if value:
                self._exit_dark_s = event.time_s
            case Happening.MOTOR:
                self._motor_s, self._motor_on = event.time_s, value != 0
        type_, key = _TYPES[event.happening]
        return type_, {key: value}

    def _card(self, event: SimulatorEvent) -> tuple[str, dict[str, Any]]:
        inside = _inside(self.simulator.view())
        if not self._motor_on and event.time_s > self._motor_s + COAST_S:
            return "simulator.card.taken", {"cards": event.value, "inside": inside}
        blocked_ms = round((event.time_s - self._exit_dark_s) * 1e3, 1)
        data = {"press": None, "number": None, "blocked_ms": blocked_ms, "suspected_double": event.value != 1}
        return "launcher.card.left", {**data, "inside": inside}

    # --- to the page ---

    def _wake(self) -> None:
        self._loop.call_later(max(0.0, self._published_s + PAUSE_S - self._loop.time()), self._take)

    def _take(self) -> None:
        self._published_s = self._loop.time()
        self._woken = False  # reset first: events from now on wake again
        records = [self._flickers.pop(happening) for happening in _FLICKERS if happening in self._flickers]
        records += [self._waiting.popleft() for _ in range(len(self._waiting))]
        for _, type_, data in sorted(records, key=lambda record: record[0]):
            self._publish(type_, data)

    def _publish(self, type_: str, data: dict[str, Any]) -> None:
        self.event_bus.publish(self.journal.append(SOURCE, [(type_, data)]))


def _inside(view: SimulatorView) -> int:
    """Return the cards inside, including one in the path or sticking out."""
    return view.cards_in_stack + view.cards_in_path
