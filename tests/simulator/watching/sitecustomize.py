"""Python imports this before a script of ``tests.simulator.scripts``: what drives and watches the simulated launcher.

Lines that come in are acts of the simulator (``hold_button``); lines that go out are what happens to it, as JSON. The
last one tells how it is when gpiozero has closed everything.
"""

from __future__ import annotations

import atexit
import json
import os
import threading
from typing import Any


def _watch(acts: int, happenings: int) -> None:
    out = os.fdopen(happenings, "w", buffering=1)

    def tell(*what: Any) -> None:
        print(json.dumps(what), file=out)

    def tell_end() -> None:
        view = simulator.view()
        tell("end", view.motor_commanded, view.cards_out)

    atexit.register(tell_end)  # before gpiozero registers its own, so it comes after that
    from dispenser.simulator import the_simulator

    simulator = the_simulator()
    simulator.add_listener(lambda event: tell(event.happening.value, event.value, event.time_s))

    def obey() -> None:
        with os.fdopen(acts) as lines:
            for line in lines:
                getattr(simulator, line.strip())()

    threading.Thread(target=obey, daemon=True).start()


if "SIMULATOR_WATCH" in os.environ:
    _watch(*map(int, os.environ["SIMULATOR_WATCH"].split(",")))
