"""Stands for a while where others look for it."""

from dispenser.cli.failures import why

__all__ = ["why"]
