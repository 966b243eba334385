"""``dispenser.drivers.gpio`` with the simulator on a thread of its own: ``… simulator_process LOG SEED FD``.

Each card that leaves is a byte more in the file LOG, so whoever watches need not ask.
"""

from __future__ import annotations

import os
import sys

from dispenser.clocks import ThreadClock
from dispenser.drivers.base import Scheduler
from dispenser.drivers.gpio.__main__ import main
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.ipc import Setup
from dispenser.service.assembly import simulator_wiring
from dispenser.service.settings import Settings
from dispenser.simulator import Happening, Simulator, SimulatorEvent, SimulatorFactory, SimulatorParameters

LOG, SEED = sys.argv[1:3]


def make_simulator_driver(setup: Setup, loop: Scheduler) -> GpioDriver:
    factory = SimulatorFactory()
    log = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    simulator = Simulator(
        SimulatorParameters.flawless(),
        simulator_wiring(Settings()),
        factory,
        ThreadClock("world"),
        int(SEED),
        cards=112,
    )

    def see(event: SimulatorEvent) -> None:
        if event.happening is Happening.CARD_LEFT:
            os.write(log, b"." * int(event.value or 0))
            if simulator.view().cards_in_stack < 40:
                simulator.load(60)

    simulator.add_listener(see)
    return GpioDriver(setup.wiring, factory, loop, timing=setup.timing)


del sys.argv[1:3]
main(make_simulator_driver)
