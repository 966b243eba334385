"""Button and lid: contacts that bounce, within limits, and always come to rest where they belong."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dispenser.simulator import SimulatorFault, SimulatorValueError
from tests.simulator.rig import RawEdge, Rig

ACTS = 300


def bounces(rig: Rig, line: str, act: str) -> list[list[RawEdge]]:
    """The edges of each of many acts."""
    found = []
    for number in range(ACTS):
        rig.edges.clear()
        if act == "button":
            (rig.simulator.release_button if number % 2 else rig.simulator.hold_button)()
        else:
            (rig.simulator.close_lid if number % 2 else rig.simulator.open_lid)()
        rig.run(0.1)
        found.append(rig.of(line))
    return found


@pytest.mark.parametrize("line", ["button", "lid"])
def test_every_act_ends_in_its_state_and_bounces_within_the_limits(line: str) -> None:
    durations_ms = []
    for number, edges in enumerate(bounces(Rig.build(seed=11), line, line)):
        assert [edge.active for edge in edges] == [number % 2 == count % 2 for count in range(len(edges))]
        assert edges[-1].active is (number % 2 == 0)
        durations_ms.append((edges[-1].at_s - edges[0].at_s) * 1e3)
    assert max(durations_ms) <= 6.2 + 0.002
    bouncing = [ms for ms in durations_ms if ms > 0.0]
    assert min(bouncing) >= 0.1 - 0.002
    assert len(bouncing) < ACTS, "some acts are clean"
    assert max(bouncing) > 4.0
    assert min(bouncing) < 0.2


def test_a_worn_button_bounces_often_and_for_up_to_20_ms() -> None:
    rig = Rig.build(seed=12)
    rig.simulator.switch_fault(SimulatorFault.BOUNCING_BUTTON)
    durations_ms = []
    for edges in bounces(rig, "button", "button"):
        assert len(edges) >= 9
        durations_ms.append((edges[-1].at_s - edges[0].at_s) * 1e3)
    assert 18.0 < max(durations_ms) <= 20.0 + 0.002
    assert min(durations_ms) >= 6.2 - 0.002


@pytest.mark.parametrize("after_s", [0.0, 0.002])
def test_an_act_in_the_middle_of_a_bounce_wins(after_s: float) -> None:
    for seed in range(40):
        rig = Rig.build(seed=seed)
        rig.simulator.open_lid()
        rig.run(after_s)
        rig.simulator.close_lid()
        rig.run(0.1)
        assert not rig.level("lid"), f"seed {seed}"
        states = [edge.active for edge in rig.of("lid")]
        assert all(one != other for one, other in pairwise(states)), f"seed {seed}"


def test_a_push_is_held_as_long_as_asked_unless_another_act_comes_first() -> None:
    rig = Rig.build()
    begin_s = rig.scheduler.time()
    rig.simulator.push_button(hold_s=0.4)
    rig.run(0.3)
    assert rig.level("button")
    rig.run(0.3)
    assert not rig.level("button")
    assert next(at_s for at_s in (edge.at_s - begin_s for edge in rig.of("button")) if at_s > 0.1) == pytest.approx(0.4)
    rig.simulator.push_button(hold_s=1.0)
    rig.simulator.release_button()
    rig.simulator.hold_button()
    rig.run(2.0)
    assert rig.level("button"), "the release of the push is forgotten"
    with pytest.raises(SimulatorValueError, match="hold_s"):
        rig.simulator.push_button(hold_s=0.0)
