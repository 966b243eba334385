"""The one stream that every random act of a game comes from (G-05).

The figures are Python's own Mersenne Twister, drawn once and kept, so that the state of the stream is one small
number: how many have been used. Undo sets that number back, and the same press gives the same cards again: nobody
can shop for a better draw by undoing.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_BLOCK = 256


class Chance:
    """Uniform figures in [0, 1), numbered from 0, the same for the same seed.

    :param seed: any whole number.
    """

    __slots__ = ("_random", "figures", "position", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.position = 0
        self.figures: list[float] = []
        self._random = Random(seed)  # noqa: S311 - a game, not a secret

    def any_of(self, outcomes: Sequence[int]) -> int:
        """One of ``outcomes``, each as likely; uses one figure."""
        position = self.position
        if position >= len(self.figures):
            self.seek(position)
        self.position = position + 1
        return outcomes[int(self.figures[position] * len(outcomes))]

    def draw(self, pile: list[int], wanted: int) -> list[int]:
        """Take ``wanted`` cards out of ``pile``, any of them as likely, one figure for each.

        So a pile need never be shuffled: what has not been drawn has no order. There must be as many.
        """
        position, left = self.position, len(pile)
        if position + wanted > len(self.figures):
            self.seek(position + wanted)
            self.position = position
        drawn = []
        for figure in self.figures[position : position + wanted]:
            place = int(figure * left)
            left -= 1
            drawn.append(pile[place])
            pile[place] = pile[left]
        del pile[left:]
        self.position = position + wanted
        return drawn

    def seek(self, position: int) -> None:
        """Go to figure number ``position``, forward or back."""
        missing = position - len(self.figures)
        if missing >= 0:
            draw = self._random.random
            self.figures += [draw() for _ in range(missing + _BLOCK)]
        self.position = position
