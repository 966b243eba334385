"""Ways to keep the score that several games share; pure functions."""

from __future__ import annotations

from collections.abc import Sequence


def points_of_others(points: Sequence[int], winner: int) -> int:
    """What all but the winner of the round hold."""
    return sum(points) - points[winner]


def highest(scores: Sequence[int]) -> tuple[int, ...]:
    """Seats with the highest score."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)


def lowest(scores: Sequence[int]) -> tuple[int, ...]:
    """Seats with the lowest score."""
    best = min(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
