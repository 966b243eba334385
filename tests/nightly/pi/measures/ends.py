"""``ends``: kill -9 to motor off and to active again; start to READY; the first press after that."""

from __future__ import annotations

from dataclasses import dataclass

from tests.bench.measure import Measure
from tests.bench.timing import percentile
from tests.nightly.pi.measures.edges import FILTER_S
from tests.nightly.pi.measures.trace import PYTHON, Event, Traced, compared, delays_s
from tests.nightly.pi.pi import SERVICE, WORLD

OFF_AT_MOST = 1.5
START_AT_MOST = 3.0
ACTIVE_AGAIN_AT_MOST_S = 7.5
"""Half of the least that it took before there was a virtual Pi to measure it in: 15 to 31 s."""
RESTART_S = 1.0
"""``RestartSec`` of the unit."""
MOTOR_OFF = "/usr/bin/python3 -I -S -B"
BARE = "measures-bare.service"
IMPORT = "measures-import.service"
UNITS = {
    BARE: f"ExecStart={PYTHON} {WORLD}/bare_on.py\nExecStopPost={MOTOR_OFF} {WORLD}/bare_off.py\n",
    IMPORT: f'Type=oneshot\nRemainAfterExit=yes\nExecStart={PYTHON} -c "import gpiozero, lgpio"\n',
}
NO_START_LIMIT = "[Unit]\nStartLimitIntervalSec=0\n"
"""Else systemd refuses the sixth start within ten seconds."""
UP_S = 2.0


@dataclass(slots=True)
class Times:
    """Of a service that was killed and came back, seconds, one after the other."""

    off: list[float]
    again: list[float]
    ready: list[float]
    first_press: list[float]


def ends(pi: Traced, times: int) -> list[Measure]:
    """Kills of all its processes, and of the first alone (then the process that holds the pins turns the motor off)."""
    number = max(2, times // 8)
    for unit, text in UNITS.items():
        pi.write(f"/run/systemd/system/{unit}", f"{NO_START_LIMIT}[Service]\nWorkingDirectory=/run\n{text}")
    pi.run("systemctl", "daemon-reload")
    bare_off = [_bare_kill(pi) for _ in range(number)]
    bare_import = [_bare_import(pi) for _ in range(number)]
    pi.settle(cards=1)
    pi.run("systemctl", "restart", SERVICE)
    whole = _killed(pi, number, pins_too=True)
    alone = _killed(pi, number, pins_too=False)
    pi.run("systemctl", "stop", SERVICE)
    ready, first, again = (whole.ready + alone.ready, whole.first_press + alone.first_press, whole.again + alone.again)
    usual = "against the bare import in a process of its own"
    return [
        *compared("ends", "kill -9 of all its processes → motor off", bare_off, whole.off, OFF_AT_MOST),
        *compared("ends", "kill -9 of the first process → motor off", bare_off, alone.off, OFF_AT_MOST),
        *compared("ends", "start → READY", bare_import, ready, START_AT_MOST, usual),
        _row("first press after READY → motor on, less the filter, median", "ms", percentile(first, 0.5) * 1e3),
        _row("first press after READY → motor on, less the filter, longest", "ms", max(first) * 1e3),
        _row("kill -9 → active again, less RestartSec, median", "s", percentile(again, 0.5)),
        _row("kill -9 → active again, less RestartSec, longest", "s", max(again), ACTIVE_AGAIN_AT_MOST_S),
    ]


def _row(measure: str, unit: str, ours: float, at_most: float | None = None) -> Measure:
    goal = "" if at_most is None else f"≤ {at_most:g} {unit}"
    met = None if at_most is None else ours <= at_most
    return Measure(benchmark="ends", measure=measure, unit=unit, ours=ours, goal=goal, met=met)


def _killed(pi: Traced, number: int, *, pins_too: bool) -> Times:
    times = Times([], [], [], [])
    for seed in range(number):
        pi.run("systemctl", "reset-failed", SERVICE, check=False)
        pi.wait_active()
        first = pi.facts("MainPID")["MainPID"]
        processes = [first, *(pi.sh(f"cat /proc/{first}/task/{first}/children").split() if pins_too else [])]
        events = pi.contacts("kill", *processes, str(seed))
        facts = pi.facts("NRestarts", "ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")
        if facts["NRestarts"] == "0":
            raise AssertionError("systemd had not started it again by itself when it was asked for")
        begun_s, active_s = (int(facts[name]) / 1e6 for name in facts if name.endswith("Monotonic"))
        killed_s, off_s = _kill_to_off(events)
        times.off.append(off_s)
        times.ready.append(active_s - begun_s)
        times.again.append(active_s - killed_s - RESTART_S)
        times.first_press += [taken_s - FILTER_S for taken_s in delays_s(events, 1)]
    return times


def _kill_to_off(events: list[Event]) -> tuple[float, float]:
    """When the kill came, and how long the motor's enable was high after it."""
    killed_s = next(event.at_s for event in events if event.name == "signal_generate")
    low = (event for event in events if event.name == "gpio_value" and event.told.endswith("set 0"))
    return killed_s, next(event.at_s for event in low if event.at_s > killed_s) - killed_s


def _bare_kill(pi: Traced) -> float:
    pi.run("systemctl", "start", BARE)
    pi.pass_time(UP_S)
    return _kill_to_off(pi.traced("/bin/sh", "-c", f"systemctl kill --signal=KILL {BARE}; sleep {UP_S}"))[1]


def _bare_import(pi: Traced) -> float:
    pi.run("systemctl", "restart", IMPORT)
    names = ("ExecMainStartTimestampMonotonic", "ExecMainExitTimestampMonotonic")
    told = pi.run("systemctl", "show", IMPORT, f"--property={','.join(names)}").out
    begin_s, end_s = sorted(int(line.partition("=")[2]) / 1e6 for line in told.split())
    return end_s - begin_s
