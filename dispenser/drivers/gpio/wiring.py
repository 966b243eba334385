"""GPIO numbers and filter times: the tables ``[pins]`` and ``[timing]`` of the settings.

Numbers are BCM numbers (``17`` is GPIO17, header pin 11), as in gpiozero.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from dispenser.config import SettingError
from dispenser.drivers.base import Capabilities
from dispenser.i18n import Text

HEADER_GPIOS = range(2, 28)
"""GPIOs on the 40-pin header of every Raspberry Pi since the B+, without 0 and 1, which are for the HAT EEPROM."""
FIXED_PULL_UP = frozenset({2, 3})
"""GPIO2 and GPIO3 have 1.8 kOhm pull-ups to 3.3 V on the board (they are the I2C bus)."""
PULL_UP_AT_BOOT = range(9)
"""GPIO0 to GPIO8 are pulled up until software runs (BCM2835 ARM Peripherals, table of alternate functions)."""
MOTOR = ("motor_enable", "motor_forward", "motor_backward")
"""Enable first: low on all of them is off, and low on enable alone as well."""
DEVICES = ("button", "lid", "exit", "motor_forward", "motor_backward", "motor_enable", "buzzer", "light")

_EEPROM: Final = Text("GPIO0 and GPIO1 are for the EEPROM of a HAT; use a BCM number from {first} to {last}")
_NO_SUCH_GPIO: Final = Text("no such GPIO on the header; use a BCM number from {first} to {last}")
_TAKEN: Final = Text("already used by {key}; give each device a pin of its own")
_TAKEN_BY_DEFAULT: Final = Text(
    "already used by {key}, whose default it is; use another pin, or write another one for {key} as well"
)
_PULLED_UP: Final = Text(
    "GPIO0 to GPIO8 are pulled up while the Pi boots, so the motor would turn; use GPIO9 to GPIO27"
)
_FIXED: Final = Text("this GPIO has a fixed pull-up, so {key} cannot work; use another pin")
_PWM_HZ: Final = Text("use 50 to 10000; 200 suits lgpio")
_SECONDS: Final = Text("use 0 to {highest} seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioWiring:
    """Pin map of one launcher; the defaults are those of the build guide.

    :param button: push button to ground.
    :param lid: lid switch to ground, closed while the lid is shut: a broken wire reads as an open lid.
    :param exit: output of the light barrier at the exit; ``None`` without an exit sensor.
    :param motor_forward: H-bridge input for forward, or the gate of a single MOSFET.
    :param motor_backward: H-bridge input for backward; ``None`` with a single MOSFET (no retract).
    :param motor_enable: enable or sleep input of the bridge, pulled down by a resistor; ``None`` if not wired.
    :param motor_pwm: speed by PWM; ``False`` switches the pins only on or off.
    :param motor_pwm_hz: PWM frequency, hertz. lgpio's PWM is in software: 100 Hz to 1 kHz is realistic.
    :param buzzer: beeper; ``None`` for a silent launcher.
    :param buzzer_active: an active buzzer (one pitch) instead of a passive piezo (melodies).
    :param light: status light; ``None`` if there is none.
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
                remedy = _EEPROM if gpio in {0, 1} else _NO_SUCH_GPIO
                last = HEADER_GPIOS.stop - 1
                raise SettingError(name, gpio, remedy.filled(first=HEADER_GPIOS.start, last=last))
            if gpio in owners:
                raise self._clash(owners[gpio], name, gpio)
            if name in MOTOR and gpio in PULL_UP_AT_BOOT:
                raise SettingError(name, gpio, _PULLED_UP)
            if gpio in FIXED_PULL_UP and getattr(self, f"{name}_active_high", False):
                raise SettingError(name, gpio, _FIXED.filled(key=f"{name}_active_high"))
            owners[gpio] = name
        if not 50 <= self.motor_pwm_hz <= 10_000:
            raise SettingError("motor_pwm_hz", self.motor_pwm_hz, _PWM_HZ)

    def _clash(self, first: str, second: str, gpio: int) -> SettingError:
        """Return the error for two devices on one pin; a pin that is used by default is named as such."""
        by_default = next((field.name for field in fields(self) if field.default == gpio), None)
        if by_default == second:
            first, second = second, first
        remedy = _TAKEN_BY_DEFAULT if by_default == first else _TAKEN
        return SettingError(second, gpio, remedy.filled(key=first))

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(exit_sensor=self.exit is not None, retract=self.motor_backward is not None)

    def motor_lines(self) -> dict[str, int]:
        """The lines of ``MOTOR`` that are wired."""
        lines = self.lines()
        return {name: lines[name] for name in MOTOR if name in lines}

    def lines(self) -> dict[str, int]:
        """Device name to GPIO, for the devices that are wired."""
        return {name: gpio for name in DEVICES if (gpio := getattr(self, name)) is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioTiming:
    """Times of the filters, seconds.

    :param button_settle_s: contacts of cheap buttons bounce for up to 20 ms; the level must last longer than that.
    :param lid_settle_s: before a shut lid counts; an open lid counts at once.
    :param exit_settle_s: before a change at the light barrier counts; a card takes 30 ms and more, but the gap between
        two may last no more than 6.5 ms (simulated launcher), and a missed gap counts two cards as one.
    :param brake_s: how long an H-bridge brakes the motor after the last card; without, it coasts some 20 mm and often
        pushes the next card into the exit. 0: no brake.
    :param coast_s: after the motor is off, how long cards may still arrive before a feed is reported as ended. A small
        motor without load stands within 30 ms (assumed).
    """

    button_settle_s: float = 0.025
    lid_settle_s: float = 0.05
    exit_settle_s: float = 0.003
    brake_s: float = 0.04
    coast_s: float = 0.12

    def __post_init__(self) -> None:
        highest = {"button_settle_s": 0.5, "lid_settle_s": 1.0, "exit_settle_s": 0.005, "brake_s": 0.5, "coast_s": 2.0}
        for name, most_s in highest.items():
            if not 0 <= (value := getattr(self, name)) <= most_s:
                raise SettingError(name, value, _SECONDS.filled(highest=most_s))
