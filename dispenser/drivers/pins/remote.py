"""The driver as the service sees it when the pins are held by a process of their own (``host``)."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from dispenser.drivers.base import (
    Capabilities,
    DriverError,
    Edge,
    Levels,
    PinsUnavailableError,
    Scheduler,
    Sink,
)
from dispenser.drivers.pins.post import Look, Opened, Reread, Seen, Setup, pack, unpack
from dispenser.launcher.messages import (
    Chime,
    DriverFailed,
    DriverRecovered,
    Feed,
    Light,
    Play,
    Retract,
    Stop,
)

_log = logging.getLogger(__name__)

OPEN_S = 30.0
"""How long a fresh process may take to claim its pins: a Pi Zero needs some seconds for Python alone (assumed)."""
LOOK_S = 1.0
"""How long it may take to tell the levels before it counts as hung."""
MOST_UNTAKEN = 2
"""Seconds, about, for which it may leave a packet untaken before it counts as hung."""
_Answer = TypeVar("_Answer", Opened, Seen)


class Link(Protocol):
    """A process that holds the pins, and the connection to it; ``process.PinsProcess`` is one."""

    def send(self, packet: bytes) -> None:
        """:raises OSError: nobody is there, or it takes nothing."""
        ...

    def receive(self, timeout_s: float) -> bytes | None:
        """The next packet; empty once the process has gone; ``None`` when none has come in time."""
        ...

    def takes_packets(self) -> bool:
        """Whether it has taken all that was sent."""
        ...

    def listen(self, readable: Callable[[], None]) -> None:
        """Call back, on the loop's thread, whenever ``receive`` may have something."""
        ...

    def close(self, *, at_once: bool = False) -> str:
        """End it: motor off, pins released. Says what was in the way of that, if anything was. May be called twice.

        :param at_once: it is hung, so nobody waits for it.
        """
        ...


class RemoteDriver:
    """One launcher on pins that another process holds; keeps the promises of ``drivers.base``.

    A process that is hung or has gone is a failure; a new one takes its place when the levels are read again.

    :param launch: starts such a process. Raises ``OSError`` when it cannot.
    """

    def __init__(self, setup: Setup, launch: Callable[[], Link], scheduler: Scheduler) -> None:
        wiring = setup.wiring
        self.capabilities = Capabilities(exit_sensor=wiring.exit is not None, retract=wiring.motor_backward is not None)
        self._setup = setup
        self._launch = launch
        self._scheduler = scheduler
        self._link: Link | None = None
        self._failed = False
        self._untaken = 0
        self._answers: deque[Opened | Seen] = deque()
        self._light = Light(on=False)

    # --- life ---

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:
        """Start the process and wait until it has claimed the pins; from now on events go to ``sink``."""
        self._sink = sink
        self._record_edge = record_edge
        self._begin()

    def _begin(self) -> None:
        """:raises PinsUnavailableError: no process, or no pins; says what to do."""
        try:
            link = self._link = self._launch()
            link.send(pack(self._setup))
        except OSError as error:
            self._end()
            raise PinsUnavailableError(f"the process that holds the pins cannot be started: {error}") from error
        opened = self._await(Opened, OPEN_S)
        if opened is None or opened.trouble:
            trouble = opened.trouble if opened else f"the process that holds the pins has not answered in {OPEN_S:g} s"
            self._end()
            raise PinsUnavailableError(trouble)
        self._untaken = 0
        link.listen(self._take_all)

    def close(self) -> None:
        """Motor off, beeper and light off, pins released. May be called twice."""
        self._end()

    def _end(self, *, at_once: bool = False) -> None:
        link, self._link = self._link, None
        if link is not None and (trouble := link.close(at_once=at_once)):
            _log.critical("%s", trouble)

    # --- what it tells ---

    def _take_all(self) -> None:
        while self._link is not None and (packet := self._link.receive(0.0)) is not None:
            self._take(packet)

    def _take(self, packet: bytes) -> None:
        if not packet:
            self._fail("The process that holds the pins has ended")
            return
        try:
            message = unpack(packet)
        except ValueError as error:
            self._fail(f"The process that holds the pins is of another version ({error})")
            return
        match message:
            case Opened() | Seen():
                self._answers.append(message)
            case Edge():
                if self._record_edge is not None:
                    self._record_edge(message)
            case _:
                self._sink(message)

    def _await(self, kind: type[_Answer], timeout_s: float) -> _Answer | None:
        """The answer to what was just asked; what is told before it is taken as ever."""
        self._answers.clear()
        until_s = self._scheduler.time() + timeout_s
        while self._link is not None:
            packet = self._link.receive(max(0.0, until_s - self._scheduler.time()))
            if packet is None:
                return None
            self._take(packet)
            if self._answers and isinstance(answer := self._answers.popleft(), kind):
                return answer
        return None

    def _fail(self, what: str) -> None:
        """It is hung or gone, and so is what it knew: end it for good, which turns the motor off."""
        self._end(at_once=True)
        if not self._failed:
            self._failed = True
            self._sink(
                DriverFailed(f"{what}. The motor is off, and a new one is started. Look at the launcher, then reset.")
            )

    # --- what it is asked ---

    def _send(self, message: object) -> None:
        if self._link is None:
            return  # told already
        try:
            self._link.send(pack(message))
        except OSError as error:
            self._fail(f"The process that holds the pins takes no more commands ({error})")

    def levels(self) -> Levels:
        """Levels that have lasted.

        :raises DriverError: they cannot be read.
        """
        self._send(Look())
        seen = self._await(Seen, LOOK_S)
        if seen is None or seen.levels is None:
            raise DriverError(seen.trouble if seen else "the process that holds the pins does not tell their levels")
        return seen.levels

    def reread(self) -> None:
        """Read the levels again; start a new process for one that is hung or gone."""
        if self._link is None:
            self._begin_again()
            return
        self._untaken = 0 if self._link.takes_packets() else self._untaken + 1
        if self._untaken >= MOST_UNTAKEN:
            self._fail("The process that holds the pins is hung")
        else:
            self._send(Reread())

    def _begin_again(self) -> None:
        with suppress(PinsUnavailableError):  # the failure has been told; it goes on
            self._begin()
            self._send(self._light)
            self._failed = False
            self._sink(DriverRecovered())

    def feed(self, command: Feed) -> None:
        """Run the motor until the cards are out; ends with one ``FeedEnded``, or a failure."""
        self._send(command)

    def retract(self, command: Retract) -> None:
        """Run the motor backward for a moment; ends with one ``RetractEnded``, or a failure."""
        self._send(command)

    def stop(self) -> None:
        """Motor off."""
        self._send(Stop())

    def play(self, chime: Chime) -> None:
        self._send(Play(chime))

    def light(self, on: bool) -> None:
        self._light = Light(on=on)
        self._send(self._light)
