"""Stop-and-wait: commands to the microcontroller go out one at a time, each until it is acknowledged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dispenser.clocks import TimerHandle
from dispenser.drivers.base import Scheduler
from dispenser.drivers.wire import tables as wire
from dispenser.drivers.wire.frames import Frame

ACK_TIMEOUT_S = 0.06
"""An answer takes 2 ms on the wire; USB adapters keep it for up to 16 ms more; the rest is margin."""
MAX_TRIES = 5
"""With ``ACK_TIMEOUT_S``: after 0.3 s of silence the line counts as broken. So often, too, is a command sent that was
refused: what was refused may have been damaged on its way, and nothing of it was carried out."""
_REFUSED = (wire.Result.BAD_ARGUMENT, wire.Result.UNKNOWN_COMMAND)
_MOTOR_RUNS = (wire.Feed, wire.Retract)


@dataclass(slots=True)
class _Sent:
    frame: Frame
    tries: int = 1


class Courier:
    """Keeps at most one command under way and one of each kind waiting: a newer one replaces the older.

    :param send: puts a frame on the line.
    :param answered: hears of each command and what became of it.
    :param silent: called when a command was not acknowledged after ``MAX_TRIES``; the courier has forgotten all then.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        send: Callable[[Frame], None],
        answered: Callable[[wire.Message, wire.Result], None],
        silent: Callable[[], None],
    ) -> None:
        self._scheduler = scheduler
        self._send = send
        self._answered = answered
        self._silent = silent
        self._sequence = 0
        self._held = False
        self._waiting: list[wire.Message] = []
        self._sent: _Sent | None = None
        self._timer: TimerHandle | None = None

    def has(self, kind: type[wire.Message]) -> bool:
        """Whether a command of this kind waits or is under way."""
        return any(isinstance(message, kind) for message in [*self._waiting, *self._under_way()])

    def _under_way(self) -> list[wire.Message]:
        return [] if self._sent is None else [self._sent.frame.message]

    def give(self, message: wire.Message) -> None:
        """Send a command after those that wait."""
        self._waiting = [other for other in self._waiting if type(other) is not type(message)]
        self._waiting.append(message)
        self._go_on()

    def put_back(self, message: wire.Message) -> None:
        """A command that was not heard goes before those that wait, unless a newer one of its kind does."""
        self._put_first(message)
        self._go_on()

    def stop(self) -> None:
        """Send STOP at once, ahead of everything. Motor runs that wait or are under way are given up."""
        if self._sent is not None and not isinstance(self._sent.frame.message, wire.Stop):
            self._take_back()
        self._waiting = [message for message in self._waiting if not isinstance(message, (*_MOTOR_RUNS, wire.Stop))]
        if self._sent is None:
            self._waiting.insert(0, wire.Stop())
            self._go_on()

    def drop(self, kind: type[wire.Message]) -> None:
        """The command under way, if it is of this kind, needs no answer any more."""
        if any(isinstance(message, kind) for message in self._under_way()):
            self._put_down()
            self._go_on()

    def acknowledged(self, sequence: int, ack: wire.Ack) -> None:
        """An ACK has come; one that belongs to nothing under way is old and tells nothing."""
        sent = self._sent
        if sent is None or sent.frame.sequence != sequence or ack.command != sent.frame.message.TYPE:
            return
        if ack.result in _REFUSED and sent.tries < MAX_TRIES:
            self._try_again(sent)
            return
        self._put_down()
        self._answered(sent.frame.message, ack.result)
        self._go_on()

    def hold(self) -> None:
        """There is no session: what is given waits, and what is under way, too."""
        self._take_back()
        self._held = True

    def begin(self) -> None:
        """A session has begun: what waits goes out."""
        self._held = False
        self._go_on()

    def forget(self) -> None:
        """Nothing waits, nothing is under way."""
        self._waiting.clear()
        self._put_down()

    def _take_back(self) -> None:
        """What is under way waits again, as the first, unless a newer one of its kind waits."""
        messages = self._under_way()
        self._put_down()
        for message in messages:
            self._put_first(message)

    def _put_first(self, message: wire.Message) -> None:
        if not any(type(other) is type(message) for other in self._waiting):
            self._waiting.insert(0, message)

    def _go_on(self) -> None:
        if self._sent is None and self._waiting and not self._held:
            self._sequence = self._sequence % 255 + 1
            self._sent = _Sent(Frame(self._sequence, self._waiting.pop(0)))
            self._transmit(self._sent)

    def _try_again(self, sent: _Sent) -> None:
        sent.tries += 1
        self._transmit(sent)

    def _transmit(self, sent: _Sent) -> None:
        self._disarm()
        self._timer = self._scheduler.call_at(self._scheduler.time() + ACK_TIMEOUT_S, self._on_timeout)
        self._send(sent.frame)

    def _on_timeout(self) -> None:
        self._timer = None
        if self._sent is None:
            return
        if self._sent.tries == MAX_TRIES:
            self.forget()
            self._silent()
        else:
            self._try_again(self._sent)

    def _put_down(self) -> None:
        self._sent = None
        self._disarm()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
