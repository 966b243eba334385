"""A launcher's microcontroller in a few lines, and a line to it that can be pulled and that loses frames.

For what the firmware's own core (``tests/contract``) cannot be brought to do: restart for any reason, run a program
that does not fit, be locked or deaf. It shares the message tables with the driver, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, encode
from dispenser.drivers.serial.port import SerialPortError
from tests.conftest import FakeScheduler

CARD_S = 0.06
DARK_S = 0.045
COAST_S = 0.12
REPORT_S = 0.005


class FakeBoard:
    """The microcontroller with a stack that never ends: a card leaves every 60 ms. A retract ends by a stop alone."""

    def __init__(self, scheduler: FakeScheduler) -> None:
        self.scheduler = scheduler
        self.send: Callable[[bytes], None] = lambda _: None
        self.dictionary = wire.DICTIONARY
        self.lid_open = self.exit_blocked = self.button_down = False
        self.cell_mv = 4500
        self.odds = wire.Odds.TOY
        self.boots = 0
        self.latches = wire.Latch(0)
        self.starts: list[int] = []  # the run of each time that the motor began to turn
        self.alone_presses = 0
        self.reboot(wire.ResetCause.POWER_ON)

    # --- its life ---

    def reboot(self, cause: wire.ResetCause, boot_s: float = 0.0) -> None:
        """Everything begins anew; deaf and mute while the boot loader runs."""
        self.boots += 1
        self.reset_cause = cause
        self.born = self.scheduler.time()
        self.presses = self.lid_rises = self.cards_seen = 0
        self.dark_ms = [0, 0, 0, 0]
        self.latches &= ~wire.Latch.HOST_SILENT
        if cause is wire.ResetCause.WATCHDOG:
            self.latches |= wire.Latch.WATCHDOG
        self.hosted = self.reporting = False
        self.decoder = FrameDecoder()
        self._all_off()
        self.awake = not boot_s
        if boot_s:
            self._later(boot_s, self._wake)

    def _wake(self) -> None:
        self.awake = True

    def _all_off(self) -> None:
        self.motor, self.light = 0, False
        self.last: tuple[int, wire.Ack] | None = None
        self.run: wire.Feed | wire.Retract | None = None
        self.run_end, self.run_cards = wire.FeedEnd.RUNNING, 0

    def _later(self, seconds: float, action: Callable[[], None]) -> None:
        boot = self.boots
        self.scheduler.call_at(self.scheduler.time() + seconds, lambda: action() if boot == self.boots else None)

    # --- what a person does ---

    def lid(self, up: bool) -> None:
        if up and not self.lid_open:
            self.lid_rises = self.lid_rises + 1 & 0xFFFF
        self.lid_open = up
        if up:
            self._halt(wire.FeedEnd.LID)
        self.report()

    def press(self) -> None:
        if self.hosted:
            self.presses = self.presses + 1 & 0xFFFF
        else:
            self.alone_presses += 1
        self.report()

    def exit(self, blocked: bool, dark_ms: int = 45) -> None:
        if self.exit_blocked and not blocked:
            self.cards_seen = self.cards_seen + 1 & 0xFFFF
            self.dark_ms = [dark_ms, *self.dark_ms[:3]]
            if isinstance(self.run, wire.Feed) and self.motor:
                self.run_cards += 1
                if self.run_cards >= self.run.cards:
                    self._halt(wire.FeedEnd.COUNT)
        self.exit_blocked = blocked
        self.report()

    # --- the motor ---

    def begin_run(self, run: wire.Feed | wire.Retract) -> wire.Result:
        self.run, self.run_end, self.run_cards = run, wire.FeedEnd.RUNNING, 0
        if self.latches or self.lid_open:
            self.run_end = wire.FeedEnd.STOPPED if self.latches else wire.FeedEnd.LID
            self.report()
            return wire.Result.LATCHED if self.latches else wire.Result.DONE
        self.motor = 1 if isinstance(run, wire.Feed) else -1
        self.starts.append(run.run)
        self._later(CARD_S - DARK_S, lambda: self._card(run))
        return wire.Result.DONE

    def _card(self, run: wire.Feed | wire.Retract) -> None:
        if run is self.run and self.motor == 1:
            self.exit(True)
            self._later(DARK_S, lambda: self.exit(False))
            self._later(CARD_S, lambda: self._card(run))

    def _halt(self, cause: wire.FeedEnd) -> None:
        if self.motor:
            self.motor, run = 0, self.run
            self._later(COAST_S, lambda: self._ended(cause) if run is self.run else None)

    def _ended(self, cause: wire.FeedEnd) -> None:
        self.run_end = cause
        self.report()

    # --- the line ---

    def receive(self, data: bytes) -> None:
        for frame in self.decoder.feed(data) if self.awake else ():
            if not isinstance(frame.message, wire.GetState):
                self.heard_at = self.scheduler.time()
                for silent_ms in (wire.HOST_SILENT_MS, wire.HOST_GONE_MS):
                    self._later(silent_ms / 1000, self._look_for_host)
            self._take(frame.message, frame.sequence)

    def _look_for_host(self) -> None:
        silent_ms = (self.scheduler.time() - self.heard_at) * 1000 + 1
        if self.hosted and self.motor and silent_ms >= wire.HOST_SILENT_MS:
            self.latches |= wire.Latch.HOST_SILENT
            self._halt(wire.FeedEnd.STOPPED)
            self.report()
        self.hosted = self.hosted and silent_ms < wire.HOST_GONE_MS

    def _take(self, message: wire.Message, sequence: int) -> None:
        if isinstance(message, wire.Hello):
            self._all_off()
            self.latches &= ~wire.Latch.HOST_SILENT
            self.hosted = message.dictionary == self.dictionary
            able = wire.Capability.EXIT_SENSOR | wire.Capability.RETRACT
            about = (wire.VERSION, self.dictionary, 1, 2, 3, self.boots, self.reset_cause, able, wire.Board.HOST)
            self._say(sequence, wire.Welcome(message.nonce, *about))
            if self.hosted:
                self._say(0, self.state())
        elif isinstance(message, wire.Heartbeat | wire.GetState):
            self._say(sequence, self.state())
        else:
            if self.last is None or self.last[0] != sequence:
                self.last = (sequence, wire.Ack(message.TYPE, self._execute(message)))
            self._say(*self.last)

    def _execute(self, message: wire.Message) -> wire.Result:
        if not self.hosted:
            return wire.Result.NO_SESSION
        match message:
            case wire.Feed() | wire.Retract():
                return self.begin_run(message)
            case wire.Stop():
                self._halt(wire.FeedEnd.STOPPED)
            case wire.Light():
                self.light = bool(message.on)
            case wire.ResetLatch():
                self.latches = wire.Latch(0)
                self.report()
            case wire.Bye():
                self._all_off()
                self.hosted = False
        return wire.Result.DONE

    def state(self) -> wire.State:
        bits = {
            wire.Level.LID_OPEN: self.lid_open,
            wire.Level.EXIT_BLOCKED: self.exit_blocked,
            wire.Level.BUTTON_DOWN: self.button_down,
            wire.Level.HOSTED: self.hosted,
        }
        kinds = {wire.Feed: wire.RunKind.FEED, wire.Retract: wire.RunKind.RETRACT}
        return wire.State(
            self.boots,
            round((self.scheduler.time() - self.born) * 1000),
            wire.Level(sum(bit for bit, on in bits.items() if on)),
            self.latches,
            self.presses,
            self.lid_rises,
            self.cards_seen,
            *self.dark_ms,
            self.run.run if self.run else 0,
            kinds[type(self.run)] if self.run else wire.RunKind.NONE,
            self.run_cards,
            self.run_end,
            self.cell_mv,
            self.odds,
        )

    def report(self) -> None:
        """Something has changed: a report soon, one for all that happens until then."""
        if self.hosted and not self.reporting:
            self.reporting = True
            self._later(REPORT_S, self._report)

    def _report(self) -> None:
        self.reporting = False
        if self.hosted:
            self._say(0, self.state())

    def _say(self, sequence: int, message: wire.Message) -> None:
        if self.awake:
            self.send(encode(Frame(sequence, message)))


def on_the_loop(
    loop: Callable[[], Any], take: Callable[[Any], None], is_open: Callable[[], bool]
) -> Callable[[Any], None]:
    """As a serial port tells its driver what comes: on its loop, and nothing more once it is closed."""
    return lambda what: loop().call_soon_threadsafe(lambda: take(what) if is_open() else None)


class FakeLink:
    """A line to a board in virtual time; does as ``SerialPort`` does.

    :param boot_s: how long the board is deaf after the line was opened (DTR reset and boot loader); ``None``: no reset.
    :ivar lost: the share of frames that get lost, either way; by ``random``.
    :ivar mute: all that the board says gets lost.
    :ivar loop: on which the driver is told what comes.
    """

    def __init__(self, board: FakeBoard, *, boot_s: float | None = None) -> None:
        self.board = board
        self.scheduler = board.scheduler
        self.boot_s = boot_s
        self.latency_s = 0.001
        self.baud = wire.BAUD
        self.random, self.lost = Random(0), 0.0
        self.plugged, self.mute = True, False
        self.opens = 0
        self.written: list[bytes] = []
        self._is_open = False
        self._inbox = b""
        self._received: Callable[[bytes], None] | None = None
        self._lost: Callable[[OSError], None] | None = None
        self.loop: Any = board.scheduler
        board.send = self._from_board

    def sent(self, kind: type[wire.Message]) -> int:
        """How often the driver has sent such a command, repetitions included."""
        frames = FrameDecoder().feed(b"".join(self.written))
        return sum(isinstance(frame.message, kind) for frame in frames)

    def unplug(self) -> None:
        self.plugged = False
        lost, self._lost, self._received = self._lost, None, None
        if lost is not None:
            self._soon(lambda: lost(OSError("unplugged")))

    def plug(self) -> None:
        self.plugged = True

    # --- as SerialPort ---

    def open(self) -> None:
        if not self.plugged:
            raise SerialPortError("it is not there")
        assert not self._is_open, "opened twice"
        self._is_open = True
        self.opens += 1
        self._inbox = b""
        if self.boot_s is not None:
            self.board.reboot(wire.ResetCause.EXTERNAL, self.boot_s)

    def read(self, timeout_s: float) -> bytes:
        assert self._received is None, "somebody listens already"
        end = self.scheduler.time() + timeout_s
        while not self._inbox and self.scheduler.time() < end:
            self.scheduler.run_for(0.005)
        data, self._inbox = self._inbox, b""
        return data

    def listen(self, received: Callable[[bytes], None], lost: Callable[[OSError], None]) -> None:
        opening = self.opens
        self._received, self._lost = (
            on_the_loop(lambda: self.loop, take, lambda: self._is_open and opening == self.opens)
            for take in (received, lost)
        )

    def write(self, data: bytes) -> None:
        if not self.plugged or not self._is_open:
            raise OSError("unplugged")
        self.written.append(data)
        if self.random.random() >= self.lost:
            self._soon(lambda: self.board.receive(data) if self.plugged else None)

    def close(self) -> None:
        self._is_open = False
        self._received = self._lost = None

    def _soon(self, action: Callable[[], None]) -> None:
        self.scheduler.call_at(self.scheduler.time() + self.latency_s, action)

    def _from_board(self, data: bytes) -> None:
        opening = self.opens
        if self.plugged and not self.mute and self.random.random() >= self.lost:
            self._soon(lambda: self._arrive(data, opening))

    def _arrive(self, data: bytes, opening: int) -> None:
        if not (self.plugged and self._is_open and opening == self.opens):
            return
        if self._received is None:
            self._inbox += data
        else:
            self._received(data)
