"""The physical launcher in software, behind gpiozero mock pins.

It simulates pins and physics, not the state machine that drives them. Motion is computed in closed form between events:
a timer is set for the next event, and none at rest. It runs on its own clock and never blocks.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dispenser.simulator.errors import LidShutError, ToyError, ToyValueError
    from dispenser.simulator.faults import ToyFault
    from dispenser.simulator.launcher_factory import LauncherFactory, the_toy
    from dispenser.simulator.parameters import Line, ToyParameters, ToyWiring
    from dispenser.simulator.pins import ToyFactory, ToyPin
    from dispenser.simulator.toy import Toy
    from dispenser.simulator.view import Happening, ToyEvent, ToyView

__all__ = [
    "Happening",
    "LauncherFactory",
    "LidShutError",
    "Line",
    "Toy",
    "ToyError",
    "ToyEvent",
    "ToyFactory",
    "ToyFault",
    "ToyParameters",
    "ToyPin",
    "ToyValueError",
    "ToyView",
    "ToyWiring",
    "the_toy",
]

_MODULES = ("errors", "faults", "launcher_factory", "parameters", "pins", "toy", "view")


def __getattr__(name: str) -> Any:
    """Import names lazily: the page of a real launcher uses only view and errors of the simulator."""
    if name in __all__:
        modules = (import_module(f"dispenser.simulator.{module}") for module in _MODULES)
        return next(getattr(module, name) for module in modules if hasattr(module, name))
    raise AttributeError(f"module 'dispenser.simulator' has no attribute {name!r}")
