"""What phones show of a phone that stands in for the launcher."""

from __future__ import annotations

from typing import Any, Final

from dispenser.language import Text
from dispenser.table.table import Table

_TAKE: Final = Text("Take {number} card from the pile", plural="Take {number} cards from the pile")
_TAKES: Final = Text("{name} takes {number} card from the pile", plural="{name} takes {number} cards from the pile")
_NOTHING: Final = Text("Nothing!")


def stand_in(table: Table, me: int | None) -> dict[str, Any] | None:
    """Whose phone is the launcher."""
    person = table.stand_in
    return None if person is None else {"person": person, "name": table.people.name(person), "me": person == me}


def take(table: Table, me: int | None, language: str) -> dict[str, Any] | None:
    """What that phone last said, and to whom, where it is not whoever reads it."""
    thrown = table.thrown
    if thrown is None:
        return None
    press, person = table.taker
    text = _TAKE.filled(number=thrown.cards)
    if not thrown.cards:
        text = _NOTHING
    elif press == thrown.press and person is not None and person != me:
        text = _TAKES.filled(name=table.people.name(person), number=thrown.cards)
    return {"press": thrown.press, "cards": thrown.cards, "text": text[language]}
