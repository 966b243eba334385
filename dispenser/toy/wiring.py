"""Which pin of the Pi goes to which part of the toy."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from dispenser.language import Text
from dispenser.toy.errors import ToyValueError


@dataclass(frozen=True, slots=True)
class Line:
    """One wire.

    :param gpio: BCM number, 0 to 27.
    :param active_high: the level that means *active*: button down, lid open, exit dark; motor, buzzer or light on.
    """

    gpio: int
    active_high: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.gpio <= 27:
            raise ToyValueError(Text("gpio must be a BCM number from 0 to 27, not {gpio}").filled(gpio=self.gpio))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyWiring:
    """All wires of a toy; a part that is not wired is ``None``.

    The usual contacts close to ground against a pull-up: a pressed button is low (``active_high=False``); the lid
    switch is closed while the lid is shut, so an open lid, and a broken wire, is high (``active_high=True``). The same
    holds for a phototransistor to ground: a dark exit is high.

    Motor: forward and backward inputs of an H-bridge (PWM on either), or one MOSFET on ``motor_forward``.
    ``motor_enable`` scales both. External pull-downs keep every output off while no device claims its pin.

    :raises ToyValueError: when two parts share a pin.
    """

    button: Line
    lid: Line
    exit: Line | None = None
    motor_forward: Line
    motor_backward: Line | None = None
    motor_enable: Line | None = None
    buzzer: Line | None = None
    light: Line | None = None

    def __post_init__(self) -> None:
        taken: dict[int, str] = {}
        for field in dataclasses.fields(self):
            line = getattr(self, field.name)
            if line is None:
                continue
            if line.gpio in taken:
                raise ToyValueError(
                    Text("{one} and {other} are both on GPIO{gpio}: move one of them").filled(
                        one=taken[line.gpio], other=field.name, gpio=line.gpio
                    )
                )
            taken[line.gpio] = field.name
