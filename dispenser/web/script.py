"""A simulated launcher that somebody's script drives, and the page that shows it.

There is no machine here and no file: what the toy does becomes entries that the page knows, kept for a while in memory.
The script has the main thread, the toy lives on threads of its own, and the page's loop on another; only
:meth:`ScriptShow._hear` runs on the toy's, all else of the show on the page's.
"""

from __future__ import annotations

import asyncio
import dataclasses
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeAlias

from dispenser.journal import Entry, Journal
from dispenser.service.hub import Hub
from dispenser.toy import Happening, LauncherFactory
from dispenser.web.models import seen

if TYPE_CHECKING:
    from dispenser.service.hub import Reading
    from dispenser.service.service import Service
    from dispenser.service.settings import WebSettings
    from dispenser.toy import Toy, ToyEvent, ToyView, ToyWiring

    Showing: TypeAlias = Service | "ScriptShow"
    """What a page can show: a launcher with its own brain, or a toy that somebody's script drives."""

KEPT_ENTRIES = 2000
"""Past entries that can be asked for again; a script that blinks all week must not fill the memory."""
PAUSE_S = 0.04
"""The page is told at most every so often, seconds; of what flickers faster (PWM, a quick blink) it sees the last."""
COAST_S = 0.25
"""So long after the motor a card may still leave by itself, seconds; later a hand has taken it."""
LAST_WORDS_S = 3.0
"""How long the end of the process waits for the last entry to reach the browsers, seconds."""
LOOK_S = 0.05
SOURCE = "toy"
_FLICKERS = frozenset({Happening.MOTOR, Happening.TONE, Happening.LIGHT})
_TYPES = {
    Happening.BUTTON: ("toy.button.moved", "down"),
    Happening.CARD_IN_EXIT: ("launcher.exit.changed", "blocked"),
    Happening.CELLS: ("toy.cells.changed", "voltage_v"),
    Happening.JAM: ("toy.jam.changed", "jammed"),
    Happening.LIGHT: ("toy.light.switched", "on"),
    Happening.MOTOR: ("toy.motor.driven", "duty"),
    Happening.TONE: ("toy.tone.changed", "hz"),
}
"""The entry that says it, and the name of its value."""

Told = tuple[float, str, dict[str, Any]]
"""When, and type and data of the entry."""


class Recent(Journal):
    """A journal that forgets: it keeps the newest entries, at least ``KEPT_ENTRIES`` and at most twice as many."""

    def append(self, source: str, entries: Sequence[tuple[str, dict[str, Any]]]) -> list[Entry]:
        written = super().append(source, entries)
        if written and written[-1].seq % KEPT_ENTRIES == 0:
            with self._transaction() as db:
                db.execute("DELETE FROM entries WHERE seq <= ?", (written[-1].seq - KEPT_ENTRIES,))
        return written


class ScriptShow:
    """The toy, the script's name, and what has happened.

    Make it on the page's own loop.

    :param name: the script's, as a person knows it.
    :param wiring: which pin goes where.
    """

    def __init__(self, toy: Toy, name: str, wiring: ToyWiring) -> None:
        self.toy = toy
        self.name = name
        self.journal: Journal = Recent.open(":memory:")
        self.hub = Hub(self.journal)
        parts = {field.name: getattr(wiring, field.name) for field in dataclasses.fields(wiring)}
        self.wires = tuple(sorted((line.gpio, part) for part, line in parts.items() if line is not None))
        """BCM numbers and the parts on them, in order."""
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Told] = deque()
        self._flickers: dict[Happening, Told] = {}
        self._woken = False
        self._told_s = 0.0
        self._exit_dark_s = 0.0
        self._motor_s = 0.0
        self._motor_on = False
        self._tell("toy.script.started", {"script": name})
        toy.add_listener(self._hear)

    def snapshot(self, _language: str = "en") -> dict[str, Any]:
        """How things are now."""
        view = self.toy.view()
        return {**seen(view), "seq": self.journal.last_seq, "script": self.name, "cards_inside": _inside(view)}

    @property
    def reading(self) -> Reading:
        """Questions to the journal."""
        return self.hub.reading

    async def rest(self) -> None:
        """Nothing here waits for a motor: pins and physics have threads of their own."""

    def note(self, type_: str, data: dict[str, Any], source: str = SOURCE) -> None:
        """A hand did something: nothing to add, the toy itself tells all that comes of it."""

    def end(self, error: str | None) -> None:
        """The script is over, and so are all streams.

        :param error: what ended it, if that was an error.
        """
        self.toy.remove_listener(self._hear)
        self._take()
        self._woken = True  # nobody is to be woken any more
        self._tell("toy.script.ended", {"error": error})
        self.hub.close()

    # --- from the toy ---

    def _hear(self, event: ToyEvent) -> None:
        """The toy's listener, on whatever thread moves the toy."""
        entry = (event.time_s, *self._words(event))
        if event.happening in _FLICKERS:
            self._flickers[event.happening] = entry
        else:
            self._waiting.append(entry)
        if not self._woken:
            self._woken = True
            self._loop.call_soon_threadsafe(self._wake)

    def _words(self, event: ToyEvent) -> tuple[str, dict[str, Any]]:
        value = event.value
        match event.happening:
            case Happening.LID:
                return "launcher.lid.opened" if value else "launcher.lid.closed", {}
            case Happening.CARD_LEFT:
                return self._card(event)
            case Happening.FAULT:
                return "toy.fault.switched", {"fault": value, "on": value in self.toy.view().faults}
            case Happening.CARDS:
                return "launcher.cards.loaded", {"cards": _inside(self.toy.view())}
            case Happening.CARD_IN_EXIT if value:
                self._exit_dark_s = event.time_s
            case Happening.MOTOR:
                self._motor_s, self._motor_on = event.time_s, value != 0
        type_, key = _TYPES[event.happening]
        return type_, {key: value}

    def _card(self, event: ToyEvent) -> tuple[str, dict[str, Any]]:
        inside = _inside(self.toy.view())
        if not self._motor_on and event.time_s > self._motor_s + COAST_S:
            return "toy.card.taken", {"cards": event.value, "inside": inside}
        blocked_ms = round((event.time_s - self._exit_dark_s) * 1e3, 1)
        told = {"press": None, "number": None, "blocked_ms": blocked_ms, "suspected_double": event.value != 1}
        return "launcher.card.left", {**told, "inside": inside}

    # --- to the page ---

    def _wake(self) -> None:
        self._loop.call_later(max(0.0, self._told_s + PAUSE_S - self._loop.time()), self._take)

    def _take(self) -> None:
        self._told_s = self._loop.time()
        self._woken = False  # before looking: what comes from now on wakes us again
        entries = [self._flickers.pop(happening) for happening in _FLICKERS if happening in self._flickers]
        entries += [self._waiting.popleft() for _ in range(len(self._waiting))]
        for _, type_, data in sorted(entries, key=lambda entry: entry[0]):
            self._tell(type_, data)

    def _tell(self, type_: str, data: dict[str, Any]) -> None:
        self.hub.publish(self.journal.append(SOURCE, [(type_, data)]))


def _inside(view: ToyView) -> int:
    """Cards that have not left: one on its way, or sticking out, is still inside."""
    return view.cards_in_stack + view.cards_in_path


class ShownFactory(LauncherFactory):
    """Pins with a launcher behind them, shown on a page until gpiozero closes it at the end of the process.

    :param name: the script's.
    :param settings: of the page.
    :param wiring: which pin goes where.
    :param launcher: see :class:`LauncherFactory`.
    """

    def __init__(self, name: str, settings: WebSettings, wiring: ToyWiring, **launcher: Any) -> None:
        super().__init__(wiring, **launcher)
        self.error: str | None = None
        """What ended the script, if that was an error."""
        self._about = (self.toy, name, wiring)
        self._settings = settings
        self._address: Future[str] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="page", daemon=True)

    def show(self) -> str:
        """Serve the page.

        :returns: its address.
        :raises SettingError: for an address others can reach, without a token.
        :raises AddressUnavailableError: when the address is taken or not ours.
        """
        self._thread.start()
        return self._address.result()

    def wait_for_somebody(self, at_most_s: float, hopeful: Callable[[], bool]) -> bool:
        """Wait until a browser listens.

        :param hopeful: asked now and then whether one may still come.
        :returns: whether one does.
        """
        until_s = time.monotonic() + at_most_s
        while not len(self._shown.hub) and hopeful() and time.monotonic() < until_s:
            time.sleep(LOOK_S)
        return bool(len(self._shown.hub))

    def close(self) -> None:
        """Motor off first; then all browsers hear that the script is over."""
        super().close()
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end)
            self._thread.join(LAST_WORDS_S)

    def _end(self) -> None:
        self._shown.end(self.error)
        self._over.set()

    async def _serve(self) -> None:
        from dispenser.web.server import serve

        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._shown = ScriptShow(*self._about)
        serving = asyncio.create_task(serve(self._shown, self._settings, ready=self._address.set_result))
        over = asyncio.create_task(self._over.wait())
        await asyncio.wait([serving, over], return_when=asyncio.FIRST_COMPLETED)
        for task in (serving, over):
            task.cancel()
        await asyncio.wait([serving, over])
        self._shown.journal.close()
        if not self._address.done() and (error := serving.exception()):
            self._address.set_exception(error)
