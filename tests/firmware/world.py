"""A microcontroller between simulator and host: it moves the pins of the one, which moves its inputs, in virtual time.

The device is the core on this computer or the real program in simavr; whoever holds the other end of its serial line
(the serial driver, a test) shares the scheduler.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.drivers.serial import tables as wire
from dispenser.service.assembly import simulator_wiring
from dispenser.service.settings import Settings
from dispenser.simulator import Simulator, SimulatorParameters, SimulatorPin
from tests.conftest import FakeScheduler
from tests.drivers.gpio.mock_pins import TroubleFactory
from tests.firmware.board import Uno
from tests.firmware.host import BRAKED, HostCore

WIRING = GpioWiring()
"""Which mock pin stands for which wire between the device and the simulator; the levels are the build guide's."""
PWM_HZ = 100
RESOLUTION_S = 1e-6
"""A device's clock may count whole microseconds."""


class HostDevice(HostCore):
    """The core on this computer as a device."""

    def run_to_s(self, seconds: float) -> None:
        self.run_to(round(seconds * 1e6), stop_early=True)

    def now_s(self) -> float:
        return self.now_us / 1e6


class Clock(FakeScheduler):
    """The scheduler of a world; it can tell when its next timer is due."""

    def next_s(self) -> float | None:
        while self._heap and self._heap[0].cancelled:
            heapq.heappop(self._heap)
        return self._heap[0].when if self._heap else None


class World:
    """The device, the simulator on its pins, and time.

    :ivar received: gets what the device sends, at the moment it was sent.
    """

    def __init__(self, device: Device, *, cards: int | None = None) -> None:
        self.device = device
        self.scheduler = Clock()
        self.received: Callable[[bytes], None] = lambda _: None
        self._begun_s = self.scheduler.time() - device.now_s()
        self.factory = TroubleFactory()
        flawless, wiring = SimulatorParameters.flawless(), simulator_wiring(Settings())
        self.simulator = Simulator(flawless, wiring, self.factory, self.scheduler, 1, cards=cards)
        self._outputs = {
            name: _output(self.factory, getattr(WIRING, name))
            for name in ("motor_enable", "motor_forward", "motor_backward", "buzzer", "light")
        }
        self._inputs = {WIRING.lid: ("lid", True), WIRING.button: ("button", False), WIRING.exit: ("exit", True)}
        for line, fact in (("lid", self.simulator.view().lid_open), ("button", False), ("exit", False)):
            device.put(line, fact)
        self.factory.on_input = self._on_input

    def start(self) -> None:
        """Power for the device."""
        self.device.start(wire.ResetCause.POWER_ON)
        self.show()

    def run(self, seconds: float) -> None:
        """Time goes on for all."""
        end_s = self.scheduler.time() + seconds
        while True:
            next_s = self.scheduler.next_s()
            until_s = end_s if next_s is None else max(self.scheduler.time(), min(end_s, next_s))
            self.device.run_to_s(until_s - self._begun_s)
            reached_s = self.device.now_s() + self._begun_s
            if reached_s > until_s - RESOLUTION_S:
                reached_s = until_s
            self.scheduler.run_for(max(0.0, reached_s - self.scheduler.time()))
            self.show()
            if reached_s >= end_s:
                self.scheduler.settle()
                self.show()
                return

    def show(self) -> None:
        """What the device does now goes to the simulator, what it has sent to the host."""
        device, outputs = self.device, self._outputs
        motor = device.motor
        if motor == 0:
            outputs["motor_enable"].state = 0
        outputs["motor_forward"].state = 1 if motor == BRAKED else max(0, motor) / 255
        outputs["motor_backward"].state = 1 if motor == BRAKED else max(0, -motor) / 255
        if motor:
            outputs["motor_enable"].state = 1
        if device.tone:
            outputs["buzzer"].frequency = device.tone / 10
        outputs["buzzer"].state = 0.5 if device.tone else 0
        outputs["light"].state = int(device.light)
        sent = device.sent()
        if sent:
            self.received(sent)

    def _on_input(self, gpio: int, level: bool) -> None:
        line, high = self._inputs[gpio]
        self.device.put(line, level == high)
        self.show()


def _output(factory: TroubleFactory, gpio: int | None) -> SimulatorPin:
    """The device's end of a wire to the simulator."""
    pin = factory.pin(gpio)
    assert isinstance(pin, SimulatorPin)
    pin.function = "output"
    pin.frequency = PWM_HZ
    return pin


class UnoDevice(Uno):
    """The real program in simavr as a device."""

    def start(self, reset_cause: int = wire.ResetCause.EXTERNAL) -> None:
        self.reset(1 << reset_cause)

    def run_to_s(self, seconds: float) -> None:
        self.run_to(round(seconds * self.hz), stop_early=True)

    def now_s(self) -> float:
        return self.cycle / self.hz


Device = HostDevice | UnoDevice
"""Something with the launcher's pins, a serial line and a clock."""
