"""Randomness by purpose and number: a draw depends on the seed and on what it is for, not on when it is made."""

from __future__ import annotations

import enum
from random import Random


class Purpose(enum.IntEnum):
    """What a draw is for. Changing a number changes every toy with the same seed."""

    CARD = 1
    JAM = 2
    BUTTON = 3
    LID = 4
    FLUTTER = 5


class Streams:
    """All chance in one toy. Same seed, same toy."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._random = Random()

    def numbers(self, purpose: Purpose, index: int) -> Random:
        """The generator for one act. Draw from it at once: the next call uses the same object again."""
        self._random.seed((((self._seed << 8) | purpose) << 64) | index)
        return self._random
