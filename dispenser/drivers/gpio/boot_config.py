"""Check a Raspberry Pi's ``config.txt``: the line that a launcher needs, and lines that claim its pins.

Without that line the kernel keeps an output's level when the program that set it dies, and no resistor can pull it
down. See ``hardware/README.md``, *Safety first*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import NamedTuple

from dispenser.i18n import Text

FILES = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
"""Since Raspberry Pi OS 12, and before. The first existing one is used."""
LINE = "dtparam=strict_gpiod"
BLOCK = f"\n[all]\n# Card launcher: a pin lets go when its program dies.\n{LINE}\n"


def has_line(text: str) -> bool:
    """Return whether the line is in effect on every Pi: in no section, or in ``[all]``."""
    found = (line for _, section, line in _lines(text) if section == "all")
    return any(re.fullmatch(r"dtparam=(.*,)?strict_gpiod(=(on|true|yes|1))?(,.*)?", line) for line in found)


def with_line(text: str) -> str:
    """Append the line, in a section for every Pi, unless it is in effect already; return the text."""
    return text if has_line(text) else f"{text.rstrip()}\n{BLOCK}".lstrip("\n")


def without_line(text: str) -> str:
    """Return the text without the block that ``with_line`` added."""
    return text.replace(BLOCK, "")


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield number, section and text of each line."""
    section = "all"
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if heading := re.fullmatch(r"\[(.+)\]", line):
            section = heading[1].strip().lower()
        yield number, section, line


# --- lines that take pins --------------------------------------------------------------------------------------------

_SWITCHED = {
    **dict.fromkeys(("i2c_arm", "i2c", "i2c1"), range(2, 4)),
    "spi": range(7, 12),
    "i2s": range(18, 22),
    "enable_uart": range(14, 16),
}
"""``dtparam=`` of the board itself, and ``enable_uart=``: the GPIOs that each uses while on."""
_OVERLAYS: dict[str, Collection[int]] = {
    "spi1-1cs": range(18, 22),
    "spi1-2cs": range(17, 22),
    "spi1-3cs": range(16, 22),
    "audremap": (12, 13),
}
"""``dtoverlay=`` with fixed GPIOs."""
_PLACED: dict[str, dict[str, int]] = {
    "w1-gpio": {"gpiopin": 4},
    "i2c-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "gpio-ir": {"gpio_pin": 18},
    "gpio-shutdown": {"gpio_pin": 3},
    "gpio-poweroff": {"gpiopin": 26},
    "dht11": {"gpiopin": 4},
    "pwm": {"pin": 18},
    "pwm-2chan": {"pin": 18, "pin2": 19},
}
"""``dtoverlay=`` with parameters for its GPIOs; these are the defaults."""
_SOUND_CARDS = ("hifiberry-", "iqaudio-", "justboom-", "allo-", "audioinjector-", "i2s-dac", "rpi-dac")
"""Name prefixes of overlays for sound cards on the I²S pins."""
_ON = {"", "on", "true", "yes", "1"}

_TAKES = Text("GPIO{gpio} ({key}) is taken by {taker}, line {at} of {file}: {line}")
_GIVE_BACK = Text("{lines}. Put a # before that line and start the Pi again, or use another pin")


class Taker(NamedTuple):
    """A line that claims pins: its number, the overlay or parameter, the GPIOs."""

    at: int
    line: str
    name: str
    gpios: Collection[int]


def takers(text: str) -> list[Taker]:
    """Return those in a ``config.txt``. Lines for one model of Pi count on all, those under ``[none]`` on none."""
    found: dict[int | str, Taker] = {}  # by line, or by switchable parameter, whose last line counts
    for at, section, line in _lines(text):
        key, _, value = line.partition("=")
        if section == "none":
            continue
        if key == "dtoverlay":
            name, *words = re.split("[,:]", value)
            found[at] = Taker(at, line, name, _of_overlay(name, _parameters(words)))
        for name, setting in _parameters([line] if key == "enable_uart" else value.split(",")).items():
            if key in {"dtparam", "enable_uart"} and name in _SWITCHED:
                found[name] = Taker(at, line, name, _SWITCHED[name] if setting in _ON else ())
    return list(found.values())


def _parameters(words: list[str]) -> dict[str, str]:
    return {name.strip(): value.strip() for name, _, value in (word.partition("=") for word in words)}


def _of_overlay(overlay: str, parameters: Mapping[str, str]) -> Collection[int]:
    if overlay.startswith(_SOUND_CARDS):
        return _SWITCHED["i2s"]
    if overlay in _OVERLAYS:
        return _OVERLAYS[overlay]
    gpios = _PLACED.get(overlay, {})
    return {**gpios, **{name: int(parameters[name]) for name in gpios if parameters.get(name, "").isdecimal()}}.values()


def who_takes(gpios: Mapping[str, int]) -> Text | None:
    """Return which lines of this computer's ``config.txt`` claim these pins, and what to do; ``None`` if none does.

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
    if not lines:
        return None
    # unlike ``listed``, this can be journaled in every language
    joined = reduce(lambda first, more: Text("{first}; {more}").filled(first=first, more=more), lines)
    return _GIVE_BACK.filled(lines=joined)
