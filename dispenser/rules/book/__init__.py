"""What the rule book is made of, and what all games share. ``dispenser.rules.library`` is the whole of it."""

from __future__ import annotations

from dispenser.rules.book.entry import LANGUAGES, GameBook, Option, Rule, Section, Text
from dispenser.rules.book.errors import BookError, UnknownGameError, UnknownRuleError
from dispenser.rules.book.shared import SHARED

__all__ = [
    "LANGUAGES",
    "SHARED",
    "BookError",
    "GameBook",
    "Option",
    "Rule",
    "Section",
    "Text",
    "UnknownGameError",
    "UnknownRuleError",
]
