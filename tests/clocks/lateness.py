"""Loops that are late as a seed says."""

from __future__ import annotations

from random import Random


class SeededLateness:
    """A loop that is late now and then, as its seed says; most delays are short.

    :param share: of the times that the loop takes something, how many are late, 0 to 1.
    :param most_s: longest delay, seconds.
    """

    def __init__(self, seed: int | str, *, share: float = 0.1, most_s: float = 0.5) -> None:
        self._random = Random(seed)
        self._share = share
        self._most_s = most_s

    def __call__(self) -> float:
        if self._random.random() >= self._share:
            return 0.0
        return float(self._most_s * self._random.random() ** 3)
