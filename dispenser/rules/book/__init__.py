"""The rule book: all rules of the five games, and what a table may choose, as data in English and French.

A rule has an ID that the engine, its errors and its tests use as well; ``RULES["E-18"].text["fr"]`` is what to read
aloud. The words are ours; they describe how games are played with cards that people own. "Uno" is a trademark of
Mattel. This project has no tie to Mattel and is not endorsed by it.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from dispenser.rules.book.cent_cinquante_et_un import CENT_CINQUANTE_ET_UN
from dispenser.rules.book.entry import LANGUAGES, GameBook, Option, Rule, Section, Text
from dispenser.rules.book.huit_americain import HUIT_AMERICAIN
from dispenser.rules.book.shared import SHARED
from dispenser.rules.book.uno import UNO
from dispenser.rules.book.uno_extreme import UNO_EXTREME
from dispenser.rules.book.uno_vache import UNO_VACHE

__all__ = [
    "BOOKS",
    "LANGUAGES",
    "RULES",
    "SHARED",
    "BookError",
    "GameBook",
    "Option",
    "Rule",
    "Section",
    "Text",
    "UnknownGameError",
    "UnknownRuleError",
    "book_of",
    "game_named",
    "rule_of",
]

BOOKS: Mapping[str, GameBook] = MappingProxyType(
    {book.id: book for book in (UNO_EXTREME, UNO, HUIT_AMERICAIN, CENT_CINQUANTE_ET_UN, UNO_VACHE)}
)
"""The five games by ID."""

RULES: Mapping[str, Rule] = MappingProxyType(
    {rule.id: rule for rules in (SHARED[1], *(book.rules for book in BOOKS.values())) for rule in rules}
)
"""All rules by ID, the shared ones first."""


class BookError(Exception):
    """Something that the rule book does not have."""


class UnknownGameError(BookError, LookupError):
    """There is no such game. The text lists those that there are."""


class UnknownRuleError(BookError, LookupError):
    """There is no such rule. The text says which IDs there are."""


def book_of(game_id: str) -> GameBook:
    """The rules of a game.

    :raises UnknownGameError: no game has this ID.
    """
    if game_id not in BOOKS:
        near = _nearest(game_id.lower(), BOOKS)
        raise UnknownGameError(f"there is no game {game_id!r}{near}; the games are: {', '.join(BOOKS)}")
    return BOOKS[game_id]


def game_named(name: str) -> GameBook:
    """The rules of a game, its ID written as people do: ``Uno Extrême``, ``HUIT-AMERICAIN``.

    :raises UnknownGameError: no game is called so.
    """
    apart = unicodedata.normalize("NFD", name.strip().casefold())
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign))
    game_id = "-".join(plain.replace("-", " ").replace("_", " ").split())
    return BOOKS[game_id] if game_id in BOOKS else book_of(name)


def rule_of(rule_id: str) -> Rule:
    """The rule with this ID.

    :raises UnknownRuleError: no rule has this ID.
    """
    if rule_id not in RULES:
        ids = [(rules[0].id, rules[-1].id) for rules in (SHARED[1], *(book.rules for book in BOOKS.values()))]
        spans = ", ".join(f"{first} to {last}" for first, last in ids)
        raise UnknownRuleError(f"there is no rule {rule_id!r}; the rules are: {spans}")
    return RULES[rule_id]


def _nearest(name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {near[0]}?" if near else ""
