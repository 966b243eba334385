"""Why a file is no TOML: Python says it in English only."""

from __future__ import annotations

import re
from typing import Final

from dispenser.rules.book.entry import Text

_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_IN_QUOTES: Final = Text(
    "; a key with accents or spaces stands in quotes",
    "\u00a0; une clé avec des accents ou des espaces se met entre guillemets",
)
_BEYOND: Final = "nombre ou emboîtement démesuré"
_AT_THE_END: Final = "fin du fichier"

_FRENCH: Final = (
    (r"Expected '=' after a key", f"après une clé, il faut «\u00a0=\u00a0»{_IN_QUOTES.fr}"),
    (r"Invalid initial character for a key", f"une clé ne commence pas ainsi{_IN_QUOTES.fr}"),
    (r"Invalid statement", f"il faut une ligne comme clé = valeur ou [table]{_IN_QUOTES.fr}"),
    (r"Expected newline", "il y a quelque chose de trop à la fin de la ligne"),
    (r"Expected '\]\]'", "il manque «\u00a0]]\u00a0» derrière le nom"),
    (r"Expected '\]'", "il manque «\u00a0]\u00a0» derrière le nom"),
    (r"Expected '(.*)'", "il faut ici «\u00a0{0}\u00a0»"),
    (r"(?:Found invalid|Illegal) character (.*)", "un texte ne peut pas contenir {0}"),
    (r"Cannot declare (.*) twice", "la table {0} est là deux fois"),
    (r"Cannot (?:mutate immutable|redefine) namespace (.*)", "{0} est déjà défini plus haut"),
    (r"Cannot overwrite a value", "cette clé a déjà une valeur"),
    (r"Duplicate inline table key (.*)", "la clé {0} est là deux fois"),
    (r"Unclosed array", "il manque «\u00a0]\u00a0» à la fin de la liste"),
    (r"Unclosed inline table", "il manque «\u00a0}}\u00a0» à la fin de la table"),
    (r"Unterminated string", "il manque le guillemet à la fin du texte"),
    (r"Unescaped '\\'", "dans un texte, écris \\\\ pour \\"),
    (r"Invalid hex value|Escaped character", "ce code ne donne pas de caractère"),
    (r"Invalid date", "cette date n’existe pas"),
    (r"Invalid value", "cette valeur ne se lit pas\u00a0; un texte se met entre guillemets"),
)
"""What Python says, and what that is in French."""


def why_no_toml(error: ValueError | RecursionError) -> Text:
    """The place and the reason; numbers and nesting beyond all measure have no place."""
    english = str(error)
    place = _PLACE.search(english)
    if place is None:
        return Text(english, _BEYOND)
    reason = english[: place.start()]
    if _IN_QUOTES.fr in (french := _in_french(reason)):
        english += _IN_QUOTES.en
    where = f"ligne {place[1]}, colonne {place[2]}" if place[1] else _AT_THE_END
    return Text(english, f"{where}\u00a0: {french}" if french else where)


def _in_french(reason: str) -> str:
    """Empty for what a later Python may say."""
    for pattern, french in _FRENCH:
        if match := re.match(pattern, reason):
            return french.format(*map(_in_words, match.groups()))
    return ""


def _in_words(python: str) -> str:
    """``('a', 'b')`` as ``« a.b »``, a sign as itself or as its code."""
    parts = re.findall(r"'([^']*)'", python) or [python]
    return f"«\u00a0{'.'.join(parts)}\u00a0»"
