"""Chimes on a passive piezo and on an active buzzer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from dispenser.drivers.gpio.beeper import Beeper
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.chimes import MELODIES
from dispenser.launcher.messages import Chime
from tests.conftest import FakeScheduler

BUZZER = 18


class Rig:
    def __init__(self, *, active: bool = False, gpio: int | None = BUZZER) -> None:
        self.clock = FakeScheduler()
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.steps = 0
        wiring = GpioWiring(buzzer=gpio, buzzer_active=active)
        self.beeper = Beeper(wiring, self.factory, self.clock, self._guarded)

    def _guarded(self, action: Callable[[], None]) -> None:
        self.steps += 1
        action()

    def sound(self) -> float:
        """Frequency that sounds now, hertz; 1 for an active buzzer, 0 for silence."""
        pin = self.factory.pin(BUZZER)
        if not 0 < pin.state <= 1:
            return 0
        return float(pin.frequency or 1)

    def heard(self, chime: Chime) -> list[tuple[float, int]]:
        """Notes as they sound, sampled each millisecond: (frequency, milliseconds)."""
        notes: list[tuple[float, int]] = []
        self.beeper.play(chime)
        self.clock.run_for(0.0005)
        for _ in range(2000):
            now = self.sound()
            if notes and notes[-1][0] == now:
                notes[-1] = (now, notes[-1][1] + 1)
            else:
                notes.append((now, 1))
            self.clock.run_for(0.001)
        assert notes[-1][0] == 0, "it is over by itself"
        return notes[:-1]

    def close(self) -> None:
        self.beeper.close()
        self.factory.close()


def merged(notes: tuple[tuple[float, int], ...]) -> list[tuple[float, int]]:
    """Notes of the same pitch in a row sound as one; a rest at the end is not heard."""
    result: list[tuple[float, int]] = []
    for pitch, ms in notes:
        if result and result[-1][0] == pitch:
            result[-1] = (pitch, result[-1][1] + ms)
        else:
            result.append((pitch, ms))
    return result[:-1] if result[-1][0] == 0 else result


@pytest.mark.parametrize("chime", Chime)
def test_a_piezo_plays_the_notes_as_written(chime: Chime) -> None:
    rig = Rig()
    assert [(pytest.approx(pitch, abs=1), ms) for pitch, ms in rig.heard(chime)] == merged(MELODIES[chime])
    rig.close()


@pytest.mark.parametrize("chime", Chime)
def test_an_active_buzzer_beeps_the_rhythm(chime: Chime) -> None:
    rig = Rig(active=True)
    rhythm = tuple((1.0 if pitch else 0.0, ms) for pitch, ms in MELODIES[chime])
    assert rig.heard(chime) == merged(rhythm)
    rig.close()


def test_each_later_step_is_guarded() -> None:
    rig = Rig()
    rig.beeper.play(Chime.DUD)
    rig.clock.run_for(5.0)
    assert rig.steps == len(MELODIES[Chime.DUD])
    rig.close()
