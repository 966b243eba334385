"""A serial driver that asks very often before it gives up: for tests over a true port, in real time.

On a busy computer the other end gets no processor for a while. That is no fault of the line, and a test that is about
something else must not see one. What the driver does after its own times is tested in virtual time.
"""

from __future__ import annotations

import sys

from dispenser.drivers.serial import handshake, session

TRIES = 500
"""30 s for a command or a beat, two minutes for a hello."""

PATIENT_DISPENSER = [
    sys.executable,
    "-c",
    "from tests.drivers.serial.patient import be_patient; be_patient(); from dispenser.cli import main; main()",
]
"""The command ``dispenser``, for ``started(by=...)``."""


def be_patient() -> None:
    """From now on in this process."""
    for module, name in (
        (handshake, "MAX_HELLOS"),
        (session, "MAX_HELLOS"),
        (session, "QUIET_HELLOS"),
        (session, "MAX_UNANSWERED"),
    ):
        setattr(module, name, TRIES)
