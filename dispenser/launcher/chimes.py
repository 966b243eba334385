"""The notes of every chime: pairs of (frequency in Hz, duration in ms); frequency 0 is a rest.

Chimes are short, so that each ends before the next event. Pitches are between 400 Hz and 3 kHz, where small piezo discs
are loud (their resonance is usually printed as 2 to 4 kHz). An active buzzer, with its one fixed pitch, beeps for each
note that is not a rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dispenser.launcher.messages import Chime

Melody = tuple[tuple[float, int], ...]

MELODIES: Mapping[Chime, Melody] = MappingProxyType(
    {
        Chime.LID_SHUT: ((1760.0, 120),),
        Chime.SUSPENSE: tuple(note for _ in range(4) for note in ((523.3, 45), (0.0, 45))),
        Chime.FIRE: ((1046.5, 60), (1318.5, 60), (1568.0, 60), (2093.0, 140)),
        Chime.DUD: ((659.3, 90), (0.0, 30), (493.9, 180)),
        Chime.REFUSED: ((440.0, 80),),
        Chime.JAMMED: ((880.0, 120), (0.0, 60), (880.0, 120), (0.0, 60), (587.3, 240)),
        Chime.EMPTY: ((784.0, 120), (659.3, 120), (523.3, 200)),
        Chime.FAULT: ((440.0, 200), (0.0, 80), (440.0, 200), (0.0, 80), (440.0, 200)),
    }
)
