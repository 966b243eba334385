"""Errors that say in every language what is wrong, and those of the rule book."""

from __future__ import annotations

from dispenser.rules.book.entry import Text


def in_quotes(word: str) -> str:
    """A word of somebody else in a French sentence; what cannot be printed is written out."""
    return f"«\u00a0{repr(word)[1:-1]}\u00a0»"


class BilingualError(Exception):
    """Says what is wrong, where, and what to do, in each of ``LANGUAGES``.

    :ivar text: what it says; ``str(error)`` is the English of it.
    """

    def __init__(self, text: Text) -> None:
        super().__init__(text)  # whole, so that pickle can make the error anew in another process
        self.text = text

    def __str__(self) -> str:
        return self.text.en


class BookError(BilingualError):
    """Something that the rule book does not have."""


class UnknownGameError(BookError, LookupError):
    """There is no such game. The text lists those that there are."""


class UnknownRuleError(BookError, LookupError):
    """There is no such rule. The text says which IDs there are."""
