"""Inside the virtual Pi: turns the motor on and waits to be killed."""

import signal

import lgpio

handle = lgpio.gpiochip_open(0)
for line in (23, 25):
    lgpio.gpio_claim_output(handle, line, 1)
signal.pause()
