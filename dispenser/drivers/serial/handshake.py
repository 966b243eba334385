"""The serial handshake: identify the firmware and check that its protocol is ours."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, encode
from dispenser.drivers.serial.port import SerialPort
from dispenser.i18n import Text

HELLO_S = 0.25  # How long an answer to HELLO is awaited before it is sent again
MAX_HELLOS = 20  # Opening the port resets most boards, and their boot loader takes up to 2 s: 5 s are enough for any


class NoAnswerError(PinsUnavailableError):
    """Nobody at the other end of the line speaks our language. Says what to do."""


class FirmwareMismatchError(PinsUnavailableError):
    """The microcontroller runs a program that does not fit this one. Says what to do.

    :ivar welcome: what it says of itself.
    """

    def __init__(self, text: Text, welcome: wire.Welcome) -> None:
        super().__init__(text)
        self.welcome = welcome


class Handshake:
    """Send ``hello`` until ``handle`` has seen the answer.

    :ivar welcome: the answer, as soon as there is one, even from a program that does not fit.
    """

    def __init__(self) -> None:
        self.welcome: wire.Welcome | None = None
        self._nonce = secrets.randbits(16)
        self.hello = Frame(1, wire.Hello(wire.VERSION, wire.DICTIONARY, self._nonce))

    def handle(self, frame: Frame) -> tuple[wire.Welcome, wire.State] | None:
        """A frame has come; when the session has begun, the answer and the first report.

        :raises FirmwareMismatchError: the other end is not of our kind.
        """
        message = frame.message
        if isinstance(message, wire.Welcome) and message.nonce == self._nonce:
            self.welcome = message
            _check_fit(message)
        elif isinstance(message, wire.State) and self.welcome is not None and wire.Level.HOSTED in message.levels:
            return (self.welcome, message) if message.boot_id == self.welcome.boot_id else None
        return None


def on_line(frame: Frame) -> bytes:
    """What is written for a frame: a zero first, which ends whatever noise there was."""
    return b"\0" + encode(frame)


def _check_fit(welcome: wire.Welcome) -> None:
    if (welcome.protocol, welcome.dictionary) != (wire.VERSION, wire.DICTIONARY):
        text = Text(
            "the microcontroller's firmware {version} (protocol {protocol}, dictionary {dictionary:08x}) "
            "does not fit this program (protocol {our_protocol}, dictionary {our_dictionary:08x}): put the "
            "firmware of this program on it with 'dispenser firmware flash'"
        ).filled(version=version_of(welcome), protocol=welcome.protocol, dictionary=welcome.dictionary)
        raise FirmwareMismatchError(text.filled(our_protocol=wire.VERSION, our_dictionary=wire.DICTIONARY), welcome)


def version_of(welcome: wire.Welcome) -> str:
    """The firmware's version, such as ``1.0.2``."""
    return f"{welcome.firmware_major}.{welcome.firmware_minor}.{welcome.firmware_patch}"


def describe(welcome: wire.Welcome) -> str:
    """Which firmware is at the other end, in a few words."""
    return f"{version_of(welcome)} on {welcome.board.name.lower()}, dictionary {welcome.dictionary:08x}"


def shake_hands(port: SerialPort, now: Callable[[], float]) -> tuple[wire.Welcome, wire.State]:
    """Begin a session over an open port before ``listen``; waits for the answer and the first report.

    :raises FirmwareMismatchError: the other end is not of our kind.
    :raises NoAnswerError: nobody answers.
    :raises OSError: the line is gone.
    """
    handshake, decoder = Handshake(), FrameDecoder()
    for _ in range(MAX_HELLOS):
        port.write(on_line(handshake.hello))
        again_at_s = now() + HELLO_S
        while data := port.read(HELLO_S):
            for frame in decoder.feed(data):
                if (session := handshake.handle(frame)) is not None:
                    return session
            if now() >= again_at_s:
                break
    text = Text(
        "the microcontroller does not answer at {baud} baud. Is it the launcher's, and is its firmware "
        "on it? 'dispenser firmware flash' puts it there. Was that built for another speed (16 MHz: "
        "115200, 8 MHz: 38400)? Then say so: --baud, or baud under [driver] in the settings"
    )
    raise NoAnswerError(text.filled(baud=port.baud))


def ask(port: SerialPort, now: Callable[[], float]) -> tuple[wire.Welcome, wire.State]:
    """Open a line, ask who is there, say goodbye. Everything is off then, and the microcontroller plays alone.

    :raises FirmwareMismatchError: the other end is not of our kind.
    :raises NoAnswerError: nobody answers.
    :raises OSError: the line cannot be used.
    """
    port.open()
    try:
        session = shake_hands(port, now)
        port.write(on_line(Frame(0, wire.Bye())))
    finally:
        port.close()
    return session
