"""What is said to people, in English and French.

English stands in the code, as ``Text``; French in one gettext catalog, ``locale/fr/LC_MESSAGES/messages.po``, which
``python -m tests.i18n`` brings up to date and compiles.
"""

from dispenser.i18n.catalog import LANGUAGES, LOCALE, catalog, language_wanted
from dispenser.i18n.files import why
from dispenser.i18n.text import SpokenError, Text, isolated, listed, recalled, recorded, said, verbatim, worded

__all__ = [
    "LANGUAGES",
    "LOCALE",
    "SpokenError",
    "Text",
    "catalog",
    "isolated",
    "language_wanted",
    "listed",
    "recalled",
    "recorded",
    "said",
    "verbatim",
    "why",
    "worded",
]
