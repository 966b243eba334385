"""Before a match: the games with their options, each with its rule in one sentence, and the ways of telling."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from dispenser.language import Text
from dispenser.rules.book import FreeText, Option
from dispenser.rules.library import BOOKS
from dispenser.table.menu import TELLINGS

DEALS: Final = Text("The launcher deals: each presses once, seven cards.")


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
        "text": option.text[language],
        "rule": option.rule,
        "default": option.default,
    }
    if isinstance(values, FreeText):
        return {**shown, "most": values.most}
    if isinstance(values, range):
        return {**shown, "range": [values[0], values[-1], values.step]}
    return {**shown, "values": list(values)}
