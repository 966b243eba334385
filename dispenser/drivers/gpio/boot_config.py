"""A Raspberry Pi's ``config.txt``: the line that a launcher needs, and the lines that give its pins to somebody else.

Without the first the kernel keeps an output at its level when the program that has set it dies, and no resistor can
pull it down. ``hardware/README.md``, *Safety first*, has the whole story.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from dispenser.i18n import Text

FILES = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
"""Where it is: since Raspberry Pi OS 12, and before. The first that is there counts."""
LINE = "dtparam=strict_gpiod"
_OURS = "# Card launcher: a pin lets go when its program dies."
_BLOCK = f"\n[all]\n{_OURS}\n{LINE}\n"


def has_line(text: str) -> bool:
    """Whether the line counts on every Pi: it stands in no section, or in ``[all]``."""
    section = "all"
    for line in map(str.strip, text.splitlines()):
        if heading := re.fullmatch(r"\[(.+)\]", line):
            section = heading[1].strip().lower()
        elif section == "all" and re.fullmatch(r"dtparam=(.*,)?strict_gpiod(=(on|true|yes|1))?(,.*)?", line):
            return True
    return False


def with_line(text: str) -> str:
    """The text with the line at its end, in a section that counts on every Pi; as it was if the line counts already."""
    return text if has_line(text) else f"{text.rstrip()}\n{_BLOCK}".lstrip("\n")


def without_line(text: str) -> str:
    """The text without what ``with_line`` has added."""
    return text.replace(_BLOCK, "")


# --- lines that take pins --------------------------------------------------------------------------------------------

_I2S = range(18, 22)
_SWITCHED = {
    **dict.fromkeys(("i2c_arm", "i2c", "i2c1"), range(2, 4)),
    "spi": range(7, 12),
    "i2s": _I2S,
    "enable_uart": range(14, 16),
}
"""``dtparam=`` of the board itself, and ``enable_uart=``: the GPIOs that each takes while it is on."""
_OVERLAYS: dict[str, Iterable[int]] = {
    "spi0-1cs": range(8, 12),
    "spi0-2cs": range(7, 12),
    "spi1-1cs": range(18, 22),
    "spi1-2cs": range(17, 22),
    "spi1-3cs": range(16, 22),
}
"""``dtoverlay=`` whose GPIOs no parameter changes."""
_PLACED: dict[str, dict[str, int]] = {
    "w1-gpio": {"gpiopin": 4},
    "w1-gpio-pullup": {"gpiopin": 4, "extpullup": 5},
    "i2c-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "gpio-ir": {"gpio_pin": 18},
    "gpio-ir-tx": {"gpio_pin": 18},
    "gpio-shutdown": {"gpio_pin": 3},
    "gpio-poweroff": {"gpiopin": 26},
    "dht11": {"gpiopin": 4},
    "pwm": {"pin": 18},
    "pwm-2chan": {"pin": 18, "pin2": 19},
}
"""``dtoverlay=`` whose parameters say which GPIOs it takes; these are the defaults."""
_NAMES_A_GPIO = {"gpio", "gpiopin", "gpio_pin", "int_pin", "interrupt"}
"""Parameters that do so in overlays of any name."""
_SOUND = ("hifiberry-", "iqaudio-", "justboom-", "allo-", "audioinjector-", "i2s-dac", "rpi-dac", "googlevoicehat-")
"""How the names of sound cards on the I²S pins begin."""
_ON = {"", "on", "true", "yes", "1"}

_TAKES = Text("GPIO{gpio} ({key}) is taken by {taker}, line {at} of {file}: {line}")
_GIVE_BACK = Text("{lines}. Put a # before that line and start the Pi again, or use another pin")


@dataclass(frozen=True, slots=True)
class Taker:
    """A line that gives pins to somebody else.

    :ivar name: of the overlay or the parameter.
    """

    name: str
    at: int
    line: str
    gpios: frozenset[int]


def takers(text: str) -> list[Taker]:
    """Those in a ``config.txt``. Lines for one model of Raspberry Pi count on all; those under ``[none]`` do not."""
    found: list[Taker] = []
    section = ""
    for at, line in enumerate(map(str.strip, text.splitlines()), 1):
        key, _, value = line.partition("=")
        if heading := re.fullmatch(r"\[(.+)\]", line):
            section = heading[1].strip().lower()
        elif section == "none":
            continue
        elif key == "dtoverlay":
            name, *words = re.split("[,:]", value)
            found.append(Taker(name, at, line, frozenset(_of_overlay(name, _parameters(words)))))
        else:
            for name, on in _switches(key, value):
                found = [taker for taker in found if taker.name != name]  # the last one counts
                found += [Taker(name, at, line, frozenset(_SWITCHED[name]))] if on else []
    return found


def _parameters(words: Iterable[str]) -> dict[str, str]:
    return {name.strip(): value.strip() for name, _, value in (word.partition("=") for word in words)}


def _switches(key: str, value: str) -> list[tuple[str, bool]]:
    """What a line that is no overlay switches on or off."""
    if key == "enable_uart":
        return [(key, value == "1")]
    parameters = _parameters(value.split(",")) if key == "dtparam" else {}
    return [(name, setting in _ON) for name, setting in parameters.items() if name in _SWITCHED]


def _of_overlay(overlay: str, parameters: Mapping[str, str]) -> Iterable[int]:
    if overlay == "audremap":
        return (18, 19) if "pins_18_19" in parameters else (12, 13)
    if overlay.startswith(_SOUND):
        return _I2S
    if overlay in _OVERLAYS:
        return _OVERLAYS[overlay]
    gpios = dict(_PLACED.get(overlay, {}))
    named = {name: int(value) for name, value in parameters.items() if value.isdecimal()}
    gpios |= {name: gpio for name, gpio in named.items() if name in gpios or name in _NAMES_A_GPIO}
    return gpios.values()


def who_takes(gpios: Mapping[str, int]) -> Text | None:
    """Which lines of this computer's ``config.txt`` give these pins away, and what to do; ``None`` when none does.

    :param gpios: name to GPIO.
    """
    file = next((file for file in FILES if file.is_file()), None)
    found: list[Taker] = []
    if file is not None:
        with suppress(OSError):
            found = takers(file.read_text(encoding="utf-8", errors="replace"))
    lines = [
        _TAKES.filled(gpio=gpio, key=key, taker=taker.name, at=taker.at, file=file, line=taker.line)
        for key, gpio in gpios.items()
        for taker in found
        if gpio in taker.gpios
    ]
    return _GIVE_BACK.filled(lines=joined(lines)) if lines else None


def joined(texts: list[Text]) -> Text:
    """At least one text, one after the other. Unlike ``listed``, the journal keeps it in every language."""
    return reduce(lambda first, more: Text("{first}; {more}").filled(first=first, more=more), texts)
