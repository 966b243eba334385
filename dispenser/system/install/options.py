"""Options of the installation, and the settings that follow from them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dispenser.i18n import Text
from dispenser.system.shipped import shipped

BOARDS: Final[Mapping[str, Text]] = {
    "raspberry-pi-h-bridge": Text(
        "Raspberry Pi, H-bridge (DRV8833, TB6612FNG), exit sensor: as the build guide has it"
    ),
    "raspberry-pi-mosfet": Text("Raspberry Pi, a single MOSFET, exit sensor"),
    "raspberry-pi-no-exit-sensor": Text("Raspberry Pi, H-bridge, no exit sensor"),
    "raspberry-pi-active-buzzer": Text("Raspberry Pi, H-bridge, exit sensor, an active buzzer"),
    "arduino-uno": Text("Arduino Uno or Nano on USB"),
    "arduino-pro-mini-8mhz": Text("Arduino Pro Mini 3.3 V (8 MHz) on USB"),
}
"""Names of files in ``hardware/boards``."""
HELP: Final[Mapping[str, Text]] = {
    "board": Text("How the launcher is wired: the name of a file of hardware/boards, such as raspberry-pi-h-bridge."),
    "language": Text("The language in which the service speaks: en or fr."),
    "phones": Text("Let phones in the house open the page."),
    "config-txt": Text("Add to the Pi's config.txt the line that makes a pin let go when its program dies."),
    "dry-run": Text("Show each step without doing it."),
    "folder": Text("The project's folder, with the new version."),
    "later": Text("Ask nothing, and start nothing without settings: 'sudo dispenser install' does the rest."),
    "purge": Text("Also delete settings, journal and the launcher's user."),
    "yes": Text("Do not ask."),
}
"""Help texts of the options, for both command lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options described in ``HELP``; ``None`` if not given."""

    board: str | None = None
    language: str | None = None
    phones: bool | None = None
    config_txt: bool | None = None
    later: bool = False


def settings_text(board: str, *, phones: bool) -> str:
    """Return the settings file for a new launcher."""
    text = shipped(f"hardware/boards/{board}.toml").read_text(encoding="utf-8")
    if not phones:
        return text
    return (
        f"{text}\n[web]\nlan = true                # phones in the house join a table by its code\n"
        f'token = "{secrets.token_hex(16)}"  # for programs elsewhere; "sudo dispenser owner" is for your phone\n'
    )
