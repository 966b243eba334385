"""Inside the virtual Pi: the simulator, a process of its own on the other side of the kernel's GPIO lines.

It knows nothing of the service. Its contacts drive the lines as what is wired to a Pi does (``…/sim_gpioN/pull``); its
motor heeds the levels of the outputs (``…/sim_gpioN/value``), of which the kernel tells. Acts come by the port
``simulator``, one line of JSON each: ``{"act": "push_button", "with": {"hold_s": 0.1}}``; answers and all that happens
go out there.
"""

from __future__ import annotations

import json
import os
import select
import sys
import threading
import time
from pathlib import Path

sys.path.append("/usr/local/lib/pi")

from agent import lines, port

from dispenser.clocks import ThreadClock
from dispenser.simulator import Line, Simulator, SimulatorFactory, SimulatorParameters, SimulatorWiring

OUTPUTS = {23: "forward", 24: "backward", 25: "enable"}
WIRING = SimulatorWiring(
    button=Line(17, active_high=False),
    lid=Line(27),
    exit=Line(22),
    motor_forward=Line(23),
    motor_backward=Line(24),
    motor_enable=Line(25),
)


def chip() -> Path:
    return next(Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*"))


class KernelPin:
    """One line of the chip, as the simulator wants its pins."""

    frequency = None

    def __init__(self, number: int) -> None:
        folder = chip() / f"sim_gpio{number}"
        self._pull = folder / "pull"
        self.value = os.open(folder / "value", os.O_RDONLY)
        self.on_output = None

    @property
    def output(self) -> float:
        return float(os.pread(self.value, 1, 0))

    def put(self, level: bool) -> bool:
        """Drive the line from outside. The kernel tells who listens, so nobody else must."""
        with self._pull.open("wb", buffering=0) as pull:
            pull.write(b"pull-up" if level else b"pull-down")
        return False


class KernelFactory(SimulatorFactory):
    """The chip's lines in place of mock pins."""

    def __init__(self) -> None:
        super().__init__()
        self._kernels: dict[int, KernelPin] = {}

    def pin(self, number: int) -> KernelPin:
        if number not in self._kernels:
            self._kernels[number] = KernelPin(number)
        return self._kernels[number]

    def watch(self, tell) -> None:
        """Tell the simulator of every change of an output; never returns."""
        wait = select.poll()
        pins = {self.pin(number).value: self.pin(number) for number in OUTPUTS}
        names = {self.pin(number).value: name for number, name in OUTPUTS.items()}
        levels = {value: pin.output for value, pin in pins.items()}
        for value in pins:
            wait.register(value, select.POLLPRI | select.POLLERR)
        while True:
            for value, _events in wait.poll():
                level = pins[value].output
                if level != levels[value]:
                    levels[value] = level
                    at_s = time.monotonic()
                    pins[value].on_output(at_s, level, None)
                    tell({"line": names[value], "level": int(level), "at_s": at_s})
            self.on_writes()


class Mouth:
    """Says things to the tests, from any thread."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._lock = threading.Lock()

    def say(self, message: dict[str, object]) -> None:
        data = json.dumps(message).encode() + b"\n"
        with self._lock:
            while data:
                data = data[os.write(self._line, data) :]


def main() -> None:
    parameters = SimulatorParameters.flawless() if "--flawless" in sys.argv else SimulatorParameters()
    line = port("simulator")
    mouth = Mouth(line)
    factory = KernelFactory()
    simulator = Simulator(parameters, WIRING, factory, ThreadClock("simulator"), seed=1)
    simulator.add_listener(
        lambda event: mouth.say({"simulator": event.happening.value, "value": event.value, "at_s": event.time_s})
    )
    threading.Thread(target=factory.watch, args=(mouth.say,), daemon=True).start()
    mouth.say({"hello": time.monotonic()})
    for message in lines(line):
        asked = json.loads(message)
        try:
            if asked["act"] == "view":
                told = {name: getattr(simulator.view(), name) for name in simulator.view().__slots__}
            else:
                told = getattr(simulator, asked["act"])(**asked.get("with", {}))
            mouth.say({"done": told})
        except Exception as error:  # noqa: BLE001 - it is the tests' business
            mouth.say({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
