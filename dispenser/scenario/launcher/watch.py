"""Eyes and ears on the stage: everything that can be seen there goes to the timeline."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, get_args

from dispenser.journal import Record, told
from dispenser.scenario.launcher.computer import Computer, ListenerMistakeError
from dispenser.scenario.launcher.pins import StageFactory, StagePin
from dispenser.scenario.launcher.process import StageLoop
from dispenser.scenario.launcher.setup import LineName
from dispenser.scenario.launcher.timeline import Timeline
from dispenser.service.event_bus import EventBus
from dispenser.service.requests import NoSessionError
from dispenser.simulator import Toy, ToyWiring

_LOGS = ("dispenser", "asyncio")
_LONG = {"settings", "said"}
_SHOWN = {"motor", "lid", "exit", "light", "beeper", "service"}


class Watch(logging.Handler):
    """Watches one stage: looks each time before time passes, hears every notice, and what is logged as a mistake.

    :param raw_lines: lines that recorded edges move; there the line is all there is to see of a lid.
    :ivar mishaps: what went wrong that should not have, and when.
    """

    def __init__(
        self,
        loop: StageLoop,
        timeline: Timeline,
        computer: Computer,
        *,
        toy: Toy,
        wiring: ToyWiring,
        pins: StageFactory,
        raw_lines: frozenset[str],
    ) -> None:
        super().__init__(logging.ERROR)
        self.told: list[Record] = []
        self.mishaps: list[tuple[str, float]] = []
        self._loop = loop
        self._timeline = timeline
        self._computer = computer
        self._toy = toy
        self._raw_lines = raw_lines
        self._wires: dict[str, tuple[StagePin, bool]] = {
            name: (pins.pin(line.gpio), line.active_high)
            for name in get_args(LineName)
            if (line := getattr(wiring, name)) is not None
        }
        self._event_bus: EventBus | None = None
        self._news = asyncio.Event()
        for name in _LOGS:
            logging.getLogger(name).addHandler(self)

    def close(self) -> None:
        """Look and hear no more."""
        self._event_bus = None
        for name in _LOGS:
            logging.getLogger(name).removeHandler(self)
        super().close()

    def emit(self, record: logging.LogRecord) -> None:
        """What is logged with a traceback is a mistake of the service; what asyncio logs is one of ours."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, ListenerMistakeError) or (error is None and record.name != "asyncio"):
            return
        what = record.getMessage()
        words = f"{what.splitlines()[0]} ({type(error).__name__}: {error})" if error else what
        self.mishaps.append((words, self._loop.time()))

    # --- seeing ---

    def look(self) -> None:
        """Look at everything; whatever has changed goes to the timeline."""
        self._listen()
        self._see()

    def _see(self) -> None:
        now_s, values = self._loop.time(), self._values()
        for name in self._timeline.observe(now_s, values):
            if name in _SHOWN:
                self._timeline.note(now_s, "change", f"{name} {values[name]}", name)

    def _values(self) -> dict[str, Any]:
        view, service = self._toy.view(), self._computer.service
        active = {name: pin.outside == active_high for name, (pin, active_high) in self._wires.items()}
        lid_open = active["lid"] if "lid" in self._raw_lines else view.lid_open
        known = service.snapshot() if service is not None else {"state": "off"}
        return {
            "motor": "forward" if view.motor_commanded > 0 else "backward" if view.motor_commanded else "off",
            "lid": "open" if lid_open else "shut",
            "lid_contact": "open" if active["lid"] else "shut",
            "exit": "blocked" if active.get("exit") else "free",
            "light": "on" if view.light_on else "off",
            "beeper": "on" if view.tone_hz else "off",
            "service": self._computer.service_is,
            **{name: getattr(view, name) for name in ("cards_out", "cards_in_stack", "cards_in_path")},
            **{name: known.get(name) for name in ("state", "cards_inside", "presses", "dud_streak")},
        }

    # --- hearing ---

    def _listen(self) -> None:
        """Hear the notices of the service that runs, from its first one on."""
        service = self._computer.service
        try:
            if service is None or service.event_bus is self._event_bus:
                return
        except NoSessionError:
            return
        self._event_bus = event_bus = service.event_bus
        for entry in service.journal.read(after=self.told[-1].seq if self.told else 0):
            self._hear(entry)  # its first entries were written before anybody could listen

        def hear(entry: Record) -> None:
            if event_bus is self._event_bus:
                self._see()  # what led to it comes first
                self._hear(entry)

        event_bus.on("", hear)

    def _hear(self, entry: Record) -> None:
        self.told.append(entry)
        data = told(entry.data)
        shown = {key: value for key, value in data.items() if value is not None and key not in _LONG}
        details = " ".join(f"{key}={value}" for key, value in shown.items())
        self._timeline.note(self._loop.time(), "notice", f"{entry.type} {details}".strip(), entry.type, data)
        self._news.set()

    async def next_notice(self, deadline_s: float) -> None:
        """Return at the next notice, at ``deadline_s`` at the latest."""
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(deadline_s):
                await self._news.wait()
