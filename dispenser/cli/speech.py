"""In which language the commands speak: that of the locale. English stands in the code, French in the one catalog."""

from __future__ import annotations

import os

from dispenser.language import Text, language_wanted


def language() -> str:
    """The language of this command."""
    return language_wanted(os.environ)


def _(english: str, /, *, plural: str = "", **places: object) -> str:
    """The text in the language of this command, ``{places}`` filled in; see ``Text``."""
    text = Text(english, plural=plural)
    return (text.filled(**places) if places else text)[language()]
