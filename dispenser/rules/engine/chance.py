"""The random stream of a game: every shuffle and draw comes from it (G-05).

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
        try:
            figure = self.figures[position]
        except IndexError:  # once in hundreds of figures
            self.seek(position)
            figure = self.figures[position]
        self.position = position + 1
        return outcomes[int(figure * len(outcomes))]

    def take(self, pile: list[int]) -> int:
        """Take one card out of ``pile``, each as likely; uses one figure.

        So a pile need never be shuffled: what has not been drawn has no order.
        """
        place = self.any_of(range(len(pile)))
        card, pile[place] = pile[place], pile[-1]
        pile.pop()
        return card

    def deal(self, pile: list[int], wanted: int, hand: list[int]) -> int:
        """``take`` so many, which must be there, and count them in ``hand`` by their kinds; returns the last one."""
        begin, left, card = self.position, len(pile), -1
        end = begin + wanted
        if end > len(self.figures):
            self.seek(end)
        for figure in self.figures[begin:end]:
            place = int(figure * left)
            left -= 1
            card = pile[place]
            hand[card] += 1
            pile[place] = pile[left]
        del pile[left:]
        self.position = end
        return card

    def seek(self, position: int) -> None:
        """Go to figure number ``position``, forward or back."""
        missing = position - len(self.figures)
        if missing >= 0:
            draw = self._random.random
            self.figures += [draw() for _ in range(missing + _BLOCK)]
        self.position = position
