"""However it ends: the motor is off, the journal is whole, nobody has seen what is not in it."""

from __future__ import annotations

import random

from tests.pi.cases.conftest import times
from tests.pi.pi import SERVICE, Pi

LOW_WITHIN_S = 1.0
"""From a kill to a motor that is off, seconds of the Pi. What it really takes: python -m tests.pi measures."""
CARDS = 8


def burst_under_way(pi: Pi, chance: random.Random) -> int:
    """A burst has begun, some time ago, and goes on; the last entry before it."""
    before = pi.seq()
    pi.page("POST", "eject", {"cards": CARDS})
    pi.wait(pi.runs, "the motor runs", within_s=10)
    pi.pass_time(chance.uniform(0, 0.25))
    return before


def check_motor_off(pi: Pi, since_s: float, within_s: float = LOW_WITHIN_S) -> None:
    """Soon, and it stays so."""
    pi.wait(lambda: not any(pi.levels().values()), "the motor's lines are low", within_s=within_s)
    pi.pass_time(0.5)
    after_s = since_s + within_s
    assert not any(each["level"] for name in ("enable", "forward") for each in pi.lines(name, after_s)), (
        "nobody starts it"
    )


def check_after(pi: Pi) -> None:
    """It is up again by itself, with all that was seen, and answers."""
    pi.wait_active()
    pi.check_journal()
    before = pi.seq()
    pi.page("POST", "load", {"cards": 112})
    pi.wait_for("launcher.stack.loaded", after=before)


def test_killed_at_random_moments_of_bursts(pi: Pi, chance: random.Random) -> None:
    """SIGKILL to the service, to the process that holds its pins, or to both."""
    for _ in range(times(in_ci=5)):
        burst_under_way(pi, chance)
        whom = chance.choice(["main", "all", "pins"])
        killed_s = pi.now_s()
        if whom == "pins":
            pi.sh(f"kill -9 $(pgrep -P {pi.facts('MainPID')['MainPID']})")
        else:
            pi.run("systemctl", "kill", "--signal=KILL", f"--kill-who={whom}", SERVICE)
        check_motor_off(pi, killed_s)
        check_after(pi)
        pi.run("systemctl", "reset-failed", SERVICE)
        recover(pi)


def recover(pi: Pi) -> None:
    """Whoever looks after it has looked: whatever it was, it is ready again."""
    pi.refill()
    pi.wait(lambda: pi.snapshot()["state"] != "open", "it knows that the lid is shut")
    if pi.snapshot()["state"] in {"fault", "jammed", "empty"}:
        pi.page("POST", "reset", {})
    pi.wait(lambda: pi.snapshot()["state"] == "ready", "ready")


def test_a_service_that_hangs_is_ended_by_the_watchdog_and_leaves_a_report(pi: Pi, chance: random.Random) -> None:
    burst_under_way(pi, chance)
    first = pi.facts("MainPID")["MainPID"]
    stopped_s = pi.now_s()
    pi.run("kill", "-STOP", first)
    check_motor_off(pi, stopped_s, within_s=5)
    pi.wait(lambda: pi.facts("MainPID")["MainPID"] not in {first, "0"}, "systemd starts another", within_s=40)
    check_after(pi)
    report = pi.run("sudo", "-u", "dispenser", "/usr/local/bin/dispenser", "log", "--crash").out
    assert "watchdog" in report
    recover(pi)


def test_pins_that_hang_do_not_keep_the_motor_running(pi: Pi, chance: random.Random) -> None:
    burst_under_way(pi, chance)
    stopped_s = pi.now_s()
    pi.sh(f"kill -STOP $(pgrep -P {pi.facts('MainPID')['MainPID']})")
    check_motor_off(pi, stopped_s, within_s=15)
    check_after(pi)
    recover(pi)


def test_power_cuts_at_random_moments_of_bursts(pi: Pi, chance: random.Random) -> None:
    for _ in range(times(in_ci=3)):
        burst_under_way(pi, chance)
        pi.look()
        pi.cut()
        pi.boot()
        pi.put_toy("--flawless")
        pi.wait_active()
        pi.listen()
        assert not any(pi.levels().values()), "nothing moves after a start"
        check_after(pi)
        recover(pi)
