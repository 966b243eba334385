"""In which language the commands speak: that of the locale. English stands in the code, French in the one catalog."""

from __future__ import annotations

import os

from dispenser import language as words


def language() -> str:
    """The language of this command."""
    return words.language_wanted(os.environ)


def _(english: str, /, *, plural: str = "", **places: object) -> str:
    """The text in the language of this command, ``{places}`` filled in; see ``dispenser.language.Text``."""
    text = words.Text(english, plural=plural)
    return (text.filled(**places) if places else text)[language()]


def in_catalog(english: str) -> str:
    """A text that stands elsewhere in the code, such as a command's help, in the language of this command."""
    return words.catalog(language()).gettext(english) if english else ""
