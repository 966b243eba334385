"""The physical launcher in software: it moves gpiozero mock pins and heeds what devices do to them.

The toy knows pins and physics, not the machine that drives it. Everything is in closed form and by events: it sets a
timer for the next thing that happens, and none at rest. It lives on a clock of its own and waits for nobody.
"""

from dispenser.toy.errors import LidShutError, NoToyError, StackFullError, ToyError, ToyValueError
from dispenser.toy.faults import ToyFault
from dispenser.toy.launcher_factory import LauncherFactory, the_toy
from dispenser.toy.parameters import ToyParameters
from dispenser.toy.pins import ToyFactory, ToyPin
from dispenser.toy.toy import Toy
from dispenser.toy.view import Happening, ToyEvent, ToyView
from dispenser.toy.wiring import Line, ToyWiring

__all__ = [
    "Happening",
    "LauncherFactory",
    "LidShutError",
    "Line",
    "NoToyError",
    "StackFullError",
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
