"""The menu of a view: corrections, seats, tracking mode, games; also the buttons for people who do not play."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cache
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.rules.book import FreeText, Option, Value, written
from dispenser.rules.engine.phases import PLAYING
from dispenser.rules.library import BOOKS
from dispenser.table import events as e
from dispenser.table.card_correction import other_cards
from dispenser.table.card_picker import Choice
from dispenser.table.choices import penalties
from dispenser.table.errors import TableRefusal
from dispenser.table.events import MOST_TYPED
from dispenser.table.match import Match
from dispenser.table.matches import steps_back, steps_forward
from dispenser.table.people import Person
from dispenser.table.table import Table

MOST_SCORE: Final = 9_999

_RELOAD: Final = Text("We reloaded the launcher")
TRACKING_MODES: Final = {
    e.TrackingMode.COUNTER: (Text("Count only"), Text("Real cards; tap only what makes someone draw.")),
    e.TrackingMode.REFEREE: (Text("Referee"), Text("Tap each card that is played. The app checks the rules.")),
    e.TrackingMode.CARDS: (
        Text("Cards on the phones"),
        Text("Players without a phone share one. Bots fill the seats."),
    ),
}
_RENAME: Final = Text("Another name for me")
_STAND_IN: Final = Text("This phone is the launcher")
_SAID: Final = {
    "winner": Text("The winner scores"),
    "low-score": Text("The lowest total wins"),
    "elimination": Text("Last one left"),
    "single": Text("One round"),
    "points": Text("To a total"),
    "own-points": Text("Each counts their own"),
}
"""Labels of option values that are words."""
_QUOTED: Final = re.compile(r"([“«]\s?)([a-z-]+)(?=\s?[”»])")
_OPEN: Final = Text("Invite friends")
_WHO: Final = Text("What’s your name?")
_THEIR_NAME: Final = Text("What’s their name?")
_JUST_WATCH: Final = Text("Just watch")
_NEW_PHONE: Final = Text("I am {name}, on a new phone")
_TAKEN: Final = Text("Another {name}? Go back and choose another name.")
_GUEST: Final = Text("Add somebody without a phone")

_IS_IT: Final = Text("Is {name} here with a new phone? It shows {number}.")
_IT_IS: Final = Text("Yes, it is {name}")
_ASKED: Final = Text("Show {host} this number: {number}. Then you are {name} again.")

_NAME: Final = {"key": "name", "most": MOST_TYPED}


def menu(table: Table, person: int | None, language: str, *, owner: bool, present: Container[int]) -> list[Choice]:
    """Return the menu of a person; people who only watch have none."""
    people = table.people
    if not table.is_open or not (owner or people.is_here(person)):
        return []
    hosts = owner or person == people.acting_host(present)
    match = table.match
    found: list[Choice] = []
    if match is not None:
        found += back_and_forth(table, language, hosts=hosts)
        found += _corrections(table, match, language, hosts=hosts)
    found += _launcher(table, person, language, hosts=hosts)
    found += _people(table, person, language, hosts=hosts, in_person=owner or person == people.host)
    if not people.is_here(person) and match is not None:  # on the page, buttons of the match may replace this one
        found.append(sitting(table, language))
    if hosts and match is not None:
        found.append(_for_good(Text("End this match"), Text("Yes, end this match"), {"do": "end"}, language))
    if hosts:
        undo = Text("Everybody can undo") if table.host_only else Text("Only the host can undo")
        turned = {"do": "host_only", "yes": not table.host_only}
        found.append({"label": undo[language], "kind": "quiet", "send": turned})
        found.append(_for_good(Text("End the evening"), Text("Yes, end the evening"), {"do": "close"}, language))
    return found


def _for_good(label: Text, yes: Text, send: dict[str, Any], language: str) -> Choice:
    """Return a button with a confirmation, for what cannot be undone."""
    sure: Choice = {"label": yes[language], "kind": "danger", "send": send}
    return {"label": label[language], "kind": "danger", "next": [sure]}


def back_and_forth(table: Table, language: str, *, hosts: bool) -> list[Choice]:
    """Return the undo and redo buttons that work now."""
    found: list[Choice] = []
    if table.match is None or (table.host_only and not hosts):
        return found
    for label, steps, do in ((Text("Undo"), steps_back, "undo"), (Text("Redo"), steps_forward, "redo")):
        try:
            steps(table)
        except TableRefusal:
            continue
        found.append({"label": label[language], "kind": "quiet", "send": {"do": do}})
    return found


def names_of(table: Table, match: Match) -> list[str]:
    return [table.people.name(person) for person in match.order]


def _corrections(table: Table, match: Match, language: str, *, hosts: bool) -> list[Choice]:
    found: list[Choice] = []
    names = names_of(table, match)
    may_correct = hosts or not table.host_only
    if match.in_round and not match.counter_mode:
        if may_correct and match.game.state.hidden and match.game.state.talon:  # else no hands yet
            still_in = [(seat, name) for seat, name in enumerate(names) if match.game.state.is_in(seat)]
            sizes = [_size(match, seat, name, language) for seat, name in still_in]
            found.append({"label": Text("Cards in a hand")[language], "next": sizes})
            lays = other_cards(match, language, names)
            if lays:
                found.append({"label": Text("It was another card")[language], "next": lays})
            if match.game.phase is PLAYING and match.game.demand is None and match.game.question is None:
                turns = [_of_seat("turn", seat, name) for seat, name in still_in]
                found.append({"label": Text("Whose turn it is")[language], "next": turns})
        faults = [
            {"label": name, "next": there}
            for seat, name in enumerate(names)
            if (there := penalties(match.game, seat, language))
        ]
        if faults:
            found.append({"label": Text("Somebody broke a rule")[language], "next": faults})
        if match.game.state.asks_reload and len(match.game.state.talon) > match.game.state.stays():
            found.append({"label": _RELOAD[language], "send": {"do": "act", "action": ["reload", None, None]}})
    elif match.between and may_correct:
        scores = [_score(match, seat, name) for seat, name in enumerate(names)]
        found.append({"label": Text("Points of a player")[language], "next": scores})
    if hosts:
        found.append({"label": Text("How we play")[language], "next": _tracking_modes(table, match, language)})
    return found


def _size(match: Match, seat: int, name: str, language: str) -> Choice:
    likely = match.game.state.sizes[seat]
    number = {"least": 1, "most": 99, "likely": likely, "key": "action.2"}
    send = {"do": "act", "action": ["hand size", seat, likely]}
    asks = Text("How many cards does {name} hold?").filled(name=name)[language]
    return {"label": name, "asks": asks, "number": number, "send": send}


def _of_seat(deed: str, seat: int, name: str) -> Choice:
    return {"label": name, "send": {"do": "act", "action": [deed, seat, None]}}


def _score(match: Match, seat: int, name: str) -> Choice:
    number = {"least": -MOST_SCORE, "most": MOST_SCORE, "likely": match.scores[seat], "key": "score"}
    return {"label": name, "number": number, "send": {"do": "score", "seat": seat, "score": match.scores[seat]}}


def _tracking_modes(table: Table, match: Match, language: str) -> list[Choice]:
    """Return buttons for the tracking modes; the current one has a check mark and sends nothing."""
    found: list[Choice] = []
    for tracking_mode, (label, hint) in TRACKING_MODES.items():
        choice: Choice = {"label": label[language], "hint": hint[language]}
        if tracking_mode is (table.next_tracking_mode or match.tracking_mode):
            found.append({**choice, "label": f"✓ {choice['label']}"})
        else:
            found.append({**choice, "send": {"do": "tracking_mode", "tracking_mode": tracking_mode}})
    return found


def _launcher(table: Table, person: int | None, language: str, *, hosts: bool) -> list[Choice]:
    found: list[Choice] = []
    if hosts and person is not None and table.people.is_here(person) and table.stand_in != person:
        hint = Text("No launcher here? This phone draws how many cards come; take them from the pile.")[language]
        found.append({"label": _STAND_IN[language], "hint": hint, "send": {"do": "stand_in", "yes": True}})
    if table.stand_in is not None and (hosts or table.stand_in == person):
        found.append({"label": Text("The real launcher again")[language], "send": {"do": "stand_in", "yes": False}})
    return found


def _people(table: Table, me: int | None, language: str, *, hosts: bool, in_person: bool) -> list[Choice]:
    people = table.people
    found: list[Choice] = []
    for number in people.order:
        acts = _about(table, people.persons[number], me, language, hosts=hosts, in_person=in_person)
        if acts and number != me:
            found.append({"label": Text("{name}’s seat").filled(name=people.name(number))[language], "next": acts})
    found += company(language)
    if me is not None and people.is_here(me):
        text = {"key": "name", "most": MOST_TYPED}
        found.append({"label": _RENAME[language], "text": text, "send": {"do": "rename", "name": ""}})
        found.append(_for_good(Text("Leave the table"), Text("Yes, leave the table"), {"do": "leave"}, language))
    return found


def _about(table: Table, whom: Person, me: int | None, language: str, *, hosts: bool, in_person: bool) -> list[Choice]:
    """Return buttons for what one person may do about another.

    :param hosts: the person has the host's powers; ``in_person``: also those that an acting host lacks.
    """
    people, number = table.people, whom.number
    found: list[Choice] = []
    if me is not None and not whom.bot:
        if (me, number) in people.helpers:
            found.append(_helping(Text("{name} plays again"), whom, number, me, language, yes=False))
        elif in_person or whom.guest:
            found.append(_helping(Text("Play for {name}"), whom, number, me, language, yes=True))
        if not people.persons[me].phoneless and (number, me) not in people.helpers and whom.secret:
            found.append(_helping(Text("{name} plays for me"), whom, me, number, language, yes=True))
    if hosts:
        if in_person or whom.secret is None:
            free, send = Text("Free {name}’s seat").filled(name=whom.name), {"do": "let_go", "person": number}
            found.append(_for_good(free, Text("Yes, {name} has left").filled(name=whom.name), send, language))
        if whom.secret and table.stand_in != number:
            label = Text("{name}’s phone is the launcher").filled(name=whom.name)
            found.append({"label": label[language], "send": {"do": "stand_in", "yes": True, "person": number}})
        if in_person and whom.secret:
            found.append({"label": Text("Make host")[language], "send": {"do": "hand_over", "person": number}})
        others = [each for each in people.order if each != number]
        swaps = [
            {"label": people.name(each), "send": {"do": "swap", "person": number, "other": each}} for each in others
        ]
        found.append({"label": Text("Change places with…")[language], "next": swaps})
    return found


def _helping(template: Text, whom: Person, person: int, by: int, language: str, *, yes: bool) -> Choice:
    return {
        "label": template.filled(name=whom.name)[language],
        "send": {"do": "help", "person": person, "by_whom": by, "yes": yes},
    }


@cache
def lobby(language: str) -> dict[str, Any]:
    """Return everything that can be chosen to start a match. Cached: do not modify."""
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
        "tracking_modes": [
            {"id": tracking_mode.value, "label": label[language], "text": text[language]}
            for tracking_mode, (label, text) in TRACKING_MODES.items()
        ],
        "deals": Text("The launcher deals: each presses once, seven cards.")[language],
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


def outside(table: Table, person: int | None, language: str, *, owner: bool, present: Container[int]) -> list[Choice]:
    """Return the buttons of a phone outside a match."""
    here = table.people.is_here(person)
    if not table.is_open:
        return _opening(language) if owner else []
    hosts = owner or (here and person == table.people.acting_host(present))
    seats: list[Choice] = []
    if not here and not owner:
        watch: Choice = {"label": _JUST_WATCH[language], "kind": "quiet", "send": {"watch": True}}  # client-side only
        seats = [{**sitting(table, language), "kind": "main"}, watch]
    elif not here and table.match is None:  # in a match the menu has this button
        seats = [sitting(table, language)]
    return [*seats, *(company(language) if hosts and table.match is None else [])]


def company(language: str) -> list[Choice]:
    """Return buttons that add a person without a phone, or a bot."""
    return [
        {"label": _GUEST[language], "asks": _THEIR_NAME[language], "text": _NAME, "send": {"do": "guest", "name": ""}},
        {"label": Text("Add a bot")[language], "send": {"do": "bot"}},
    ]


def _opening(language: str) -> list[Choice]:
    return [
        {"label": Text("Play against two bots now")[language], "kind": "main", "send": {"demo": True}},
        {"label": _OPEN[language], "asks": _WHO[language], "text": _NAME, "send": {"do": "open", "name": ""}},
        {"label": Text("Everyone shares this tablet")[language], "kind": "quiet", "send": {"do": "open", "name": ""}},
    ]


def sitting(table: Table, language: str) -> Choice:
    """Return the form to take a seat: a new one or, by typing the name again, one's own on a new phone."""
    people = (table.people.persons[number] for number in table.people.order)
    return {
        "label": Text("Take a seat")[language],
        "asks": _WHO[language],
        "text": _NAME,
        "send": {"do": "join", "name": ""},
        "taken": [_taken(each, language) for each in people if not each.bot],
    }


def _taken(person: Person, language: str) -> Choice:
    """Return the choice offered when a typed name is taken."""
    send = {"do": "claim", "person": person.number}
    own: Choice = {"label": _NEW_PHONE.filled(name=person.name)[language], "kind": "main", "send": send}
    return {"label": person.name, "asks": _TAKEN.filled(name=person.name)[language], "next": [own]}


def seat_question(table: Table, language: str) -> dict[str, Any] | None:
    """Return the question to the host whether a new phone belongs to the person that it claims to be."""
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
    """Return what the new phone shows until the host has answered."""
    host = table.people.host
    name = Text("the launcher’s owner") if host in {None, person.number} else table.people.name(host)
    return _ASKED.filled(host=name, number=person.asked_number, name=person.name)[language]
