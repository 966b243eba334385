"""However it ends: the motor is off, the journal is whole, nobody has seen what is not in it."""

from __future__ import annotations

import random

from tests.nightly.pi.pi import Pi

CARDS = 12
"""As many as are allowed, so that the motor turns for long."""


def burst_under_way(pi: Pi, chance: random.Random) -> None:
    """A burst has begun, some time ago, and goes on."""
    pi.page("POST", "eject", {"cards": CARDS})
    pi.wait(pi.runs, "the motor runs", within_s=10)
    pi.pass_time(chance.uniform(0, 0.25))
    assert pi.runs(), "it still runs when it is struck"


def check_motor_off(pi: Pi, since_s: float, within_s: float) -> None:
    """Soon, and it stays so."""
    pi.wait(lambda: not pi.runs(), "the motor's lines are low", within_s=within_s)
    low_s = max(each["at_s"] for name in ("enable", "forward", "backward") for each in pi.lines(name))
    assert since_s < low_s < since_s + within_s
    pi.pass_time(1)
    assert not any(pi.levels().values()), "the chip says so, too"
    assert not any(each["level"] for each in pi.lines("enable", low_s)), "nobody starts it"


def check_after(pi: Pi) -> None:
    """It is up again by itself, with all that was seen, and answers."""
    pi.wait_active()
    pi.wait(lambda: pi.snapshot()["journal"], "a new session has begun")
    pi.check_journal()
    before = pi.seq()
    pi.page("POST", "load", {"cards": 112})
    pi.wait_for("launcher.cards.loaded", after=before)


def test_pins_that_hang_do_not_keep_the_motor_running(pi: Pi, chance: random.Random) -> None:
    _, pins = pi.processes()
    burst_under_way(pi, chance)
    stopped_s = pi.now_s()
    pi.sh(f"kill -STOP {pins}")
    check_motor_off(pi, stopped_s, within_s=15)
    check_after(pi)
