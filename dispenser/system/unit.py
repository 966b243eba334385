"""Our unit of systemd, as systemd knows it."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NoReturn

from dispenser.i18n import SpokenError, Text
from dispenser.system.programs import answer_of, systemd_runs

UNIT = "dispenser.service"
POWER_UNIT = "dispenser-power.path"
"""Waits for the service to ask that the computer be switched off."""
_PROPERTIES = ("LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "ExecMainStatus", "NRestarts")

_CALLS_TO_END: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
    """Inside, the service does not run; afterwards it does, whatever happened. For the main thread.

    :raises UnitError: it cannot be stopped, or started.
    :raises KeyboardInterrupt: with the number of the call to end that came; those after it are not heard.
    """
    before = {call: signal.getsignal(call) for call in _CALLS_TO_END}
    heard = [call for call, handler in before.items() if handler is not signal.SIG_IGN]  # as nohup has it
    for call in heard:
        signal.signal(call, lambda number, _: _end(heard, number))
    try:
        try:
            _order("stop")
        except KeyboardInterrupt:  # systemd may stop it all the same
            _order("start")
            raise
        try:
            yield
        finally:
            _deaf(heard)
            _order("start")
    finally:
        for call in heard:
            signal.signal(call, before[call])


def _deaf(calls: Iterable[signal.Signals]) -> None:
    for call in calls:
        signal.signal(call, signal.SIG_IGN)


def _end(calls: Iterable[signal.Signals], number: int) -> NoReturn:
    _deaf(calls)
    raise KeyboardInterrupt(number)


def _order(what: str) -> None:
    if answer_of("systemctl", what, UNIT, timeout_s=120.0) is None:
        text = Text("'systemctl {what} {unit}' fails: 'systemctl status {unit}' tells why; without sudo it may not")
        raise UnitError(text.filled(what=what, unit=UNIT))
