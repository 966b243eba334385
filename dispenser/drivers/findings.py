"""The result type of ``dispenser doctor``."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dispenser.drivers.base import Levels
from dispenser.i18n import Text


class Status(enum.StrEnum):
    """``NOTE``: differs from a working launcher at rest, but is no error by itself."""

    GOOD = "good"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check, and what to do about it.

    :param command: command that fixes it, to be run by root; empty if there is none.
    """

    check: str
    status: Status
    found: Text | str
    advice: Text | str = ""
    command: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The result, in English."""
        return str(self.found)

    @property
    def remedy(self) -> str:
        """The advice, in English."""
        return str(self.advice)


_INPUTS = {
    "lid": (
        *("lid_open", "lid_active_high", Text("shut"), Text("open: nothing can move")),
        Text("shut it; if it stays so, its switch or a wire of it is broken"),
    ),
    "button": (
        *("button_down", "button_active_high", Text("up"), Text("down")),
        Text("let go of it; if it stays so, its wires touch"),
    ),
    "exit": (
        *("exit_blocked", "exit_blocked_high", Text("clear"), Text("something blocks the exit sensor")),
        Text("take the card out; if there is none, the sensor has no power or is out of line"),
    ),
}
"""By name: field of ``Levels``, the setting that inverts it on a Raspberry Pi, texts at rest and otherwise, advice."""
_ON_A_PIN = Text("{what} (GPIO{gpio})")
_WRONG_WAY = Text("{advice}; or {setting} is the wrong way")


def look_at_inputs(levels: Levels, *, exit_sensor: bool, gpios: Mapping[str, int] | None = None) -> Iterator[Finding]:
    """Yield a finding for each input.

    :param gpios: on a Raspberry Pi, name to GPIO.
    """
    for name, (level, setting, at_rest, otherwise, advice) in _INPUTS.items():
        if name == "exit" and not exit_sensor:
            yield Finding(name, Status.NOTE, Text("no exit sensor: cards are not counted"))
            continue
        what, remedy = (otherwise, advice) if getattr(levels, level) else (at_rest, None)
        if gpios is not None:
            what = _ON_A_PIN.filled(what=what, gpio=gpios[name])
        if remedy is not None and gpios is not None:
            remedy = _WRONG_WAY.filled(advice=advice, setting=setting)
        yield Finding(name, Status.GOOD if remedy is None else Status.NOTE, what, remedy or "")
