"""The random stream of a game: every shuffle and draw comes from it (G-05).

The figures come from Python's Mersenne Twister and are kept, so that the state of the stream is one small number: how
many are used. Undo restores that number, so a repeated press gives the same cards: undoing cannot be used to get a
better draw.
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
        """Return one of ``outcomes`` with equal probability; uses one figure."""
        position = self.position
        try:
            figure = self.figures[position]
        except IndexError:  # rare: once in hundreds of figures
            self.seek(position)
            figure = self.figures[position]
        self.position = position + 1
        return outcomes[int(figure * len(outcomes))]

    def take(self, pile: list[int]) -> int:
        """Remove a random card from ``pile`` and return it; uses one figure.

        Piles are never shuffled, because cards are drawn at random positions.
        """
        place = self.any_of(range(len(pile)))
        card, pile[place] = pile[place], pile[-1]
        pile.pop()
        return card

    def deal(self, pile: list[int], wanted: int, hand: list[int]) -> int:
        """Take ``wanted`` random cards, which must exist, add them to the counts ``hand``, and return the last one."""
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
        """Set the position to figure number ``position``, forward or back."""
        missing = position - len(self.figures)
        if missing >= 0:
            draw = self._random.random
            self.figures += [draw() for _ in range(missing + _BLOCK)]
        self.position = position
