"""The launcher of a scenario: the real service with the real driver and journal, on a simulated launcher.

Only time, the physics and the odds are the scenario's. All that can be seen of it goes to a timeline.
"""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import count
from typing import Any, ClassVar, get_args

from dispenser.clocks.virtual import VirtualLoop
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.i18n import Text
from dispenser.journal import Journal, JournalError, Record, told
from dispenser.launcher.commands import Command
from dispenser.scenario.launcher.setup import LineName, PlannedOdds, Setup
from dispenser.scenario.launcher.timeline import Timeline
from dispenser.service.assembly import IN_MEMORY, named_seed, service_on, toy_seed, toy_wiring
from dispenser.service.requests import ServiceError
from dispenser.service.service import Service
from dispenser.simulator import Happening, Toy, ToyEvent, ToyFactory

_SHOWN = {"motor", "lid", "exit", "light", "beeper", "service"}
_LONG_FIELDS = {"settings", "said"}


class SimulatedLauncher:
    """One launcher on the virtual loop that is running.

    :param raw_lines: input lines that the file's edges move, and not the simulated launcher.
    :ivar service: the service that can be asked for something now.
    :ivar new_event: set whenever a notice came.
    """

    pin_factory: ClassVar[type[ToyFactory]] = ToyFactory
    toy_class: ClassVar[type[Toy]] = Toy
    loop: VirtualLoop

    def __init__(self, setup: Setup, raw_lines: frozenset[str], seed: str) -> None:
        self.setup = setup
        self.timeline = Timeline()
        self.pins = self.pin_factory()
        self.service: Service | None = None
        self.service_is = "stopped"
        self.new_event = asyncio.Event()
        self._raw_lines = raw_lines
        self._seed = seed
        self._draws = count(1)
        self._requests: set[asyncio.Task[None]] = set()

    def set_up(self) -> None:
        """Make the simulated launcher, on the loop that runs."""
        setup, wiring = self.setup, toy_wiring(self.setup.settings)
        cards, world, seed = setup.cards_at_first, self.loop.world, toy_seed(self._seed)
        self.toy = self.toy_class(setup.toy, wiring, self.pins, world, seed, cards=cards, lid_open=setup.begun["lid"])
        for name in self._raw_lines:
            self.toy.hands_off(name)
            self.toy.drive_line(name, setup.begun[name])
        wires = {name: getattr(wiring, name) for name in get_args(LineName)}
        self._wires = {name: (self.pins.pin(wire.gpio), wire.active_high) for name, wire in wires.items() if wire}
        self.toy.add_listener(self.toy_changed)
        self.loop.on_idle = self.observe
        self.observe()

    def start_service(self) -> None:
        self.service = self.new_service(self.loop, self.setup.cards_at_first)
        self.service.start()
        self.service_is = "running"
        self.listen()

    def new_service(self, loop: Any, cards: int | None) -> Service:
        """A service on the pins, not started yet.

        :param loop: the driver's event loop and clock.
        :param cards: that it is told are inside; ``None``: the journal knows.
        """
        settings, plan = self.setup.settings, self.setup.plan
        return service_on(
            settings,
            GpioDriver(settings.pins, self.pins, loop, timing=settings.timing, clock=loop),
            self.open_journal,
            partial(named_seed, self._seed),
            toy=self.toy,
            cards_inside=cards,
            make_odds=(lambda _: PlannedOdds(plan, self._draws, settings.launcher)) if plan else None,
        )

    def open_journal(self) -> Journal:
        """The journal of a new service."""
        return Journal.open(IN_MEMORY)

    def running(self) -> Service:
        """:raises ServiceError: none is running."""
        if self.service is None:
            raise ServiceError(Text("no service is running"))
        return self.service

    async def stop_service(self) -> None:
        """Stop it as SIGTERM does, if one runs."""
        service, self.service = self.service, None
        if service is not None:
            await service.stop()
            self.service_is = "stopped"

    def ask(self, words: str, command: Command, source: str = "api") -> None:
        """Give the service a command and note the answer when it comes."""
        task = self.loop.create_task(self._ask(words, command, source))
        self._requests.add(task)
        task.add_done_callback(self._requests.discard)

    async def _ask(self, words: str, command: Command, source: str) -> None:
        try:
            answer = (await self.handle(command, source)).type
        except (ServiceError, JournalError, ValueError) as error:
            answer = str(error)
        self.note_answer(words, answer)

    async def handle(self, command: Command, source: str) -> Record:
        return await self.running().handle(command, source)

    def note_answer(self, words: str, answer: str) -> None:
        self.timeline.note(self.loop.time(), "answer", f"{words}: {answer}", data={"answer": answer})

    async def close(self) -> None:
        """Stop the service, and what still waits for an answer."""
        self.observe()
        self.timeline.end_s = self.loop.time()
        await self.stop_service()
        for task in self._requests:
            task.cancel()

    # --- what is seen ---

    def observe(self) -> None:
        """Record on the timeline what has changed."""
        now_s, values = self.loop.time(), self.values()
        for name in self.timeline.observe(now_s, values):
            if name in _SHOWN:
                self.timeline.note(now_s, "change", f"{name} {values[name]}", name)

    def values(self) -> dict[str, Any]:
        """All that conditions can name, now."""
        view = self.toy.view()
        lid_open = self.active("lid") if "lid" in self._raw_lines else view.lid_open
        known = self.service.snapshot() if self.service is not None else {"state": "off"}
        return {
            "motor": "forward" if view.motor_commanded > 0 else "backward" if view.motor_commanded else "off",
            "lid": "open" if lid_open else "shut",
            "exit": "blocked" if self.active("exit") else "free",
            "light": "on" if view.light_on else "off",
            "beeper": "on" if view.tone_hz else "off",
            "service": self.service_is,
            **{name: getattr(view, name) for name in ("cards_out", "cards_in_stack", "cards_in_path")},
            **{name: known.get(name) for name in ("state", "cards_inside", "presses", "dud_streak")},
        }

    def active(self, line: str) -> bool:
        """What an input line says: button down, lid open, exit blocked."""
        pin, active_high = self._wires.get(line, (None, True))
        return pin is not None and pin.outside == active_high

    def toy_changed(self, event: ToyEvent) -> None:
        if event.happening is Happening.BUTTON:
            self.timeline.note(event.time_s, "change", f"button {'down' if event.value else 'up'}", "button")

    def listen(self, after: int = 0) -> None:
        """Hear the notices of the service that runs, from its first one on."""
        service = self.running()
        for entry in service.journal.read(after=after):
            self.hear(entry)  # its first entries were written before anybody could listen
        service.event_bus.on("", self._on_event)

    def _on_event(self, entry: Record) -> None:
        self.observe()  # what led to it comes first
        self.hear(entry)

    def hear(self, entry: Record) -> None:
        data = told(entry.data)
        shown = {key: value for key, value in data.items() if value is not None and key not in _LONG_FIELDS}
        details = " ".join(f"{key}={value}" for key, value in shown.items())
        self.timeline.note(self.loop.time(), "notice", f"{entry.type} {details}".strip(), entry.type, data)
        self.new_event.set()
