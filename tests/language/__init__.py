"""What keeps English and French together: run ``python -m tests.language`` after changing a text."""

from __future__ import annotations

from dispenser.language import Text, worded


def both(english: str, french: str) -> Text:
    """A text of a test: the catalog has those of the project only."""
    return worded(_either, en=english, fr=french)


def _either(language: str, en: str, fr: str) -> str:
    return fr if language == "fr" else en
