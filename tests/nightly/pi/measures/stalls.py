"""``stalls``: bursts of four beside whatever holds up the service, the toy in a process of its own: exactly four."""

from __future__ import annotations

from tests.bench.measure import Measure
from tests.nightly.pi.measures.trace import PYTHON, Traced
from tests.nightly.pi.pi import SERVICE, WORLD

CARDS = 4
HELD_UP = {
    "the page's import and nothing else": "",
    **{f"loop stalls of {ms} ms": f"sleep {ms / 1000}" for ms in (10, 25, 60, 120, 250, 500)},
    "the interpreter's lock held for 100 ms": "lock",
    "garbage": "garbage",
}
"""What ``stalled.py`` in ``tests/nightly/pi/guest`` does."""
DROP_IN = f"/run/systemd/system/{SERVICE}.d/measures.conf"
AFTER_S = 1.0
"""After a burst: a card too many would be out by now."""
ENOUGH = 40
"""Cards; with fewer in its stack it is filled again."""


def stalls(pi: Traced, times: int) -> list[Measure]:
    """By the button, an eighth as many of each kind as there are edges of a kind, each row from a start on.

    A push comes as soon as the launcher is ready, so the page is imported meanwhile.
    """
    number = max(2, times // 8)
    pi.settle(cards=CARDS)
    pi.put_toy("--flawless")
    pi.run("systemctl", "restart", SERVICE)
    pi.listen()
    pi.wait_active()
    pi.tidy()
    rows = []
    for name, words in HELD_UP.items():
        command = f"ExecStart=\nExecStart={PYTHON} -P -B {WORLD}/stalled.py {words}\n" if words else ""
        pi.write(DROP_IN, f"[Service]\n{command}")
        pi.run("systemctl", "daemon-reload")
        pi.run("systemctl", "reset-failed", SERVICE)
        pi.run("systemctl", "restart", SERVICE)
        rows.append(_row(name, [_burst(pi) for _ in range(number)]))
    pi.run("rm", DROP_IN)
    pi.run("systemctl", "daemon-reload")
    return rows


def _burst(pi: Traced) -> tuple[int, int]:
    """Cards that are out, and cards that were told."""
    if pi.toy("view")["cards_in_stack"] < ENOUGH:
        pi.wait_active()
        pi.tidy(ENOUGH)
    before, out = pi.seq(), pi.cards_out()
    pi.toy("push_button")
    ended = pi.wait_for("launcher.burst.ended", after=before)
    pi.pass_time(AFTER_S)
    return pi.cards_out() - out, ended["data"]["delivered"]


def _row(name: str, bursts: list[tuple[int, int]]) -> Measure:
    right = 100 * bursts.count((CARDS, CARDS)) / len(bursts)
    return Measure(
        benchmark="stalls",
        measure=f"bursts of {CARDS} that are exactly that and told so, {name}",
        unit="%",
        ours=right,
        goal="100 %",
        met=right == 100.0,
        detail={"out and told": bursts},
    )
