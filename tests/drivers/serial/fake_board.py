"""A launcher's microcontroller in a few lines, and a line to it that can be pulled, lost, doubled and garbled.

A model of its own, made from firmware/PROTOCOL.md: it shares the message tables with the driver, and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, encode
from dispenser.drivers.serial.port import SerialPortError
from tests.conftest import FakeScheduler

CARD_S = 0.06
DARK_S = 0.045
COAST_S = 0.12
REPORT_S = 0.005
COMMANDS = (wire.Feed, wire.Retract, wire.Stop, wire.Play, wire.Light, wire.ResetLatch, wire.Bye)


class FakeBoard:
    """The microcontroller with a stack that never ends. Cards leave every 60 ms unless ``card_s`` is ``None``."""

    def __init__(self, scheduler: FakeScheduler) -> None:
        self.scheduler = scheduler
        self.send: Callable[[bytes], None] = lambda _: None
        self.dictionary = wire.DICTIONARY
        self.capabilities = wire.Capability.EXIT_SENSOR | wire.Capability.RETRACT
        self.card_s: float | None = CARD_S
        self.lid_open = self.exit_blocked = self.button_down = False
        self.reset_cause = wire.ResetCause.POWER_ON
        self.cell_mv = 4500
        self.odds = wire.Odds.TOY
        self.boots = 0
        self.latches = wire.Latch(0)
        self.starts: list[tuple[int, int]] = []  # (boot, run) of each time the motor began to turn
        self.played: list[wire.Chime] = []
        self.alone_presses = 0
        self.executed = 0
        self.reboot(wire.ResetCause.POWER_ON)

    # --- its life ---

    def reboot(self, cause: wire.ResetCause, boot_s: float = 0.0) -> None:
        """Everything begins anew; deaf and mute while the boot loader runs."""
        self.boots += 1
        self.reset_cause = cause
        self.boot_id = 1000 + self.boots
        self.born = self.scheduler.time()
        self.presses = self.lid_rises = self.cards_seen = 0
        self.dark_ms = [0, 0, 0, 0]
        kept = wire.Latch(0) if cause is wire.ResetCause.POWER_ON else self.latches & ~wire.Latch.HOST_SILENT
        self.latches = kept | wire.Latch.WATCHDOG if cause is wire.ResetCause.WATCHDOG else kept
        self.motor = 0
        self.light = False
        self.tone: wire.Chime | None = None
        self.hosted = False
        self.heard_at = self.scheduler.time()
        self.decoder = FrameDecoder()
        self.reporting = False
        self._session()
        self.awake = not boot_s
        if boot_s:
            self._later(boot_s, self.wake)

    def wake(self) -> None:
        self.awake = True

    def _session(self) -> None:
        self.last: tuple[int, wire.Ack] | None = None
        self.run = wire.Feed(0, 0, 0, 0, 0, 0)
        self.run_kind, self.run_end, self.run_cards = wire.RunKind.NONE, wire.FeedEnd.RUNNING, 0
        self.coasting = False

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
            if self.run_kind is wire.RunKind.FEED and (self.motor or self.coasting):
                self.run_cards += 1
                if self.run_cards >= self.run.cards:
                    self._halt(wire.FeedEnd.COUNT)
        self.exit_blocked = blocked
        self.report()

    # --- the motor ---

    def begin_run(self, run: wire.Feed | wire.Retract) -> wire.Result:
        forward = isinstance(run, wire.Feed)
        limit_ms = run.timeout_ms if isinstance(run, wire.Feed) else run.duration_ms
        if not 1 <= limit_ms <= (wire.MAX_MOTOR_RUN_MS if forward else wire.MAX_RETRACT_MS):
            return wire.Result.BAD_ARGUMENT
        self.run = run if isinstance(run, wire.Feed) else wire.Feed(run.run, 0, 0, 0, 0, 0)
        self.run_kind = wire.RunKind.FEED if forward else wire.RunKind.RETRACT
        self.run_end, self.run_cards, self.coasting = wire.FeedEnd.RUNNING, 0, False
        if self.latches or self.lid_open:
            self.motor = 0
            self.run_end = wire.FeedEnd.STOPPED if self.latches else wire.FeedEnd.LID
            self.report()
            return wire.Result.LATCHED if self.latches else wire.Result.DONE
        self.motor = 1 if forward else -1
        self.starts.append((self.boots, run.run))
        start = len(self.starts)
        self._later(limit_ms / 1000, lambda: self._limit(start, forward=forward))
        self._later(self.run.blind_ms / 1000, lambda: self._look_whether_blind(start, forward=forward))
        if forward and self.card_s is not None:
            self._later(self.card_s - DARK_S, lambda: self._card(start))
        return wire.Result.DONE

    def _limit(self, start: int, *, forward: bool) -> None:
        if start == len(self.starts):
            self._halt(wire.FeedEnd.TIMEOUT if forward and self._counts() else wire.FeedEnd.TIMED)

    def _look_whether_blind(self, start: int, *, forward: bool) -> None:
        blind = forward and self._counts() and not self.run_cards and not self.exit_blocked
        if blind and start == len(self.starts):
            self._halt(wire.FeedEnd.BLIND)

    def _counts(self) -> bool:
        return wire.Capability.EXIT_SENSOR in self.capabilities

    def _card(self, start: int) -> None:
        if start == len(self.starts) and self.motor == 1 and self.card_s is not None:
            self.exit(True)
            self._later(DARK_S, lambda: self.exit(False))
            self._later(self.card_s, lambda: self._card(start))

    def _halt(self, cause: wire.FeedEnd) -> None:
        if self.motor:
            self.motor, self.coasting = 0, True
            start = len(self.starts)
            self._later(COAST_S, lambda: self._ended(start, cause))

    def _ended(self, start: int, cause: wire.FeedEnd) -> None:
        if start == len(self.starts) and self.coasting:
            self.coasting, self.run_end = False, cause
            self.report()

    def _all_off(self) -> None:
        self.motor, self.light, self.tone = 0, False, None
        self._session()

    # --- the line ---

    def receive(self, data: bytes) -> None:
        if not self.awake:
            return
        for frame in self.decoder.feed(data):
            if not isinstance(frame.message, wire.GetState):
                self.heard_at = self.scheduler.time()
                self._later(wire.HOST_SILENT_MS / 1000, self._check_silence)
                self._later(wire.HOST_GONE_MS / 1000, self._check_gone)
            self._take(frame)

    def _check_silence(self) -> None:
        silent_ms = (self.scheduler.time() - self.heard_at) * 1000
        if self.hosted and self.motor and silent_ms >= wire.HOST_SILENT_MS - 1:
            self.latches |= wire.Latch.HOST_SILENT
            self._halt(wire.FeedEnd.STOPPED)
            self.report()

    def _check_gone(self) -> None:
        if self.hosted and (self.scheduler.time() - self.heard_at) * 1000 >= wire.HOST_GONE_MS - 1:
            self.hosted = False

    def _take(self, frame: Frame) -> None:
        message, sequence = frame.message, frame.sequence
        if isinstance(message, wire.Hello):
            fits = message.protocol == wire.VERSION and message.dictionary == self.dictionary
            self._all_off()
            self.latches &= ~wire.Latch.HOST_SILENT
            self.hosted = fits
            self._say(sequence, self._welcome(message.nonce))
            if fits:
                self._say(0, self.state())
        elif isinstance(message, wire.Heartbeat | wire.GetState):
            self._say(sequence, self.state())
        elif isinstance(message, COMMANDS):
            if self.last is None or self.last[0] != sequence:
                self.last = (sequence, wire.Ack(message.TYPE, self._execute(message)))
            self._say(*self.last)

    def _execute(self, message: wire.Message) -> wire.Result:
        if not self.hosted:
            return wire.Result.DONE if isinstance(message, wire.Bye) else wire.Result.NO_SESSION
        self.executed += 1
        match message:
            case wire.Feed() | wire.Retract():
                return self.begin_run(message)
            case wire.Stop():
                self._halt(wire.FeedEnd.STOPPED)
            case wire.Play():
                self.tone = message.chime
                self.played.append(message.chime)
            case wire.Light():
                self.light = bool(message.on)
            case wire.ResetLatch():
                self.latches = wire.Latch(0)
                self.report()
            case wire.Bye():
                self._all_off()
                self.hosted = False
        return wire.Result.DONE

    def _welcome(self, nonce: int) -> wire.Welcome:
        return wire.Welcome(
            nonce,
            wire.VERSION,
            self.dictionary,
            1,
            2,
            3,
            self.boot_id,
            self.reset_cause,
            self.capabilities,
            wire.Board.HOST,
        )

    def state(self) -> wire.State:
        bits = {
            wire.Level.LID_OPEN: self.lid_open,
            wire.Level.EXIT_BLOCKED: self.exit_blocked,
            wire.Level.BUTTON_DOWN: self.button_down,
            wire.Level.MOTOR_ON: bool(self.motor),
            wire.Level.LIGHT_ON: self.light,
            wire.Level.HOSTED: self.hosted,
        }
        return wire.State(
            boot_id=self.boot_id,
            uptime_ms=round((self.scheduler.time() - self.born) * 1000) & 0xFFFFFFFF,
            levels=wire.Level(sum(bit for bit, on in bits.items() if on)),
            latches=self.latches,
            presses=self.presses,
            lid_rises=self.lid_rises,
            cards_seen=self.cards_seen,
            blocked_ms_0=self.dark_ms[0],
            blocked_ms_1=self.dark_ms[1],
            blocked_ms_2=self.dark_ms[2],
            blocked_ms_3=self.dark_ms[3],
            run=self.run.run,
            run_kind=self.run_kind,
            run_cards=self.run_cards,
            run_end=self.run_end,
            cell_mv=self.cell_mv,
            odds=self.odds,
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


@dataclass
class Noise:
    """What happens to what is written, each with its share of all writes."""

    seed: int = 0
    lost: float = 0.0
    doubled: float = 0.0
    garbled: float = 0.0
    cut: float = 0.0
    random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def through(self, data: bytes) -> bytes:
        chance = self.random.random
        if chance() < self.lost:
            return b""
        if chance() < self.garbled:
            spoilt = bytearray(data)
            spoilt[self.random.randrange(len(spoilt))] ^= 1 << self.random.randrange(8)
            data = bytes(spoilt)
        if chance() < self.cut:
            data = data[: self.random.randrange(len(data))]
        return data * 2 if chance() < self.doubled else data


def on_the_loop(
    loop: Callable[[], Any], take: Callable[[Any], None], is_open: Callable[[], bool]
) -> Callable[[Any], None]:
    """As a serial port tells its driver what comes: on its loop, and nothing more once it is closed."""
    return lambda what: loop().call_soon_threadsafe(lambda: take(what) if is_open() else None)


class FakeLink:
    """A line to a board in virtual time; does as ``SerialPort`` does.

    :param boot_s: how long the board is deaf after the line was opened (DTR reset and boot loader); ``None``: no reset.
    """

    def __init__(self, board: FakeBoard, *, boot_s: float | None = None, latency_s: float = 0.001) -> None:
        self.board = board
        self.scheduler = board.scheduler
        self.boot_s = boot_s
        self.latency_s = latency_s
        self.baud = wire.BAUD
        self.noise = Noise()
        self.plugged = True
        self.mute = False  # the board's words get lost, all of them
        self.opens = 0
        self.written: list[bytes] = []
        self._is_open = False
        self._inbox = b""
        self._received: Callable[[bytes], None] | None = None
        self._lost: Callable[[OSError], None] | None = None
        self.loop: Any = board.scheduler
        """On which the driver is told what comes."""
        board.send = self._from_board

    def sent(self, kind: type[wire.Message]) -> int:
        """How often the driver has sent such a command, repetitions included."""
        frames = FrameDecoder().feed(b"".join(self.written))
        return sum(isinstance(frame.message, kind) for frame in frames)

    def unplug(self) -> None:
        self.plugged = False
        lost, self._lost, self._received = self._lost, None, None
        if lost is not None:
            self.scheduler.call_at(self.scheduler.time() + self.latency_s, lambda: lost(OSError("unplugged")))

    def plug(self) -> None:
        self.plugged = True

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
        data = self.noise.through(data)
        if data:
            self.scheduler.call_at(self.scheduler.time() + self.latency_s, lambda: self._to_board(data))

    def close(self) -> None:
        self._is_open = False
        self._received = self._lost = None

    def _to_board(self, data: bytes) -> None:
        if self.plugged:
            self.board.receive(data)

    def _from_board(self, data: bytes) -> None:
        data = self.noise.through(data)
        if data and self.plugged and not self.mute:
            opening = self.opens
            self.scheduler.call_at(self.scheduler.time() + self.latency_s, lambda: self.arrive(data, opening))

    def arrive(self, data: bytes, opening: int) -> None:
        if not (self.plugged and self._is_open and opening == self.opens):
            return
        if self._received is None:
            self._inbox += data
        else:
            self._received(data)
