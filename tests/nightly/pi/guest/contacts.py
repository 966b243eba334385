"""Inside the virtual Pi: works the button or the lid, many times, and has the kernel write down what followed.

``contacts.py button|lid TIMES SEED``, or ``contacts.py kill PROCESS… SEED``: the service's processes are killed while
the motor turns, and the button is pushed as soon as it is up again. Before each edge that counts it leaves the mark
``edge`` in the kernel's trace. Whoever is woken by an edge goes first: this program has the processor when nobody else
wants it.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

BUTTON, LID, EXIT = 17, 27, 22
MARK = Path("/sys/kernel/tracing/trace_marker")
MOTOR_RUNS_S = 0.06
"""By then a push has been taken and the motor turns; and it has not yet missed its first card."""
CARD_S = 0.04
UP_AGAIN_S = 1.6
"""So long after a kill systemd has begun to start the service anew: to ask for it then is to wait for that."""
REST_S = (0.4, 1.1)
"""From one shot to the next: longer than a run takes to end, and at no fixed place between two seconds."""


class Contact:
    """One line of the chip, driven from outside."""

    def __init__(self, number: int) -> None:
        chip = next(Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*"))
        self._pull = os.open(chip / f"sim_gpio{number}/pull", os.O_WRONLY)

    def high(self) -> None:
        os.pwrite(self._pull, b"pull-up", 0)

    def low(self) -> None:
        os.pwrite(self._pull, b"pull-down", 0)


button, lid, exit_ = Contact(BUTTON), Contact(LID), Contact(EXIT)


def mark() -> None:
    MARK.write_bytes(b"edge")


def push() -> None:
    """One card leaves, which ends the run."""
    mark()
    button.low()
    time.sleep(MOTOR_RUNS_S)
    button.high()
    exit_.high()
    time.sleep(CARD_S)
    exit_.low()


def lift() -> None:
    """The lid, while the motor turns."""
    button.low()
    time.sleep(MOTOR_RUNS_S)
    button.high()
    time.sleep(CARD_S)
    mark()
    lid.high()
    time.sleep(MOTOR_RUNS_S)
    lid.low()


def kill(processes: list[int], dice: random.Random) -> None:
    """At some moment of a run; then the first push after the start that follows."""
    button.low()
    time.sleep(MOTOR_RUNS_S)
    button.high()
    time.sleep(dice.uniform(0, CARD_S))
    for process in processes:
        os.kill(process, signal.SIGKILL)
    time.sleep(UP_AGAIN_S)
    subprocess.run(["systemctl", "start", "dispenser"], check=True)
    push()


def main(words: list[str]) -> None:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    button.high()
    lid.low()
    exit_.low()
    act, *numbers, seed = words
    dice = random.Random(seed)
    if act == "kill":
        kill([int(each) for each in numbers], dice)
        return
    shot = {"button": push, "lid": lift}[act]
    for _ in range(int(numbers[0])):
        time.sleep(dice.uniform(*REST_S))
        shot()


if __name__ == "__main__":
    main(sys.argv[1:])
