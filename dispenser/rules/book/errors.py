"""Errors that say in every language what is wrong, and those of the rule book."""

from __future__ import annotations

from dispenser.language import SpokenError


def in_quotes(word: str) -> str:
    """A word of somebody else in a French sentence; what cannot be printed is written out."""
    return f"«\u00a0{repr(word)[1:-1]}\u00a0»"


BilingualError = SpokenError


class BookError(BilingualError):
    """Something that the rule book does not have."""


class UnknownGameError(BookError, LookupError):
    """There is no such game. The text lists those that there are."""


class UnknownRuleError(BookError, LookupError):
    """There is no such rule. The text says which IDs there are."""
