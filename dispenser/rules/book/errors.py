"""Errors that say in every language what is wrong, and those of the rule book."""

from __future__ import annotations

from dispenser.language import SpokenError


class BookError(SpokenError):
    """Something that the rule book does not have."""


class UnknownGameError(BookError, LookupError):
    """There is no such game. The text lists those that there are."""


class UnknownRuleError(BookError, LookupError):
    """There is no such rule. The text says which IDs there are."""
