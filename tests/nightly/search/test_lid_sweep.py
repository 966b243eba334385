"""The lid goes up at each millisecond of a burst, on each wiring: the scenario of the gating tier, in finer steps."""

from __future__ import annotations

import pytest

from dispenser.scenario.launcher.runner import failures
from tests.scenario.rig import parse, play
from tests.scenarios.test_scenarios import FOLDER

SCENARIO = (FOLDER / "lid-up-at-any-moment-of-a-burst-stops-the-motor.toml").read_text(encoding="utf-8")
MOMENTS = "at = { from = 1.03, to = 2.8, by = 0.1 }"
WIRINGS = {
    "bridge": "",
    "bridge without enable": 'motor_enable = "none"',
    "MOSFET": 'motor_backward = "none"\nmotor_enable = "none"',
    "no exit sensor": 'exit = "none"',
}


@pytest.mark.parametrize("wiring", WIRINGS)
def test_lid_up_at_any_millisecond_of_a_burst_stops_the_motor(wiring: str) -> None:
    finer = SCENARIO.replace(MOMENTS, "at = { from = 1.03, to = 1.73, by = 0.001 }")
    setup = f"[setup.launcher]\nsuspense_min_s = 0\nsuspense_max_s = 0\n[setup.pins]\n{WIRINGS[wiring]}\n[[step]]"
    plays = play(parse(finer.replace("[[step]]", setup, 1)))
    assert len(plays) > 700
    assert all(each.passed for each in plays), "\n".join(failures(plays))


@pytest.mark.parametrize("trouble", ["jam the roller", "misfeed"])
def test_so_it_does_while_a_burst_is_tried_again(trouble: str) -> None:
    finer = SCENARIO.replace(MOMENTS, "at = { from = 1.03, to = 3.5, by = 0.005 }")
    troubled = f'[[step]]\nat = 0.5\ndo = "{trouble}"\ncards = 5\n[[step]]'
    plays = play(parse(finer.replace("[[step]]", troubled, 1)))
    assert len(plays) > 400
    assert all(each.passed for each in plays), "\n".join(failures(plays))
