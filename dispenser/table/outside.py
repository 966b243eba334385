"""What somebody can do who does not play just now: open an evening, take a seat, and fill the others."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from dispenser.language import Text
from dispenser.table.faces import Choice
from dispenser.table.table import Table
from dispenser.table.words import MOST_TYPED

_PLAY_BOTS: Final = Text("Play against two bots now")
_OPEN: Final = Text("Invite friends")
_OPEN_SHARED: Final = Text("Everyone shares this tablet")
_WHO: Final = Text("What’s your name?")
_TAKE_SEAT: Final = Text("Take a seat")
_SIT_AGAIN: Final = Text("I am {name}")
_GUEST: Final = Text("Somebody without a phone")
_BOT: Final = Text("A bot")

_NAME: Final = {"key": "name", "most": MOST_TYPED}


def outside(table: Table, person: int | None, language: str, *, owner: bool, present: Container[int]) -> list[Choice]:
    """The buttons of a phone that has nothing to do with a match."""
    here = table.people.is_here(person)
    if not table.is_open:
        return _opening(language) if owner else []
    hosts = owner or (here and person == table.people.acting_host(present))
    new, *had = sitting(table, language)
    seats: list[Choice] = [] if here else [{**new, "kind": "main"}, *had]
    return [*seats, *(company(language) if hosts and table.match is None else [])]


def company(language: str) -> list[Choice]:
    """Who else may sit there: somebody whom others tap for, or nobody at all."""
    return [
        {"label": _GUEST[language], "text": _NAME, "send": {"do": "guest", "name": ""}},
        {"label": _BOT[language], "send": {"do": "bot"}},
    ]


def _opening(language: str) -> list[Choice]:
    return [
        {"label": _PLAY_BOTS[language], "kind": "main", "send": {"demo": True}},
        {"label": _OPEN[language], "asks": _WHO[language], "text": _NAME, "send": {"do": "open", "name": ""}},
        {"label": _OPEN_SHARED[language], "kind": "quiet", "send": {"do": "open", "name": ""}},
    ]


def sitting(table: Table, language: str) -> list[Choice]:
    """How somebody without a seat gets one: a new one, or one that the host has let go."""
    send = {"do": "join", "name": ""}
    new: Choice = {"label": _TAKE_SEAT[language], "asks": _WHO[language], "text": _NAME, "send": send}
    return [
        new,
        *(
            {"label": _SIT_AGAIN.filled(name=person.name)[language], "send": {"do": "claim", "person": person.number}}
            for number in table.people.order
            if (person := table.people.persons[number]).released
        ),
    ]
