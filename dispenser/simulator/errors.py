"""Errors of the simulator: what is wrong, where, and what to do."""

from __future__ import annotations

from dispenser.i18n import SpokenError


class SimulatorError(SpokenError):
    """The simulated launcher cannot do what was asked."""


class SimulatorValueError(SimulatorError, ValueError):
    """An invalid value, line or wiring."""


class LidShutError(SimulatorError, RuntimeError):
    """The lid is shut, so nobody can reach inside."""
