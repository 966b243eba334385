"""The GPIO driver: pins of a Raspberry Pi by gpiozero, or mock pins with the simulator behind them.

In the process that owns the pins (``__main__``): ``driver`` claims them and keeps the contract, ``inputs`` debounces,
``run_supervisor`` acts where the edges arrive, ``run`` is one motor run, ``motor`` and ``beeper`` are what they move.
In the service: ``spawn`` starts that process, ``client`` is the driver that talks to it, in the messages of ``ipc``.

Nothing is imported here: the service needs no gpiozero.
"""
