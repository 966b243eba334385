"""What phones show of a phone that stands in for the launcher."""

from __future__ import annotations

from typing import Any, Final

from dispenser.language import Text
from dispenser.table.table import Table

_TAKE: Final = Text("Take {number} card from the pile", plural="Take {number} cards from the pile")
_NOTHING: Final = Text("Nothing!")


def stand_in(table: Table, me: int | None) -> dict[str, Any] | None:
    """Whose phone is the launcher."""
    person = table.stand_in
    return None if person is None else {"person": person, "name": table.people.name(person), "me": person == me}


def take(table: Table, language: str) -> dict[str, Any] | None:
    """What that phone last said."""
    thrown = table.thrown
    if thrown is None:
        return None
    text = _TAKE.filled(number=thrown.cards) if thrown.cards else _NOTHING
    return {"press": thrown.press, "cards": thrown.cards, "text": text[language]}
