"""``kind = "gpio"``: the pins of this Raspberry Pi, and what the doctor checks of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from dispenser.drivers.base import Levels, PinsUnavailableError, Scheduler
from dispenser.drivers.findings import Finding, Status, look_at_inputs
from dispenser.drivers.gpio.boot_config import BLOCK, FILES, has_line, who_takes
from dispenser.drivers.gpio.client import GpioProcess, GpioProcessDriver
from dispenser.drivers.gpio.ipc import Setup
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.drivers.kinds import Parts
from dispenser.i18n import Text

_BOOT = FILES[0]
_INSTALL_LGPIO = ("apt-get", "install", "-y", "python3-lgpio")
_ADD_STRICT = ("sh", "-c", "printf '{}' >>{}".format(BLOCK.replace("\n", r"\n"), _BOOT))


def make(parts: Parts, scheduler: Scheduler) -> GpioProcessDriver:
    return GpioProcessDriver(Setup(parts.pins, parts.timing), GpioProcess, scheduler)


def pi_model() -> str | None:
    """Return such as ``Raspberry Pi 4 Model B Rev 1.4``; ``None`` on other computers."""
    for path in (Path("/proc/device-tree/model"), Path("/proc/cpuinfo")):
        with suppress(OSError):
            if found := re.search(r"Raspberry Pi[^\n\0]*", path.read_text(encoding="ascii", errors="replace")):
                return found[0]
    return None


def outputs_persist() -> bool | None:
    """Return whether this kernel keeps an output's level when its program dies; ``None`` if unknown."""
    for parameter in Path("/sys/module").glob("pinctrl_*/parameters/persist_gpio_outputs"):
        with suppress(OSError):
            return parameter.read_text(encoding="ascii").strip() == "Y"
    return None


def examine(parts: Parts, *, runs: bool) -> Iterator[Finding]:
    """Yield the findings of ``dispenser doctor``. Never drives an output."""
    from dispenser.drivers.gpio.factory import open_pin_factory  # loads gpiozero, which the service does not need

    model = pi_model()
    try:
        factory = open_pin_factory()
    except PinsUnavailableError as error:
        yield _no_pins(model, error)
        return
    with closing(factory):
        yield Finding("packages", Status.GOOD, Text("lgpio is installed"))
        opens = Text("lgpio opens the pins of this {computer}").filled(computer=model or Text("computer"))
        yield Finding("pins", Status.GOOD, opens)
        yield _after_a_crash(outputs_persist())
        if takes := who_takes(parts.pins.lines()):
            yield Finding("pins", Status.NOTE, takes)
        if runs:
            text = Text("not read: a launcher runs on these pins, and it watches them")
            yield Finding("levels", Status.NOTE, text, Text("'dispenser watch' shows what it sees"))
        else:
            yield from _levels(parts.pins, factory)


def _no_pins(model: str | None, error: PinsUnavailableError) -> Finding:
    """Return the finding for pins that cannot be used."""
    from dispenser.drivers.gpio.factory import access_advice

    if model is None:
        text = Text("no pins here: this is no Raspberry Pi")
        return Finding("pins", Status.NOTE, text, Text("'dispenser demo' gives a simulated launcher"))
    found = Text("{computer}: {error}").filled(computer=model, error=error)
    if isinstance(error.__cause__, ImportError):
        return Finding("packages", Status.WRONG, found, "", _INSTALL_LGPIO)
    return Finding("pins", Status.WRONG, found, "", access_advice()[1])


def _after_a_crash(persist: bool | None) -> Finding:
    if persist is False:
        return Finding("crash", Status.GOOD, Text("an output goes off by itself when its program dies"))
    text = Text("an output keeps its level when its program dies, for all we know")
    if persist:
        text = Text("an output keeps its level when its program dies")
    remedy = Text("add 'dtparam=strict_gpiod' to /boot/firmware/config.txt and start the Pi again")
    can_add = _BOOT.exists() and not has_line(_BOOT.read_text(encoding="utf-8", errors="replace"))
    return Finding("crash", Status.NOTE, text, remedy, _ADD_STRICT if can_add else ())


def _levels(wiring: GpioWiring, factory: Any) -> Iterator[Finding]:
    """Yield findings for the input levels. Outputs are not used."""
    from dispenser.drivers.gpio.factory import pin_errors, who_has
    from dispenser.drivers.gpio.inputs import InputPin

    active = {"button": False, "lid": False, "exit": False}
    try:
        for name in active.keys() & wiring.lines().keys():
            with closing(InputPin(name, wiring, factory)) as pin:
                active[name] = pin.active
    except pin_errors() as error:
        text = Text("the input pins cannot be read ({error})").filled(error=f"{type(error).__name__}: {error}")
        who = who_has(error, wiring.lines())
        remedy = who or Text("end the other program that uses these pins, then look again")
        yield Finding("levels", Status.WRONG, text, remedy)
        return
    levels = Levels(lid_open=active["lid"], exit_blocked=active["exit"], button_down=active["button"])
    yield from look_at_inputs(levels, exit_sensor=wiring.capabilities.exit_sensor, gpios=wiring.lines())
