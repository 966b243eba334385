"""What the players of a match at the terminal are called. A person who gives no name has none: « Toi » is no name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dispenser.language import Text
from dispenser.rules.words.phrases import YOU, Name

ME: Final = 0
"""The seat of the person."""
AtTable = tuple[str | None, ...]
"""Names by seat, as they are saved: ``None`` for the person, on the first seat, who gave none."""

_IN_THE_PICTURE: Final = Text("You")
_TO_OTHERS: Final = Text("Player 1")
_NO_NAMES: Final = frozenset({"you", "toi"})
"""Matches saved by earlier versions have these for a person without a name."""


def names_at_table(given: Sequence[str | None]) -> AtTable:
    """The names as they were typed or saved; « Toi » for the person is none."""
    first, *others = given
    return (None if first is not None and first.casefold() in _NO_NAMES else first, *others)


def names_shown(names: AtTable, language: str) -> tuple[str, ...]:
    """Beside the cards of each seat, to the person."""
    return tuple(_IN_THE_PICTURE[language] if name is None else name for name in names)


def names_in_moves(names: AtTable) -> tuple[Name, ...]:
    """In a move that the person reads: « échanger Bob et toi »."""
    return tuple(YOU if name is None else name for name in names)


def names_for_others(names: AtTable) -> tuple[Name, ...]:
    """In a match that is told again, to whoever wants to know."""
    return tuple(_TO_OTHERS if name is None else name for name in names)
