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
from dispenser.drivers.pins.post import Look, Opened, Reread, Seen, Setup, as_told, pack, unpack
from dispenser.language import Text
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
TRIES = 2
"""For a process that ends before it has claimed its pins."""
MOST_AT_ONCE = 64
"""Packets that are taken in one go; whoever floods must not hold up the loop."""
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
        self.about = ""
        self._setup = setup
        self._launch = launch
        self._scheduler = scheduler
        self._link: Link | None = None
        self._is_open = False
        """The process has its pins. Until then nothing is asked of it, and its end is no failure of theirs."""
        self._open_until_s = 0.0
        self._why_not = ""
        self._failed = False
        self._untaken = 0
        self._answers: deque[Opened | Seen] = deque()
        self._light = Light(on=False)

    # --- life ---

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:
        """Start the process and wait until it has claimed the pins; from now on events go to ``sink``."""
        self._sink = sink
        self._record_edge = record_edge
        for _ in range(TRIES):
            try:
                link = self._begin()
            except OSError as error:
                self._end()
                raise PinsUnavailableError(
                    Text("the process that holds the pins cannot be started: {error}").filled(error=error)
                ) from error
            opened = self._await(Opened, OPEN_S)
            if opened is not None and not opened.trouble:
                self._is_open = True
                link.listen(self._take_all)
                return
            ended = self._link is None
            self._end(at_once=opened is None)
            if not ended:
                raise PinsUnavailableError(
                    as_told(opened.trouble)
                    if opened
                    else Text("the process that holds the pins has not answered in {seconds:g} s").filled(
                        seconds=OPEN_S
                    )
                )
        raise PinsUnavailableError(
            Text("the process that holds the pins ends as soon as it begins; its last words are above")
        )

    def _begin(self) -> Link:
        """A fresh process, that knows which pins to claim.

        :raises OSError: there is none to be had, or it has ended already.
        """
        self._untaken = 0
        self._is_open = False
        link = self._link = self._launch()
        link.send(pack(self._setup))
        return link

    def _begin_again(self) -> None:
        """Nobody waits for it: it tells when it has the pins."""
        try:
            link = self._begin()
        except OSError as error:
            self._end()
            self._say_why_not(f"the process that holds the pins cannot be started: {error}")
        else:
            self._open_until_s = self._scheduler.time() + OPEN_S
            link.listen(self._take_all)

    def _opened_again(self, opened: Opened) -> None:
        if opened.trouble:
            self._end()
            self._say_why_not(as_told(opened.trouble).en)
            return
        self._is_open, self._why_not = True, ""
        self._send(self._light)
        if self._link is not None:
            self._failed = False
            self._sink(DriverRecovered())

    def _say_why_not(self, why: str) -> None:
        if why != self._why_not:
            _log.error("%s", why)
        self._why_not = why

    def close(self) -> None:
        """Motor off, beeper and light off, pins released. May be called twice."""
        self._end()

    def _end(self, *, at_once: bool = False) -> str:
        """Let go of the process; what was in the way of turning the motor off, if anything was."""
        link, self._link, self._is_open = self._link, None, False
        trouble = link.close(at_once=at_once) if link is not None else ""
        if trouble:
            _log.critical("%s", trouble)
        return trouble

    # --- what it tells ---

    def _take_all(self) -> None:
        for _ in range(MOST_AT_ONCE):
            if self._link is None or (packet := self._link.receive(0.0)) is None:
                return
            self._take(packet)

    def _take(self, packet: bytes) -> None:
        if not packet and self._is_open:
            self._fail("The process that holds the pins has ended")
        elif not packet:
            self._end(at_once=True)
        else:
            self._take_message(packet)

    def _take_message(self, packet: bytes) -> None:
        try:
            message = unpack(packet)
        except ValueError as error:
            self._fail(f"The process that holds the pins is of another version ({error})")
            return
        match message:
            case Opened() if self._failed:
                self._opened_again(message)
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
        motor = self._end(at_once=True) or "The motor is off"
        if not self._failed:
            self._failed = True
            self._sink(DriverFailed(f"{what}. {motor}. A new one is started. Look at the launcher, then reset."))

    # --- what it is asked ---

    def _send(self, message: object) -> None:
        if self._link is None or not self._is_open:
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
        seen = self._await(Seen, LOOK_S) if self._is_open else None
        if seen is None or seen.levels is None:
            raise DriverError(
                as_told(seen.trouble) if seen else Text("the process that holds the pins does not tell their levels")
            )
        return seen.levels

    def reread(self) -> None:
        """Read the levels again; start a new process for one that is hung or gone."""
        if self._link is None:
            self._begin_again()
        elif not self._is_open:
            if self._scheduler.time() >= self._open_until_s:
                self._end(at_once=True)
                self._say_why_not(f"the process that holds the pins has not answered in {OPEN_S:g} s")
        elif self._is_hung(self._link):
            self._fail("The process that holds the pins is hung")
        else:
            self._send(Reread())

    def _is_hung(self, link: Link) -> bool:
        self._untaken = 0 if link.takes_packets() else self._untaken + 1
        return self._untaken >= MOST_UNTAKEN

    def feed(self, command: Feed) -> None:
        """Run the motor until the cards are out; ends with one ``FeedEnded``, or a failure."""
        self._send(command)

    def retract(self, command: Retract) -> None:
        """Run the motor backward for a moment; ends with one ``RetractEnded``, or a failure."""
        self._send(command)

    def stop(self) -> None:
        """Motor off. From any thread: that nobody takes it is found by whoever reads."""
        link = self._link
        if link is not None and self._is_open:
            with suppress(OSError):
                link.send(pack(Stop()))

    def play(self, chime: Chime) -> None:
        self._send(Play(chime))

    def light(self, on: bool) -> None:
        self._light = Light(on=on)
        self._send(self._light)
