"""English and French: which one a browser wants, and the texts in it.

The catalogs are gettext's, in ``locale/``; the compiled ones are read with the standard library, so that Babel is
needed only by whoever changes a text::

    pybabel extract -F dispenser/web/babel.cfg --no-location --sort-output -o messages.pot dispenser/web
    pybabel update -i messages.pot -d dispenser/web/locale --no-fuzzy-matching --no-wrap
    pybabel compile -d dispenser/web/locale

In between, fill in what is new: the English catalog repeats the text, the French one translates it.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "fr")
"""The first one is for whoever wants none of them."""
COOKIE = "dispenser_language"

_LOCALE = Path(__file__).with_name("locale")


@cache
def translations(language: str) -> gettext.GNUTranslations:
    """The texts of one of ``LANGUAGES``."""
    with (_LOCALE / language / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def choose_language(chosen: str | None, accept_language: str | None) -> str:
    """The language to show: what the person chose on the page, else the best of the browser's list.

    :param accept_language: as in RFC 9110, such as ``fr-CH, fr;q=0.9, en;q=0.8``; anything else counts for nothing.
    """
    if chosen in LANGUAGES:
        return str(chosen)
    best, best_weight = LANGUAGES[0], 0.0
    for part in (accept_language or "").split(",")[:50]:
        tag, _, parameter = part.partition(";")
        language = tag.strip().lower().partition("-")[0]
        weight = _weight(parameter)
        if language in LANGUAGES and weight > best_weight:
            best, best_weight = language, weight
    return best


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if name == "q" and 0 <= weight <= 1 else 0.0
