"""Software for a motorized card launcher: its brain, its simulated body, its journal and its page.

What hobbyists and rules engines import::

    from dispenser import simulated_launcher, launcher_on_pins
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dispenser.version import __version__

__all__ = ["Service", "__version__", "launcher_on_pins", "launcher_on_serial", "simulated_launcher"]

if TYPE_CHECKING:
    from dispenser.service import Service
    from dispenser.service.assembly import launcher_on_pins, launcher_on_serial, simulated_launcher


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: ``dispenser log`` must not pay for gpiozero."""
    if name in {"simulated_launcher", "launcher_on_pins", "launcher_on_serial"}:
        from dispenser.service import assembly

        return getattr(assembly, name)
    if name == "Service":
        from dispenser.service import Service

        return Service
    raise AttributeError(f"module 'dispenser' has no attribute {name!r}")
