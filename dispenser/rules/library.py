"""All rules and options of all games, in English and French.

A rule has an ID, which the engine, its errors and its tests also use; ``RULES["E-18"].text["fr"]`` is the text to read
aloud. The words are ours; they describe how games are played with cards that people own. "Uno" is a trademark of
Mattel. This project has no tie to Mattel and is not endorsed by it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from dispenser.i18n import Text, listed
from dispenser.rules.book import SHARED, GameBook, Option, Rule, UnknownRuleError
from dispenser.rules.registry import GAMES, folder_of

BOOKS: Mapping[str, GameBook] = {game_id: folder.book for game_id, folder in GAMES.items()}
"""Books by game ID."""

RULES: Mapping[str, Rule] = {
    rule.id: rule for rules in (SHARED[1], *(book.rules for book in BOOKS.values())) for rule in rules
}
"""Rules by ID, the shared ones first."""

_PRINTED: Final = str.maketrans({"œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "’": "'", "\u00a0": " ", "\u202f": " "})
_RULE_ID: Final = re.compile(r"([a-z])-?([0-9]{1,2})", re.IGNORECASE)


def book_of(game_id: str) -> GameBook:
    """Return the book of a game.

    :raises UnknownGameError: no game has this ID.
    """
    return folder_of(game_id).book


def game_named(name: str) -> GameBook:
    """Return the book of a game by a name in everyday spelling: ``Uno Extrême``, ``HUIT-AMERICAIN``.

    :raises UnknownGameError: no game has that name.
    """
    game_id = "-".join(folded(name).replace("-", " ").replace("_", " ").split())
    return BOOKS[game_id] if game_id in BOOKS else book_of(name)


def rule_id(word: str) -> str | None:
    """Normalize a rule ID, ``e18`` to ``E-18``; the rule need not exist."""
    match = _RULE_ID.fullmatch(word)
    return f"{match[1].upper()}-{int(match[2]):02}" if match else None


def rule_of(rule_id: str) -> Rule:
    """Return the rule with this ID.

    :raises UnknownRuleError: no rule has this ID.
    """
    if rule_id not in RULES:
        ids = [(rules[0].id, rules[-1].id) for rules in (SHARED[1], *(book.rules for book in BOOKS.values()))]
        known = listed(Text("{first} to {last}").filled(first=first, last=last) for first, last in ids)
        no_rule = Text("there is no rule {rule_id!r}; the rules are: {known}")
        raise UnknownRuleError(no_rule.filled(rule_id=rule_id, known=known))
    return RULES[rule_id]


def folded(text: str) -> str:
    """Normalize text for searching: ``Cœur d’abord`` becomes ``coeur d'abord``."""
    apart = unicodedata.normalize("NFKD", text.translate(_PRINTED))
    return "".join(sign for sign in apart if not unicodedata.combining(sign)).lower()


def words_of(rule: Rule, options: Iterable[Option], language: str) -> list[str]:
    """Return all texts of a rule: its own, and those of the options that affect it.

    :param options: all options of its game.
    """
    bearing = [option for option in options if option.name in rule.options]
    texts = [rule.title, rule.text, *([rule.reading] if rule.reading else [])]
    texts += [text for option in bearing for text in (option.label, option.text)]
    return [rule.id, *rule.options, *(text[language] for text in texts)]
