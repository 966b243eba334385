"""Write the file from which ``dispenser.motor_off`` turns the motor off when this process has died."""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from dispenser import motor_off
from dispenser.drivers.base import PinsUnavailableError
from dispenser.i18n import Text

_log = logging.getLogger(__name__)
_NO_HELP = "motor_off could not help after a crash"


def note_motor_lines(chip: str, lines: Mapping[str, int]) -> Callable[[], None]:
    """Write the note before the first line is claimed; it is locked while this process lives.

    If it cannot be written, that is logged and the start goes on.

    :param chip: such as ``/dev/gpiochip0``.
    :param lines: name to offset on the chip, enable first; low turns each of them off.
    :returns: function that removes the note; call it when the motor is off and its lines are released.
    :raises PinsUnavailableError: a launcher that is still running holds the note.
    """
    folder = motor_off.runtime_directory()
    if folder is None:
        _log.warning("no runtime directory, so %s; set XDG_RUNTIME_DIR", _NO_HELP)
        return lambda: None
    note, copy = Path(folder, motor_off.NOTE), Path(folder, motor_off.COPY)
    rows = "".join(f"{offset} {name}\n" for name, offset in lines.items())
    try:
        note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = os.open(note, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB)  # closing any other descriptor of it also unlocks it
        os.ftruncate(held, 0)
        os.write(held, f"{rows}{chip}\n{label_of(chip)}\n".encode())
        copy.write_text(Path(motor_off.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    except BlockingIOError as error:
        os.close(held)
        text = Text(
            "a launcher drives pins already, as {path} says. End it first; or, for another one on pins of its own, "
            "set RUNTIME_DIRECTORY to another folder"
        )
        raise PinsUnavailableError(text.filled(path=note)) from error
    except OSError as error:
        _log.warning("no note of the motor's lines, so %s: %s", _NO_HELP, error)
        note.unlink(missing_ok=True)
        return lambda: None

    def forget() -> None:
        try:
            note.unlink()
            copy.unlink()
            os.close(held)
        except OSError as error:
            _log.warning("the note of the motor's lines stays: %s", error)

    return forget


def label_of(chip: str) -> str:
    """Return the kernel's label of the chip, such as ``pinctrl-rp1``."""
    with Path(chip).open("r+b", buffering=0) as opened:
        return motor_off.label_of(opened.fileno())
