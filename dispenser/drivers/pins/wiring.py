"""Which GPIO goes where. Numbers are BCM numbers (``17`` is GPIO17, header pin 11), as gpiozero counts them."""

from __future__ import annotations

from dataclasses import dataclass, fields

from dispenser.language import SpokenError, Text

HEADER_GPIOS = range(2, 28)
"""GPIOs on the 40-pin header of every Raspberry Pi since the B+, without 0 and 1, which belong to the HAT EEPROM."""
FIXED_PULL_UP = frozenset({2, 3})
"""GPIO2 and GPIO3 carry 1.8 kOhm pull-ups to 3.3 V on the board (they are the I2C bus)."""
PULL_UP_AT_BOOT = range(9)
"""GPIO0 to GPIO8 are pulled up until software runs (BCM2835 ARM Peripherals, table of alternate functions)."""


class WiringError(SpokenError, ValueError):
    """A pin map that cannot work. The text names the key, the wrong value and a remedy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioWiring:
    """Pin map of one launcher; the defaults are those of the build guide.

    :param button: push button to ground.
    :param lid: lid switch to ground, closed while the lid is shut: a broken wire reads as an open lid.
    :param exit: output of the light barrier at the exit; ``None`` when there is no exit sensor.
    :param motor_forward: H-bridge input for forward, or the gate of a single MOSFET.
    :param motor_backward: H-bridge input for backward; ``None`` with a single MOSFET (no retract).
    :param motor_enable: enable or sleep input of the bridge, pulled down by a resistor; ``None`` when not wired.
    :param motor_pwm: speed by PWM; ``False`` drives the pins plainly on or off.
    :param motor_pwm_hz: PWM frequency, hertz. lgpio makes PWM in software: 100 Hz to 1 kHz is honest.
    :param buzzer: beeper; ``None`` for a silent launcher.
    :param buzzer_active: an active buzzer (one pitch) instead of a passive piezo (melodies).
    :param light: status light; ``None`` when there is none.
    :param button_active_high: the button feeds 3.3 V instead of closing to ground.
    :param lid_active_high: the lid switch feeds 3.3 V while shut instead of closing to ground.
    :param exit_blocked_high: the sensor's output is high while something blocks the barrier.
    """

    button: int = 17
    lid: int = 27
    exit: int | None = 22
    motor_forward: int = 23
    motor_backward: int | None = 24
    motor_enable: int | None = 25
    motor_pwm: bool = True
    motor_pwm_hz: int = 200
    buzzer: int | None = 18
    buzzer_active: bool = False
    light: int | None = 16
    button_active_high: bool = False
    lid_active_high: bool = False
    exit_blocked_high: bool = True

    def __post_init__(self) -> None:
        owners: dict[int, str] = {}
        for name, gpio in self.lines().items():
            if gpio not in HEADER_GPIOS:
                raise WiringError(
                    Text("{name} = {gpio}: no such GPIO on the header; use a BCM number from {low} to {high}").filled(
                        name=name, gpio=gpio, low=HEADER_GPIOS.start, high=HEADER_GPIOS.stop - 1
                    )
                )
            if gpio in owners:
                raise WiringError(self._clash(owners[gpio], name, gpio))
            owners[gpio] = name
        self._check_pulls()
        if not 50 <= self.motor_pwm_hz <= 10_000:
            raise WiringError(
                Text("motor_pwm_hz = {motor_pwm_hz}: use 50 to 10000; 200 suits lgpio").filled(
                    motor_pwm_hz=self.motor_pwm_hz
                )
            )

    def _clash(self, first: str, second: str, gpio: int) -> Text:
        """Two devices on one pin; the one that the file need not name stands there by default."""
        by_default = next((field.name for field in fields(self) if field.default == gpio), None)
        if by_default == second:
            first, second = second, first
        if by_default != first:
            clash = Text("{second} = {gpio}: already used by {first}; give each device a pin of its own")
        else:
            clash = Text(
                "{second} = {gpio}: already used by {first}, whose default it is; use another pin, or write another "
                "one for {first} as well"
            )
        return clash.filled(first=first, second=second, gpio=gpio)

    def _check_pulls(self) -> None:
        for name in ("motor_forward", "motor_backward", "motor_enable"):
            gpio = getattr(self, name)
            if gpio is not None and gpio in PULL_UP_AT_BOOT:
                raise WiringError(
                    Text(
                        "{name} = {gpio}: GPIO0 to GPIO8 are pulled up while the Pi boots, so the motor would turn; "
                        "use GPIO9 to GPIO27"
                    ).filled(name=name, gpio=gpio)
                )
        for name, pulled_down in (("button", self.button_active_high), ("lid", self.lid_active_high)):
            if pulled_down and getattr(self, name) in FIXED_PULL_UP:
                raise WiringError(
                    Text(
                        "{name} = {gpio}: this GPIO has a fixed pull-up, so {name}_active_high cannot work; use "
                        "another pin"
                    ).filled(name=name, gpio=getattr(self, name))
                )

    def motor_lines(self) -> dict[str, int]:
        """The motor's, enable first; low on all of them is off."""
        lines = self.lines()
        return {name: lines[name] for name in ("motor_enable", "motor_forward", "motor_backward") if name in lines}

    def lines(self) -> dict[str, int]:
        """Device name to GPIO, for the devices that are wired."""
        names = [
            field.name for field in fields(self) if field.type in {"int", "int | None"} and field.name != "motor_pwm_hz"
        ]
        return {name: gpio for name in names if (gpio := getattr(self, name)) is not None}
