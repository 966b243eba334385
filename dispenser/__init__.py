"""Software for a motorized card launcher: state machine, simulator, journal, games, web page.

What hobbyists and rules engines import::

    from dispenser import Eject, Press, simulated_launcher, launcher_on_pins
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dispenser.version import VERSION

if TYPE_CHECKING:
    from dispenser.launcher.commands import Count, Eject, Load, Press, Reset
    from dispenser.service.assembly import launcher_on_pins, launcher_on_serial, simulated_launcher
    from dispenser.service.service import Service

__version__ = VERSION
__all__ = [
    "Count",
    "Eject",
    "Load",
    "Press",
    "Reset",
    "Service",
    "launcher_on_pins",
    "launcher_on_serial",
    "simulated_launcher",
]


def __getattr__(name: str) -> Any:
    """Import names lazily: ``dispenser log`` must not pay for gpiozero."""
    if name in __all__:
        is_command = name in {"Count", "Eject", "Load", "Press", "Reset"}
        module = "dispenser.launcher.commands" if is_command else "dispenser.service.assembly"
        return getattr(import_module(module), name)
    raise AttributeError(f"module 'dispenser' has no attribute {name!r}")
