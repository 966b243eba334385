"""The driver for gpiozero pins: a Raspberry Pi's, or mock pins with the toy behind them.

``driver`` claims the pins and keeps the contract, ``reflex`` acts where the edges arrive (and says which thread may
touch what), ``inputs`` are heard and filtered, ``run`` is one motor run, ``motor`` and ``beeper`` are what they move.

On a Pi a small process of its own holds the pins (``__main__``), and ``remote`` is the driver that the service sees;
``early`` starts that process, ``post`` is what the two say to each other. Nothing is imported here: of all this the
service needs only those three, and no gpiozero.
"""
