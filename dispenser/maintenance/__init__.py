"""By hand and by wizard: what somebody does at the launcher itself, step by step, before or after an evening.

``wizard`` is one pure step machine: what the driver tells, answers and the time go in; commands and what to show come
out. ``steps`` is what its steps are made of; ``selftest`` and ``calibrate`` are lists of them, ``manual`` has none.
``bench`` joins one of them to a driver. A terminal and a page draw the same ``View`` and decide nothing; the driver
decides whether the motor turns, as always.
"""
