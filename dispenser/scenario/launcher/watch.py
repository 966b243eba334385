"""Eyes and ears on the stage: everything that can be seen there goes to the timeline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from dispenser.journal import Entry
from dispenser.scenario.launcher.computer import Computer
from dispenser.scenario.launcher.pins import StageFactory, StagePin
from dispenser.scenario.launcher.timeline import Moment, Timeline
from dispenser.service.answers import JournalUnavailableError
from dispenser.service.hub import Hub
from dispenser.toy import Happening, Line, Toy, ToyEvent

LINES = ("button", "lid", "exit")
_LOGS = ("dispenser", "asyncio")
_SHOWN = {"motor", "lid", "exit", "light", "beeper", "service"}


class ListenerMistakeError(Exception):
    """Raised on purpose by the scenario's bad listener."""


class Watch:
    """Watches one stage.

    :param wires: how each input line is at first: button down, lid open, exit blocked.
    :param raw_lines: lines that recorded edges move; there the line is all there is to see of a lid.
    """

    def __init__(
        self,
        toy: Toy,
        computer: Computer,
        *,
        wires: dict[str, bool],
        raw_lines: frozenset[str],
        button: Callable[..., None],
    ) -> None:
        self.timeline = Timeline()
        self.told: list[Entry] = []
        self.mishaps: list[tuple[str, float]] = []
        """What went wrong that should not have, and when."""
        self._loop = asyncio.get_running_loop()
        self._toy = toy
        self._computer = computer
        self._wires = wires
        self._raw_lines = raw_lines
        self._button = button
        self._hub: Hub | None = None
        self._news: asyncio.Future[None] | None = None
        self._ear = _LogEar(self._mishap)
        self.observe()
        toy.add_listener(self._toy_did)
        for name in _LOGS:
            logging.getLogger(name).addHandler(self._ear)
        self.take_over_errors()

    def listen_to_wires(self, lines: dict[str, Line], pins: StageFactory) -> None:
        """From now on every edge is seen."""
        for name, line in lines.items():
            pin: StagePin = pins.pin(line.gpio)
            pin.on_wire = partial(self._wire_moved, name, line.active_high)

    def close(self) -> None:
        for name in _LOGS:
            logging.getLogger(name).removeHandler(self._ear)

    # --- seeing ---

    def note(self, moment: Moment) -> None:
        self.timeline.add(moment)

    def note_now(self, words: str) -> None:
        """Something that was done on the stage."""
        self.note(Moment(self._loop.time(), "step", words))

    def observe(self) -> None:
        """Look at everything; whatever has changed goes to the timeline."""
        now = self._loop.time()
        self._listen()
        values = self._values()
        for name in self.timeline.observe(now, values):
            if name in _SHOWN:
                self.note(Moment(now, "change", f"{name} {values[name]}", name))

    def _values(self) -> dict[str, Any]:
        view, service = self._toy.view(), self._computer.service
        lid_open = self._wires["lid"] if "lid" in self._raw_lines else view.lid_open
        values = {
            "motor": "forward" if view.motor_commanded > 0 else "backward" if view.motor_commanded else "off",
            "lid": "open" if lid_open else "shut",
            "lid_contact": "open" if self._wires["lid"] else "shut",
            "exit": "blocked" if self._wires["exit"] else "free",
            "light": "on" if view.light_on else "off",
            "beeper": "on" if view.tone_hz else "off",
            "service": self._computer.service_is,
            "cards_out": view.cards_out,
            "cards_in_stack": view.cards_in_stack,
            "cards_in_path": view.cards_in_path,
        }
        known = service.snapshot() if service is not None else {"state": "off"}
        return values | {name: known.get(name) for name in ("state", "cards_inside", "presses", "dud_streak")}

    def _wire_moved(self, name: str, active_high: bool, level: bool) -> None:
        self._wires[name] = level == active_high
        self.observe()

    def _toy_did(self, event: ToyEvent) -> None:
        if event.happening is Happening.BUTTON:
            down = bool(event.value)
            self.note(Moment(self._loop.time(), "change", f"button {'down' if down else 'up'}", "button"))
            self._button(down=down)
        self.observe()

    # --- hearing ---

    def _listen(self) -> None:
        """Hear the notices of the service that runs, from its first one on."""
        service = self._computer.service
        try:
            if service is None or service.hub is self._hub:
                return
        except JournalUnavailableError:
            return
        self._hub = service.hub
        for entry in service.journal.read(after=self.told[-1].seq if self.told else 0):
            self._hear(entry)  # its first entries were written before anybody could listen
        self._hub.on("", self._hear_if_it_lives(self._hub))

    def forget_service(self) -> None:
        """It was killed: whatever is left of it is not heard any more."""
        self._hub = None

    def _hear_if_it_lives(self, hub: Hub) -> Callable[[Entry], None]:
        return lambda entry: self._hear(entry) if hub is self._hub else None

    def _hear(self, entry: Entry) -> None:
        self.told.append(entry)
        details = " ".join(f"{key}={value}" for key, value in entry.data.items() if value is not None)
        self.note(Moment(self._loop.time(), "notice", f"{entry.type} {details}".strip(), entry.type, entry.data))
        self._wake()

    def hear_answer(self, words: str, answer: str) -> None:
        """Somebody's request was answered."""
        self.note(Moment(self._loop.time(), "answer", f"{words}: {answer}", "", {"answer": answer}))

    async def next_notice(self, deadline_s: float) -> None:
        """Return at the next notice, at ``deadline_s`` at the latest."""
        self._news = self._loop.create_future()
        timer = self._loop.call_at(deadline_s, self._wake)
        try:
            await self._news
        finally:
            timer.cancel()
            self._news = None

    def _wake(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    # --- mishaps ---

    def take_over_errors(self) -> None:
        """Hear of errors that nobody on the loop has caught; a service that runs hears of them first."""
        self._loop.set_exception_handler(lambda _, context: self._mishap(context["message"], context.get("exception")))

    def _mishap(self, what: str, error: BaseException | None) -> None:
        if not isinstance(error, ListenerMistakeError):
            words = f"{what.splitlines()[0]} ({type(error).__name__}: {error})" if error else what
            self.mishaps.append((words, self._loop.time()))


class _LogEar(logging.Handler):
    """Hears errors that the service has logged with a traceback: they are its own mistakes."""

    def __init__(self, mishap: Callable[[str, BaseException | None], None]) -> None:
        super().__init__(logging.ERROR)
        self._mishap = mishap

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self._mishap(record.getMessage(), record.exc_info[1])
