"""Errors of the simulator: what is wrong, where, and what to do."""

from __future__ import annotations

from dispenser.i18n import SpokenError


class ToyError(SpokenError):
    """The simulated launcher cannot do what was asked."""


class ToyValueError(ToyError, ValueError):
    """An invalid value, line or wiring."""


class LidShutError(ToyError, RuntimeError):
    """The lid is shut, so nobody can reach inside."""
