"""Our unit of systemd, as systemd knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from dispenser.host.programs import answer_of, systemd_runs
from dispenser.language import SpokenError, Text

UNIT = "dispenser.service"
POWER_UNIT = "dispenser-power.path"
"""Waits for the service to ask that the computer be switched off."""
_PROPERTIES = ("LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "ExecMainStatus", "NRestarts")


class UnitError(SpokenError, OSError):
    """The unit does not do as it is told."""


def unit_properties(unit: str = UNIT) -> Mapping[str, str] | None:
    """What systemd knows of a unit of ours; ``None`` where systemd does not run."""
    if not systemd_runs():
        return None
    shown = answer_of("systemctl", "show", unit, f"--property={','.join(_PROPERTIES)}")
    return None if shown is None else dict(line.partition("=")[::2] for line in shown.splitlines())


def is_active() -> bool:
    """Whether the service runs, or is about to."""
    unit = unit_properties() or {}
    return unit.get("ActiveState") in {"active", "activating", "reloading", "deactivating"}


@contextmanager
def stopped() -> Iterator[None]:
    """Inside, the service does not run; afterwards it does, whatever happened.

    :raises UnitError: it cannot be stopped, or started.
    """
    _order("stop")
    try:
        yield
    finally:
        _order("start")


def _order(what: str) -> None:
    if answer_of("systemctl", what, UNIT, timeout_s=120.0) is None:
        text = Text("'systemctl {what} {unit}' fails: 'systemctl status {unit}' tells why; without sudo it may not")
        raise UnitError(text.filled(what=what, unit=UNIT))
