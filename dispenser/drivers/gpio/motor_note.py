"""Writes the note from which ``dispenser.motor_off`` turns the motor off when this process has died."""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dispenser import motor_off
from dispenser.drivers.base import PinsUnavailableError
from dispenser.i18n import Text

_log = logging.getLogger(__name__)
_NO_HELP = "motor_off could not help after a crash"


def note_motor_lines(chip: str | None, lines: Mapping[str, int]) -> Callable[[], None]:
    """Write it, whole or not at all, before the first line is claimed; it is locked while this process lives.

    A note that cannot be written is no reason not to start; it is logged.

    :param chip: such as ``/dev/gpiochip0``; ``None`` for mock pins, which need no note.
    :param lines: name to offset on the chip, enable first; low turns each of them off.
    :returns: removes the note; to be called when the motor is off and its lines are released.
    :raises PinsUnavailableError: a launcher that still runs has left a note there.
    """
    if chip is None:
        return _nothing
    folder = motor_off.runtime_directory()
    if folder is None:
        _log.warning("no runtime directory, so %s; set XDG_RUNTIME_DIR", _NO_HELP)
        return _nothing
    note, copy = Path(folder, motor_off.NOTE), Path(folder, motor_off.COPY)
    _check_nobody_runs(note)
    try:
        text = "".join(f"{offset} {name}\n" for name, offset in lines.items()) + f"{chip}\n{label_of(chip)}\n"
        note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_whole(copy, Path(motor_off.__file__).read_text(encoding="utf-8"))
        _write_whole(note, text)
        held = os.open(note, os.O_RDWR | os.O_CLOEXEC)
        fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        _log.warning("no note of the motor's lines, so %s: %s", _NO_HELP, error)
        return _nothing

    def forget() -> None:
        try:
            note.unlink()
            copy.unlink()
            os.close(held)
        except OSError as error:
            _log.warning("the note of the motor's lines stays: %s", error)

    return forget


def chip_of(pin_factory: Any) -> str | None:
    """The kernel's GPIO chip behind a gpiozero pin factory; ``None`` when there is none, as behind mock pins."""
    number = getattr(pin_factory, "chip", None)
    return f"/dev/gpiochip{number}" if isinstance(number, int) else None


def _nothing() -> None:
    pass


def label_of(chip: str) -> str:
    """What the kernel calls that chip, such as ``pinctrl-rp1``."""
    with Path(chip).open("r+b", buffering=0) as opened:
        return motor_off.label_of(opened.fileno())


def _check_nobody_runs(path: Path) -> None:
    try:
        with path.open("rb") as note:
            runs = motor_off.holder(note.fileno()) != 0
    except OSError:
        return  # there is none
    if runs:
        raise PinsUnavailableError(
            Text(
                "a launcher drives pins already, as {path} says. End it first; or, for another one on pins of its own, "
                "set RUNTIME_DIRECTORY to another folder"
            ).filled(path=path)
        )


def _write_whole(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
