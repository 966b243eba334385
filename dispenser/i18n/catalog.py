"""The French catalog, and which language somebody wants."""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping
from functools import cache
from typing import Final

LANGUAGES: Final = ("en", "fr")
"""The first one stands in the code, and is for whoever wants none of them."""
LOCALE: Final = __file__.removesuffix("catalog.py") + "locale"


@cache
def catalog(language: str) -> gettext.NullTranslations:
    """The texts in one of ``LANGUAGES``. French is read from its file when somebody first wants it.

    :raises LookupError: there is no such language.
    """
    if language not in LANGUAGES:
        raise LookupError(f"no text in the language {language!r}; take one of: {', '.join(LANGUAGES)}")
    if language == LANGUAGES[0]:
        return gettext.NullTranslations()
    return gettext.translation("messages", LOCALE, [language])


def language_wanted(environment: Mapping[str, str]) -> str:
    """The one of ``LANGUAGES`` that the environment of a program asks for, read as gettext reads it: the list in
    ``LANGUAGE`` comes first, but counts for nothing in the locale C."""
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "C")
    wanted = locale if locale in {"C", "POSIX"} else environment.get("LANGUAGE") or locale
    tongues = (re.split(r"[_.@-]", each)[0].lower() for each in wanted.split(":"))
    return next((tongue for tongue in tongues if tongue in LANGUAGES), LANGUAGES[0])
