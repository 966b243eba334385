"""Evenings as a table for a spreadsheet: a row for each player of each round."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any, Final

from dispenser.table.evenings import EveningStory, MatchStory

COLUMNS: Final = (
    "evening", "begun", "ended", "match", "game", "tracking_mode",
    "round", "name", "points", "score", "won", "presses", "cards",
)  # fmt: skip
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters that make a spreadsheet read a cell as a formula, or that it skips before one."""


def as_csv(evenings: Iterable[EveningStory]) -> str:
    """Return CSV by RFC 4180 with a header. ``won`` is 1 for winners of the match; presses, cards: by the odds."""
    file = io.StringIO()
    lines = csv.writer(file)
    lines.writerow(COLUMNS)
    for evening in evenings:
        for number, match in enumerate(evening.matches, 1):
            about = (evening.id, evening.begun, evening.ended, number, match.game, match.tracking_mode.value)
            lines.writerows([harmless(value) for value in (*about, *row)] for row in _rows(match))
    return file.getvalue()


def _rows(match: MatchStory) -> Iterable[tuple[Any, ...]]:
    """Return round, name, points, score, won, presses, cards by player and round; by player if there is no round."""
    if not match.rounds:
        return [(None, name, None, match.scores.get(name), int(name in match.winners), 0, 0) for name in match.players]
    return [
        (number, each.name, each.points, each.score, int(each.name in match.winners), each.presses, each.cards)
        for number, players in enumerate(match.rounds, 1)
        for each in players
    ]


def harmless(value: Any) -> Any:
    """Escape text that a spreadsheet would read as a formula, by a leading apostrophe that marks it as text."""
    return f"'{value}" if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA) else value
