"""In which language the terminal speaks: that of the locale. English stands in the code, French in the one catalog."""

from __future__ import annotations

import os

from dispenser import language as texts


def language() -> str:
    """The one that the environment asks for."""
    return texts.language_wanted(os.environ)


def in_words(thing: object) -> str:
    """A text or an error in that language."""
    return texts.said(thing, language())


def _(english: str, /, *, plural: str = "", **places: object) -> str:
    """A text in that language, ``{places}`` filled in; see ``Text``."""
    text = texts.Text(english, plural=plural)
    return in_words(text.filled(**places) if places else text)


def in_catalog(english: str) -> str:
    """A text that stands elsewhere in the code, such as a command's help, in that language."""
    return texts.catalog(language()).gettext(english) if english else ""
