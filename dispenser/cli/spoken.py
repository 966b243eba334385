"""In which language the terminal speaks."""

from __future__ import annotations

import os

from dispenser.language import language_wanted, said


def language() -> str:
    """The one that the environment asks for."""
    return language_wanted(os.environ)


def in_words(thing: object) -> str:
    """A text or an error in that language."""
    return said(thing, language())
