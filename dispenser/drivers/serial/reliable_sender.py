"""Stop-and-wait sender: one command at a time, repeated until it is acknowledged."""

from __future__ import annotations

from collections.abc import Callable

from dispenser.drivers.base import Alarm, Scheduler
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame

ACK_TIMEOUT_S = 0.06  # An answer takes 2 ms on the wire; USB adapters buffer it for up to 16 ms more; the rest: margin


class ReliableSender:
    """Sends one command at a time and queues one of each kind: a newer one replaces the older.

    :param send: writes a frame to the line.
    :param answered: called with each command and its result.
    :ivar sent: the command that awaits its ACK.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        send: Callable[[Frame], None],
        answered: Callable[[wire.Message, wire.Result], None],
    ) -> None:
        self._send = send
        self._answered = answered
        self._sequence = 0
        self._held = False
        self._waiting: dict[type[wire.Message], wire.Message] = {}
        self.sent: Frame | None = None
        self._alarm = Alarm(scheduler, self._transmit)

    def has(self, kind: type[wire.Message]) -> bool:
        """Return whether a command of this kind is queued or awaits its ACK."""
        return kind in self._waiting or (self.sent is not None and isinstance(self.sent.message, kind))

    def give(self, message: wire.Message) -> None:
        """Queue a command after the others."""
        self._waiting.pop(type(message), None)
        self._waiting[type(message)] = message
        self._send_next()

    def put_back(self, message: wire.Message) -> None:
        """Queue a command before the others, unless a newer one of its kind is queued."""
        self._put_first(message)
        self._send_next()

    def stop(self) -> None:
        """Send STOP at once, ahead of all others. Motor runs that are queued or await their ACK are dropped."""
        if self.sent is None or not isinstance(self.sent.message, wire.Stop):
            self._take_back()
            self.put_back(wire.Stop())
        for kind in (wire.Feed, wire.Retract):
            self._waiting.pop(kind, None)

    def acknowledged(self, sequence: int, ack: wire.Ack) -> None:
        """Handle an ACK; ignore one that does not match the command under way: it is old."""
        sent = self.sent
        if sent is None or (sent.sequence, sent.message.TYPE) != (sequence, ack.command):
            return
        self._clear_sent()
        self._answered(sent.message, ack.result)
        self._send_next()

    def hold(self) -> None:
        """Pause without a session: queue new commands and the one under way."""
        self._held = True
        self._take_back()

    def begin(self) -> None:
        """Resume in a new session: send the queue."""
        self._held = False
        self._send_next()

    def forget(self) -> None:
        """Drop all commands."""
        self._waiting.clear()
        self._clear_sent()

    def _take_back(self) -> None:
        """Put the command under way back into the queue."""
        sent = self.sent
        self._clear_sent()
        if sent is not None:
            self._put_first(sent.message)

    def _put_first(self, message: wire.Message) -> None:
        if type(message) not in self._waiting:
            self._waiting = {type(message): message, **self._waiting}

    def _send_next(self) -> None:
        if self.sent is None and self._waiting and not self._held:
            self._sequence = self._sequence % 255 + 1
            self.sent = Frame(self._sequence, self._waiting.pop(next(iter(self._waiting))))
            self._transmit()

    def _transmit(self) -> None:
        if self.sent is not None:
            self._alarm.set(ACK_TIMEOUT_S)
            self._send(self.sent)

    def _clear_sent(self) -> None:
        self.sent = None
        self._alarm.off()
