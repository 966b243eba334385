"""Before a match: the games with their options, each with its rule in one sentence, and the ways of telling."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.rules.book import FreeText, Option, Value, written
from dispenser.rules.library import BOOKS
from dispenser.table.menu import TELLINGS

DEALS: Final = Text("The launcher deals: each presses once, seven cards.")

_SAID: Final = {
    "winner": Text("The winner scores"),
    "low-score": Text("The lowest total wins"),
    "elimination": Text("Last one left"),
    "single": Text("One round"),
    "points": Text("To a total"),
    "own-points": Text("Each counts their own"),
}
"""Values of options that are words, for whoever does not type them."""
_QUOTED: Final = re.compile(r"([“«]\s?)([a-z-]+)(?=\s?[”»])")


@cache
def lobby(language: str) -> dict[str, Any]:
    """All that can be chosen. The same object each time: not to be changed."""
    return {
        "games": [
            {
                "id": book.id,
                "name": book.name[language],
                "summary": book.summary[language],
                "seats": [book.seats[0], book.seats[-1]],
                "options": [_option(option, language) for option in book.options],
            }
            for book in BOOKS.values()
        ],
        "tellings": [
            {"id": telling.value, "label": label[language], "text": text[language]}
            for telling, (label, text) in TELLINGS.items()
        ],
        "deals": DEALS[language],
    }


def _option(option: Option, language: str) -> dict[str, Any]:
    values = option.values
    shown: dict[str, Any] = {
        "name": option.name,
        "label": option.label[language],
        "text": _QUOTED.sub(lambda word: word[1] + _value(word[2], language), option.text[language]),
        "rule": option.rule,
        "default": option.default,
    }
    if isinstance(values, FreeText):
        return {**shown, "most": values.most}
    if isinstance(values, range):
        return {**shown, "range": [values[0], values[-1], values.step]}
    return {**shown, "values": [{"value": value, "label": _value(value, language)} for value in values]}


def _value(value: Value, language: str) -> str:
    if isinstance(value, str) and value in _SAID:
        return _SAID[value][language]
    told = written(value)
    return told if isinstance(told, str) else told[language]
