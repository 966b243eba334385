"""Inside the virtual Pi: what somebody writes who wants no more than a motor that a button starts and a lid stops.

lgpio's own callbacks, on the pins that the launcher has.
"""

from __future__ import annotations

import signal

import lgpio

BUTTON, LID, ENABLE = 17, 27, 25

handle = lgpio.gpiochip_open(0)
lgpio.gpio_claim_output(handle, ENABLE, 0)


def pushed(chip: int, gpio: int, level: int, tick: int) -> None:
    lgpio.gpio_write(handle, ENABLE, 1 - level)


def lifted(chip: int, gpio: int, level: int, tick: int) -> None:
    if level:
        lgpio.gpio_write(handle, ENABLE, 0)


lgpio.gpio_claim_alert(handle, BUTTON, lgpio.BOTH_EDGES, lgpio.SET_PULL_UP)
lgpio.gpio_claim_alert(handle, LID, lgpio.BOTH_EDGES, lgpio.SET_PULL_UP)
callbacks = [
    lgpio.callback(handle, BUTTON, lgpio.BOTH_EDGES, pushed),
    lgpio.callback(handle, LID, lgpio.BOTH_EDGES, lifted),
]
signal.pause()
