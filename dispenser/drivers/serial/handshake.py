"""The serial handshake: identify the firmware and check that its protocol is ours."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, encode
from dispenser.drivers.serial.port import SerialPort
from dispenser.i18n import Text

HELLO_S = 0.25  # Interval between HELLOs without an answer
MAX_HELLOS = 20  # Opening the port resets most boards, and their boot loader takes up to 2 s: 5 s are enough for any


class NoAnswerError(PinsUnavailableError):
    """No device on the line answers in our protocol. The text says what to do."""


class FirmwareMismatchError(PinsUnavailableError):
    """The microcontroller runs an incompatible program. The text says what to do.

    :ivar welcome: its WELCOME.
    """

    def __init__(self, text: Text, welcome: wire.Welcome) -> None:
        super().__init__(text)
        self.welcome = welcome


class Handshake:
    """Handshake state: send ``hello`` until ``handle`` returns a session.

    :ivar welcome: the answer once received, even from an incompatible program.
    """

    def __init__(self) -> None:
        self.welcome: wire.Welcome | None = None
        self._nonce = secrets.randbits(16)
        self.hello = Frame(1, wire.Hello(wire.VERSION, wire.DICTIONARY, self._nonce))

    def handle(self, frame: Frame) -> tuple[wire.Welcome, wire.State] | None:
        """Handle a frame; once the session has begun, return the answer and the first report.

        :raises FirmwareMismatchError: the firmware is incompatible.
        """
        message = frame.message
        if isinstance(message, wire.Welcome) and message.nonce == self._nonce:
            self.welcome = message
            _check_fit(message)
        elif isinstance(message, wire.State) and self.welcome is not None and wire.Level.HOSTED in message.levels:
            return (self.welcome, message) if message.boot_id == self.welcome.boot_id else None
        return None


def on_line(frame: Frame) -> bytes:
    """Return a frame's bytes with a leading zero, which terminates any noise."""
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
    """Return the firmware's version, such as ``1.0.2``."""
    return f"{welcome.firmware_major}.{welcome.firmware_minor}.{welcome.firmware_patch}"


def describe(welcome: wire.Welcome) -> str:
    """Return a short description of the firmware."""
    return f"{version_of(welcome)} on {welcome.board.name.lower()}, dictionary {welcome.dictionary:08x}"


def shake_hands(port: SerialPort, now: Callable[[], float]) -> tuple[wire.Welcome, wire.State]:
    """Begin a session over an open port before ``listen``; block until the answer and the first report.

    :raises FirmwareMismatchError: the firmware is incompatible.
    :raises NoAnswerError: there is no answer.
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
    """Open a line, perform the handshake, send BYE. Everything is off then, and the microcontroller works standalone.

    :raises FirmwareMismatchError: the firmware is incompatible.
    :raises NoAnswerError: there is no answer.
    :raises OSError: the line cannot be used.
    """
    port.open()
    try:
        session = shake_hands(port, now)
        port.write(on_line(Frame(0, wire.Bye())))
    finally:
        port.close()
    return session
