"""The driver for gpiozero pins: a Raspberry Pi's, or mock pins with the toy behind them.

``driver`` claims the pins and keeps the contract, ``reflex`` acts where the edges arrive (and says which thread may
touch what), ``line`` filters one input, ``run`` is one motor run, ``motor`` and ``beeper`` are what they move.
"""

from dispenser.drivers.pins.driver import GpioDriver

__all__ = ["GpioDriver"]
