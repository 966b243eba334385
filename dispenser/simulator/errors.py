"""Errors of the simulator: what is wrong, where, and what to do."""

from __future__ import annotations

from dispenser.i18n import SpokenError


class ToyError(SpokenError):
    """Something asked of the simulated toy cannot be."""


class ToyValueError(ToyError, ValueError):
    """A figure, a line or a wiring that no toy can have."""


class LidShutError(ToyError, RuntimeError):
    """Hands cannot reach inside: the lid is shut."""
