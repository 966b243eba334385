"""Make the view of a phone: everything that its seat may see, and nothing else.

Phones draw views and know no rules. README.md describes the fields.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final, NamedTuple

from dispenser.i18n import Text
from dispenser.rules.engine.history import Deed
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.table import events as e
from dispenser.table.card_picker import Choice, capital
from dispenser.table.choices import choices, hand
from dispenser.table.common import CARDS_CAME, Around, common, phase
from dispenser.table.counting import counter_choices
from dispenser.table.headline import count_question, headline, rules_question
from dispenser.table.match import Match
from dispenser.table.matches import may_play
from dispenser.table.menu import back_and_forth, lobby, menu, names_of, outside, seat_asked, seat_question
from dispenser.table.news import entered, news
from dispenser.table.push import press_anyway, push, stand_in, take, throw
from dispenser.table.questions import question
from dispenser.table.table import Table

RECOUNT_S: Final = 10  # Seconds for which a phone offers to correct a count

_GIVE_BACK: Final = Text("{name}’s turn: give {name} the phone back.")
_GATHER: Final = Text("First shuffle all the cards and put them into the launcher.")
_GO_ON: Final = Text("The launcher restarted. Go on?")


class Viewer(NamedTuple):
    """A reader of a view; ``asks_for``: the person whose seat the phone asks for."""

    person: int | None
    owner: bool
    language: str
    asks_for: int | None = None


def view(table: Table, viewer: Viewer, around: Around, shared: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the whole view; ``shared``: the result of ``common``, computed once for all phones of a language."""
    language, person = viewer.language, viewer.person
    match, people = table.match, table.people
    here = people.is_here(person)
    host = people.acting_host(around.present)
    hosts = viewer.owner or (here and person == host)
    can_join = around.join is None or bool(around.join.get("addresses", True))
    holder, cover = phone_passed(table, viewer, around.present)
    head = headline(table, holder, language, host=host, can_join=can_join, by_phone=around.by_phone)
    shown: dict[str, Any] = {
        **(common(table, language, around) if shared is None else shared),
        "me": {
            "person": person if here else None,
            "seat": table.seat_of(person) if here else None,
            "name": people.name(person) if here and person is not None else "",
            "host": here and person == host,
            "owner": viewer.owner,
        },
        "sentence": head.text,
        "tone": head.tone,
        "aloud": head.aloud,
        "calls": table.called_at,
        "called": head.tone == "you",
        "news": news(table, person, language),
        "choices": outside(table, person, language, owner=viewer.owner, present=around.present),
        "always": [],
        "hand": [],
        "cover": cover,
        "push": None,
        "recount": None,
        "quick": back_and_forth(table, language, hosts=hosts) if here or viewer.owner else [],
        "asks": None,
        "stand_in": stand_in(table, person, language),
        "take": take(table, person, language),
        "join": around.join if table.is_open else None,
        "may_start": table.is_open and hosts and (match is None or match.over),
    }
    shown["seats"] = [each | {"me": True} if each["person"] == person else each for each in shown["seats"]]
    if match is not None and (here or viewer.owner):
        shown |= _to_do(table, match, viewer, around)
    if table.asked and (here or viewer.owner):
        shown["asks"] = _asks(table, language)
    elif shown["asks"] is None and (viewer.owner or (here and person == people.host)):
        shown["asks"] = seat_question(table, language)
    if viewer.asks_for is not None and not here:
        shown |= {"sentence": seat_asked(table, people[viewer.asks_for], language), "tone": "wait", "choices": []}
    if table.paused and match is not None and not match.over and table.bot_seats and (here or viewer.owner):
        button = {"label": Text("Go on")[language], "kind": "main", "send": {"do": "continue"}}
        shown |= {"sentence": _GO_ON[language], "tone": "ask", "choices": [button], "always": [], "push": None}
    if here and person == table.stand_in:
        shown["push"] = shown["push"] or throw(table, match, language)
    return shown


def sheet(table: Table, viewer: Viewer, around: Around) -> dict[str, Any]:
    """Return the menus, which a phone requests when somebody opens them."""
    match = table.match
    hosts = viewer.owner or (viewer.person is not None and viewer.person == table.people.acting_host(around.present))
    return {
        "at": table.at,
        "menu": menu(table, viewer.person, viewer.language, owner=viewer.owner, present=around.present),
        "lobby": lobby(viewer.language) if table.is_open and hosts and (match is None or match.over) else None,
    }


def acting_seat(table: Table, match: Match, viewer: Viewer, present: Container[int]) -> int | None:
    """Return the seat whose buttons are shown: the one that must act now if the reader may act for it, or their own."""
    own, now = match.seat_of(viewer.person), _seat_now(match)
    return now if now >= 0 and may_play(table, match, now, viewer.person, present) else own


def _seat_now(match: Match) -> int:
    """Return the seat that must press or play now; -1 if none."""
    if match.payer is not None:
        return match.payer
    return match.game.turn if match.in_round and not match.counter_mode else -1


def phone_passed(table: Table, viewer: Viewer, present: Container[int]) -> tuple[int | None, dict[str, Any] | None]:
    """Return the person who must hold a shared phone, and the cover that hides the cards until they confirm.

    :returns: the viewer and ``None`` if the phone is not shared.
    """
    me, match, people = viewer.person, table.match, table.people
    if match is None or match.tracking_mode is not e.TrackingMode.CARDS or not match.in_round or me is None:
        return me, None
    guests = {seat for seat, person in enumerate(match.order) if people.shared_phone(person) == me}
    seat = acting_seat(table, match, viewer, present)
    if not guests or seat is None:
        return me, None
    own = match.seat_of(me)
    name = people.name(match.order[seat])
    in_turn = match.game.turn == seat and match.game.demand is None and match.game.question is None
    played = (action.seat for action in reversed(match.game.log) if action.deed is Deed.PLAY)
    holds = next((each for each in played if each == own or each in guests), own)
    turn = Text("{name}’s turn")  # also if the hand is played by a helper
    if holds != seat and (seat == own or seat in guests):
        turn = _GIVE_BACK if seat == own else Text("{name}’s turn: pass the phone to {name}.")
    cover = {
        "seat": seat if seat == _seat_now(match) else -1,
        "label": Text("Show {name}’s cards").filled(name=name)[viewer.language],
        "sentence": turn.filled(name=name)[viewer.language] if in_turn else "",
    }
    return match.order[seat] if in_turn else me, cover


def _to_do(table: Table, match: Match, viewer: Viewer, around: Around) -> dict[str, Any]:
    language, names = viewer.language, names_of(table, match)
    seat = acting_seat(table, match, viewer, around.present)
    shown: dict[str, Any] = {"acting": seat}
    if match.over:
        return shown
    if match.counter_mode:
        if match.open_round and not match.dealing:
            hosts = viewer.owner or viewer.person == table.people.acting_host(around.present)
            shown["choices"] = counter_choices(
                match, names, language, strikes=hosts or not table.host_only, ends=not table.pushes
            )
    elif match.in_round and seat is not None:
        cards = match.tracking_mode is e.TrackingMode.CARDS
        shown["choices"], shown["always"] = choices(
            match.game, seat, language, names, cards=not cards, launcher_draws=True
        )
        if cards:
            shown["hand"] = hand(match.game, seat, language, names)
    if (asked := match.game.question) is not None:
        me = match.seat_of(viewer.person)
        text = rules_question(table, match, asked, me, language)
        shown["asks"] = {**(question(match.game, language, names, me) or {}), "text": text}
    if phase(table) == "between":
        shown["choices"] = [
            {
                "label": capital(Text("Next {round}").filled(round=vocabulary_of(match.game).round)[language]),
                "kind": "main",
                "send": {"do": "deal"},
            }
        ]
        if match.begun.deals and match.tracking_mode is not e.TrackingMode.CARDS and table.stand_in is None:
            shown["choices"][0]["hint"] = _GATHER[language]
    shown["push"] = push(table, match, seat, viewer.person, language, present=around.present)
    if match.counter_mode:
        shown["push"] = shown["push"] or press_anyway(table, match, language, by_phone=around.by_phone)
    shown["recount"] = _recount(table, match, viewer, around.present)
    return shown


def _count(press: int, cards: int, language: str) -> Choice:
    label = CARDS_CAME.filled(number=cards) if cards else Text("None")
    return {"label": label[language], "send": {"do": "count", "press": press, "cards": cards}}


def _asks(table: Table, language: str) -> dict[str, Any]:
    """Return the question how many cards came, with the likely answer highlighted."""
    asked = next(iter(table.asked.values()))
    choices = [_count(asked.press, cards, language) for cards in range(asked.most + 1)]
    choices[asked.likely]["kind"] = "main"
    return {"text": count_question(table, language), "choices": choices}


def _recount(table: Table, match: Match, viewer: Viewer, present: Container[int]) -> dict[str, Any] | None:
    """Return the offer to correct the last count, while no action followed: to the presser by one card; also to
    everybody else if another person told the count.
    """
    press = table.last_press
    if press is None or table.asked or match.counter_mode or not match.may_recount(press) or not match.game.log:
        return None
    action = match.game.log[-1]
    if action.deed is not Deed.FULFIL or match.marks[-1].press != press or not isinstance(action.value, int):
        return None
    if match.brought(press) != action.value:  # a surplus came, and has been reported
        return None
    if action.seat is None:
        return None
    told = table.counted
    other = told.by if told is not None and told.press == press and told.by != viewer.person else None
    if other is None and not table.people.may_act_for(viewer.person, match.order[action.seat], present):
        return None
    cards, language = action.value, viewer.language
    right = {"label": Text("That’s right")[language], "kind": "main", "send": None}
    fewer = [{**_count(press, cards - 1, language), "label": Text("One fewer")[language]}] if cards else []
    more = {**_count(press, cards + 1, language), "label": Text("One more")[language]}
    text = entered(table, told)[language] if told is not None and other is not None else ""
    return {"press": press, "cards": cards, "text": text, "choices": [right, more, *fewer], "seconds": RECOUNT_S}
