"""What the simulator may cost: few wake-ups, no growth."""

from __future__ import annotations

import tracemalloc

from tests.live_blocks import live_blocks
from tests.simulator.rig import Rig


def test_a_burst_of_five_cards_wakes_the_simulator_ten_times() -> None:
    rig = Rig.build()
    rig.feed(5)
    before = rig.scheduler.wakeups
    rig.feed(5)
    assert rig.scheduler.wakeups - before <= 12, "two a card, and one for a card that the coast-down may push out"


def test_thousands_of_presses_leave_nothing_behind() -> None:
    rig = Rig.build()

    def presses(count: int) -> None:
        for _ in range(count):
            rig.simulator.push_button()
            rig.motor.forward()
            rig.run(0.2)
            rig.motor.stop()
            rig.run(0.2)
            rig.simulator.unload()
            rig.simulator.load(20)
            rig.edges.clear()
            rig.events.clear()

    presses(50)
    tracemalloc.start()
    try:
        presses(50)
        before = live_blocks()
        presses(500)
        after = live_blocks()
    finally:
        tracemalloc.stop()
    assert after - before < 250, "less than one block for two presses"
