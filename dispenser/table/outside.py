"""What somebody can do who does not play just now: open an evening, take a seat, and fill the others."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.table.card_picker import Choice
from dispenser.table.events import MOST_TYPED
from dispenser.table.people import Person
from dispenser.table.table import Table

_OPEN: Final = Text("Invite friends")
_WHO: Final = Text("What’s your name?")
_THEIR_NAME: Final = Text("What’s their name?")
_JUST_WATCH: Final = Text("Just watch")
_NEW_PHONE: Final = Text("I am {name}, on a new phone")
_TAKEN: Final = Text("There is a {name} already.")
_GUEST: Final = Text("Somebody without a phone")

_IS_IT: Final = Text("Is {name} here with a new phone? It shows {number}.")
_IT_IS: Final = Text("Yes, it is {name}")
_ASKED: Final = Text("Show {host} this number: {number}. Then you are {name} again.")

_NAME: Final = {"key": "name", "most": MOST_TYPED}


def outside(table: Table, person: int | None, language: str, *, owner: bool, present: Container[int]) -> list[Choice]:
    """The buttons of a phone that has nothing to do with a match."""
    here = table.people.is_here(person)
    if not table.is_open:
        return _opening(language) if owner else []
    hosts = owner or (here and person == table.people.acting_host(present))
    seats: list[Choice] = []
    if not here and not owner:
        watch: Choice = {"label": _JUST_WATCH[language], "kind": "quiet", "send": {"watch": True}}  # the page keeps it
        seats = [{**sitting(table, language), "kind": "main"}, watch]
    elif not here and table.match is None:  # in a match the menu has it
        seats = [sitting(table, language)]
    return [*seats, *(company(language) if hosts and table.match is None else [])]


def company(language: str) -> list[Choice]:
    """Who else may sit there: somebody whom others tap for, or nobody at all."""
    return [
        {"label": _GUEST[language], "asks": _THEIR_NAME[language], "text": _NAME, "send": {"do": "guest", "name": ""}},
        {"label": Text("A bot")[language], "send": {"do": "bot"}},
    ]


def _opening(language: str) -> list[Choice]:
    return [
        {"label": Text("Play against two bots now")[language], "kind": "main", "send": {"demo": True}},
        {"label": _OPEN[language], "asks": _WHO[language], "text": _NAME, "send": {"do": "open", "name": ""}},
        {"label": Text("Everyone shares this tablet")[language], "kind": "quiet", "send": {"do": "open", "name": ""}},
    ]


def sitting(table: Table, language: str) -> Choice:
    """How somebody without a seat gets one: a new one, or their own on a new phone, by typing their name again."""
    people = (table.people.persons[number] for number in table.people.order)
    return {
        "label": Text("Take a seat")[language],
        "asks": _WHO[language],
        "text": _NAME,
        "send": {"do": "join", "name": ""},
        "taken": [_taken(each, language) for each in people if not each.bot],
    }


def _taken(person: Person, language: str) -> Choice:
    """What is offered to whoever types a name that somebody has."""
    send = {"do": "claim", "person": person.number}
    own: Choice = {"label": _NEW_PHONE.filled(name=person.name)[language], "kind": "main", "send": send}
    return {"label": person.name, "asks": _TAKEN.filled(name=person.name)[language], "next": [own]}


def seat_question(table: Table, language: str) -> dict[str, Any] | None:
    """What the host is asked about a new phone that says whose it is."""
    asking = (table.people.persons[number] for number in table.people.order)
    person = next((each for each in asking if each.asked_by), None)
    if person is None:
        return None
    send = {"do": "confirm", "person": person.number}
    yes: Choice = {"label": _IT_IS.filled(name=person.name)[language], "kind": "main", "send": {**send, "yes": True}}
    no: Choice = {"label": Text("No")[language], "send": {**send, "yes": False}}
    text = _IS_IT.filled(name=person.name, number=person.asked_number)
    return {"text": text[language], "choices": [yes, no]}


def seat_asked(table: Table, person: Person, language: str) -> str:
    """What that new phone shows until the host has answered."""
    host = table.people.host
    name = Text("the launcher’s owner") if host in {None, person.number} else table.people.name(host)
    return _ASKED.filled(host=name, number=person.asked_number, name=person.name)[language]
