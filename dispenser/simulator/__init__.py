"""The physical launcher in software, behind gpiozero mock pins.

It simulates pins and physics, not the state machine that drives them. Motion is computed in closed form between events:
a timer is set for the next event, and none at rest. It runs on its own clock and never blocks.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dispenser.simulator.errors import LidShutError, SimulatorError, SimulatorValueError
    from dispenser.simulator.faults import SimulatorFault
    from dispenser.simulator.launcher import Simulator
    from dispenser.simulator.launcher_factory import LauncherFactory, the_simulator
    from dispenser.simulator.parameters import Line, SimulatorParameters, SimulatorWiring
    from dispenser.simulator.pins import SimulatorFactory, SimulatorPin
    from dispenser.simulator.view import Happening, SimulatorEvent, SimulatorView

__all__ = [
    "Happening",
    "LauncherFactory",
    "LidShutError",
    "Line",
    "Simulator",
    "SimulatorError",
    "SimulatorEvent",
    "SimulatorFactory",
    "SimulatorFault",
    "SimulatorParameters",
    "SimulatorPin",
    "SimulatorValueError",
    "SimulatorView",
    "SimulatorWiring",
    "the_simulator",
]

_MODULES = ("errors", "faults", "launcher_factory", "parameters", "pins", "launcher", "view")


def __getattr__(name: str) -> Any:
    """Import names lazily: the page of a real launcher uses only view and errors of the simulator."""
    if name in __all__:
        modules = (import_module(f"dispenser.simulator.{module}") for module in _MODULES)
        return next(getattr(module, name) for module in modules if hasattr(module, name))
    raise AttributeError(f"module 'dispenser.simulator' has no attribute {name!r}")
