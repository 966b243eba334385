"""Chimes on a passive piezo and on an active buzzer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from dispenser.drivers.gpio.beeper import Beeper
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.chimes import MELODIES
from dispenser.launcher.messages import Chime
from dispenser.simulator import SimulatorFactory
from tests.conftest import FakeScheduler


def guarded(action: Callable[[], None]) -> None:
    action()


@pytest.mark.parametrize("active", [False, True], ids=["piezo", "active buzzer"])
@pytest.mark.parametrize("chime", Chime)
def test_a_chime_is_played_as_written_and_is_over_by_itself(chime: Chime, active: bool) -> None:
    clock, factory = FakeScheduler(), SimulatorFactory()
    wiring = GpioWiring(buzzer_active=active)
    beeper = Beeper(wiring, factory, clock, guarded)
    changes: list[tuple[float, float]] = []  # when, and which pitch from then on; 1 of an active buzzer, 0 is silence

    def heard(_: float, level: float | None, frequency: float | None) -> None:
        changes.append((clock.time(), round(frequency or 1) if level else 0))

    assert wiring.buzzer is not None
    factory.pin(wiring.buzzer).on_output = heard
    beeper.play(chime)
    clock.run_for(5.0)
    sounds = [(pitch, round((until - at) * 1000)) for (at, pitch), (until, _) in pairwise(changes) if until > at]
    written = [(round(1 if active and pitch else pitch), ms) for pitch, ms in MELODIES[chime]]
    assert merged(sounds) == merged(written)
    assert changes[-1][1] == 0
    beeper.close()


def merged(notes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Notes of the same pitch in a row sound as one; a rest at the end is not heard."""
    result: list[tuple[int, int]] = []
    for pitch, ms in notes:
        if result and result[-1][0] == pitch:
            result[-1] = (pitch, result[-1][1] + ms)
        else:
            result.append((pitch, ms))
    return result[:-1] if result[-1][0] == 0 else result
