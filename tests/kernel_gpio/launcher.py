"""A launcher in a burst, seen from outside: leaves its note, claims its motor's lines, drives them high, and hangs.

``python launcher.py [LINES]``: how many of the lines it gets to claim.
"""

from __future__ import annotations

import os
import signal
import sys

from dispenser.drivers.gpio.motor_note import note_motor_lines
from dispenser.motor_off import OUTPUT, config, request

MOTOR = {"motor_enable": 25, "motor_forward": 23, "motor_backward": 24}


def main() -> None:
    note_motor_lines("/dev/gpiochip0", MOTOR)
    chip = os.open("/dev/gpiochip0", os.O_RDWR)
    for offset in list(MOTOR.values())[: int(sys.argv[1])]:
        request(chip, offset, config(OUTPUT, 1))
    os.write(1, b"!")
    signal.pause()


if __name__ == "__main__":
    main()
