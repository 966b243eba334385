"""Looking for a word in the rules: accents, capitals and the printer's signs do not matter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from dispenser.rules.book import Option, Rule

_PRINTED = str.maketrans({"œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "’": "'", "\u00a0": " ", "\u202f": " "})


def folded(text: str) -> str:
    """As it is compared: ``Cœur d’abord`` is ``coeur d'abord``."""
    return "".join(map(_folded_sign, unicodedata.normalize("NFC", text)))


def found(word: str, text: str) -> list[tuple[int, int]]:
    """Where the word stands in a composed text: from which sign to before which."""
    if not (wanted := folded(word)):
        return []
    pieces = [_folded_sign(sign) for sign in text]
    sign_at = [place for place, piece in enumerate(pieces) for _ in piece]
    matches = re.finditer(re.escape(wanted), "".join(pieces))
    return [(sign_at[match.start()], sign_at[match.end() - 1] + 1) for match in matches]


def words_of(rule: Rule, options: Iterable[Option], language: str) -> list[str]:
    """All that is said of a rule: its own texts, and those of the options that bear on it.

    :param options: all of its game.
    """
    bearing = [option for option in options if option.name in rule.options]
    texts = [rule.title, rule.text, *([rule.reading] if rule.reading else [])]
    texts += [text for option in bearing for text in (option.label, option.text)]
    return [rule.id, *rule.options, *(text[language] for text in texts)]


def _folded_sign(sign: str) -> str:
    if plain := sign.translate(_PRINTED):
        return "".join(each for each in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(each)).lower()
    return ""
