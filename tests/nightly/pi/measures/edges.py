"""``edges``: press edge to motor on, lid edge to motor off, against lgpio's bare callback that sets the line."""

from __future__ import annotations

from tests.bench.measure import Measure
from tests.nightly.pi.measures.trace import PYTHON, Traced, compared, delays_s
from tests.nightly.pi.pi import SERVICE, WORLD

FILTER_S = 0.025
"""For so long a push must last before it is one (``button_settle_s``); the bare callback has no filter."""
PRESS_AT_MOST = 2.0
LID_AT_MOST = 1.2
SEED = "11"


def edges(pi: Traced, times: int) -> list[Measure]:
    """One after the other on the same pins. The motor is on with its enable, the last line that it needs."""
    shots = {"press": ("button", 1), "lid": ("lid", 0)}
    pid = pi.start(PYTHON, "-B", f"{WORLD}/bare_edges.py", output="/run/bare.log")
    pi.pass_time(2)
    bare = {name: delays_s(pi.contacts(act, str(times), SEED), level) for name, (act, level) in shots.items()}
    pi.sh(f"kill {pid}")
    pi.settle(cards=1)
    pi.run("systemctl", "start", SERVICE)
    pi.wait_active()
    pi.page("POST", "load", {"cards": 112})
    ours = {name: delays_s(pi.contacts(act, str(times), SEED), level) for name, (act, level) in shots.items()}
    pi.run("systemctl", "stop", SERVICE)
    for name, taken in [*bare.items(), *ours.items()]:
        if len(taken) != times:
            raise AssertionError(f"{name}: {len(taken)} of {times} edges moved the line\n{pi.said()}")
    press_s = [taken_s - FILTER_S for taken_s in ours["press"]]
    note = (
        f"less the filter of {FILTER_S * 1e3:g} ms; the press is in the journal, on the disk, before the motor starts"
    )
    return [
        *compared("edges", "press edge → motor on", bare["press"], press_s, PRESS_AT_MOST, note),
        *compared("edges", "lid edge → motor off", bare["lid"], ours["lid"], LID_AT_MOST),
    ]
