"""What each phone shows: one small view, whole each time, of what its seat may see and of nothing else.

Phones draw it and know no rules. What a field holds is told where it is made; the whole of it in the web's README.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from dispenser.language import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.history import Deed
from dispenser.rules.library import book_of
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.table import messages as m
from dispenser.table.board import board, luck
from dispenser.table.choices import choices, hand
from dispenser.table.counting import counter_choices
from dispenser.table.faces import Choice, card_of, colour_of
from dispenser.table.headline import headline
from dispenser.table.lobby import lobby
from dispenser.table.match import Match
from dispenser.table.menu import menu, names_of, undo_choices
from dispenser.table.news import news
from dispenser.table.outside import outside
from dispenser.table.questions import question
from dispenser.table.table import Table

RECOUNT_S: Final = 10
"""How long a phone offers to set a count right."""

_TITLE: Final = Text("{game} · {round} {number}")
_NEXT_ROUND: Final = Text("Next round")
_PRESS: Final = Text("Press!")
_PUSH: Final = Text("Push!")
_NONE_CAME: Final = Text("None")
_CARDS_CAME: Final = Text("{number} card", plural="{number} cards")
_RIGHT: Final = Text("Right")
_TIMES: Final = Text("{number}×")
_WHY_ASKED: Final = {
    "lid": Text("The lid was lifted. How many cards came?"),
    "double": Text("Two may have come at once. How many cards came?"),
    "lost": Text("The power was gone. How many cards came?"),
    "timed": Text("I cannot see them. How many cards came?"),
}
_HOW_MANY: Final = Text("How many cards came?")


_NO_SEAT: Final = {
    "cards": None, "score": None, "turn": False, "owes": "", "announced": False, "exposed": False, "gone": False,
    "dealer": False,
}  # fmt: skip
"""Of somebody who waits for a match."""


class Viewer(NamedTuple):
    """Whose phone it is.

    :ivar person: at the table; ``None`` for whoever watches.
    :ivar owner: operates the launcher.
    """

    person: int | None
    owner: bool
    language: str


class Around(NamedTuple):
    """What a pure table does not know.

    :ivar present: how many phones each person has that listen now.
    :ivar cards_per_press: what the odds promise.
    :ivar join: how to join: code and addresses.
    """

    present: Mapping[int, int]
    cards_per_press: float | None = None
    join: Mapping[str, Any] | None = None


def view(table: Table, viewer: Viewer, around: Around) -> dict[str, Any]:
    """The whole of it."""
    language, person = viewer.language, viewer.person
    match, people = table.match, table.people
    head = headline(table, person, language)
    here = people.is_here(person)
    hosts = viewer.owner or (here and person == people.host)
    shown: dict[str, Any] = {
        "at": table.at,
        "language": language,
        "me": {
            "person": person if here else None,
            "seat": table.seat_of(person) if here else None,
            "name": people.name(person) if here and person is not None else "",
            "host": here and person == people.host,
            "owner": viewer.owner,
        },
        "phase": phase(table),
        "sentence": head.text,
        "tone": head.tone,
        "aloud": head.aloud,
        "calls": table.called_at,
        "called": head.tone == "you",
        "seats": _people(table, around, person),
        "waiting": _waiting(table),
        "news": news(table, person, language),
        "choices": outside(table, person, language, owner=viewer.owner, present=around.present),
        "always": [],
        "hand": [],
        "push": None,
        "owes": None,
        "recount": None,
        "top": None,
        "colour": None,
        "direction": 1,
        "title": "",
        "telling": None,
        "board": {"names": [], "rounds": [], "totals": [], "winner": []},
        "luck": [],
        "quick": undo_choices(table, language, hosts=hosts) if here or viewer.owner else [],
        "asks": None,
        "join": around.join if table.is_open else None,
        "may_start": table.is_open and hosts and (match is None or match.over),
    }
    if match is not None:
        shown |= _of_match(table, match, viewer, around)
    if table.asked and (here or viewer.owner):
        shown["asks"] = _asks(table, language)
    return shown


def sheet(table: Table, viewer: Viewer, around: Around) -> dict[str, Any]:
    """What stands behind the page: it is asked for when somebody opens it."""
    match = table.match
    hosts = viewer.owner or (viewer.person is not None and viewer.person == table.people.host)
    return {
        "menu": menu(table, viewer.person, viewer.language, owner=viewer.owner, present=around.present),
        "lobby": lobby(viewer.language) if table.is_open and hosts and (match is None or match.over) else None,
    }


def phase(table: Table) -> str:
    """Where the evening stands, one word."""
    match = table.match
    if match is None:
        return "lobby" if table.is_open else "closed"
    if match.over:
        return "over"
    if match.dealing:
        return "dealing"
    if match.in_round or match.game.question is not None:
        return "playing"
    return "counting" if match.counting else "between"


# --- people ------------------------------------------------------------------------------------------------------


def _people(table: Table, around: Around, me: int | None) -> list[dict[str, Any]]:
    """The seats of the match in the order of play; before one, whoever is here."""
    people, match = table.people, table.match
    order = match.order if match else tuple(people.order)
    shown = []
    for number in order:
        person = people.persons[number]
        shown.append(
            {
                "seat": order.index(number),
                "person": number,
                "name": person.name,
                "bot": person.bot,
                "away": not person.bot and person.secret is not None and not around.present.get(number),
                "phone": person.secret is not None,
                "left": person.left,
                "me": number == me,
                "host": number == people.host,
                **(_seat(match, order.index(number)) if match else _NO_SEAT),
            }
        )
    return shown


def _waiting(table: Table) -> list[str]:
    """Who joins with the next round."""
    order = table.match.order if table.match else table.people.order
    return [table.people.name(number) for number in table.people.order if number not in order]


def _seat(match: Match, seat: int) -> dict[str, Any]:
    """What lies open of a seat."""
    state, in_round = match.game.state, match.in_round
    followed = in_round and not match.by_itself
    return {
        "cards": state.sizes[seat] if followed else None,
        "score": match.scores[seat] if state.values() or any(match.scores) else None,
        "turn": seat == _in_turn(match),
        "owes": _owed(match, seat),
        "announced": seat in state.announced,
        "exposed": seat in state.exposed,
        "gone": seat in state.gone,
        "dealer": followed and state.dealer == seat,
    }


def _in_turn(match: Match) -> int | None:
    """Whom everybody looks at: whose turn it is, or who is to press while nobody's is followed."""
    if match.dealing or (match.in_round and (match.by_itself or match.game.demand)):
        return _payer(match)
    return match.game.turn if match.in_round else None


def _owed(match: Match, seat: int) -> str:
    """What a seat owes, very short."""
    number, presses = 0, match.counts_presses
    if match.by_itself:
        number = sum(debt.left for debt in match.ledger.debts if debt.seat == seat)
    elif match.in_round:
        number = sum(demand.number for demand in match.game.state.demands if demand.payer == seat)
    return (f"{number}×" if presses else f"+{number}") if number else ""


# --- the match ---------------------------------------------------------------------------------------------------


def _of_match(table: Table, match: Match, viewer: Viewer, around: Around) -> dict[str, Any]:
    language, game = viewer.language, match.game
    state, names = game.state, names_of(table, match)
    followed = match.in_round and not match.by_itself
    number = len(match.rounds_played) + (1 if match.in_round or match.dealing or match.counting else 0)
    round_name = vocabulary_of(game).round
    shown: dict[str, Any] = {
        "game": match.begun.game,
        "telling": match.telling.value,
        "title": _TITLE.filled(game=book_of(game.game_id).name, round=round_name, number=max(1, number))[language],
        "options": match.begun.options,
        "top": card_of(game, state.talon[-1], language) if followed and state.talon else None,
        "colour": colour_of(game, state.colour, language) if followed and state.colour >= 0 else None,
        "pile": state.in_pile() if followed else None,
        "direction": state.direction if followed else None,
        "board": board(table, match),
        "luck": luck(table, match, around.cards_per_press),
        "owes": _open_debt(match, names, language),
    }
    acting = acting_seat(table, match, viewer)
    if table.people.is_here(viewer.person) or viewer.owner:
        shown |= _to_do(table, match, acting, viewer, names)
    return shown


def acting_seat(table: Table, match: Match, viewer: Viewer) -> int | None:
    """The seat whose buttons a phone shows: one's own, or the one that is to act now if one acts for it."""
    own = match.seat_of(viewer.person)
    if not match.in_round or match.by_itself:
        return own
    demand = match.game.demand
    now = demand.payer if demand else match.game.turn
    if now < 0 or now == own:
        return own
    person = match.order[now]
    people = table.people
    if match.telling is m.Telling.CARDS:  # the hand is shown along with the buttons: only to whom one plays with
        return now if viewer.person is not None and (viewer.person, person) in people.helpers else own
    return now if people.may_act_for(viewer.person, person) else own


def _to_do(table: Table, match: Match, seat: int | None, viewer: Viewer, names: list[str]) -> dict[str, Any]:
    language = viewer.language
    shown: dict[str, Any] = {"acting": seat}
    if match.over:
        return shown
    if match.by_itself:
        if match.open_round and not match.dealing:
            shown["choices"] = counter_choices(match, names, language)
    elif match.in_round and seat is not None:
        cards = match.telling is m.Telling.CARDS
        shown["choices"], shown["always"] = choices(
            match.game, seat, language, names, cards=not cards, launcher_draws=True
        )
        if cards:
            shown["hand"] = hand(match.game, seat, language, names)
    if match.game.question is not None:
        asked = question(match.game, language, names)
        shown["asks"] = asked
        shown["sentence"] = asked["text"] if asked else ""
        shown["tone"] = "ask"
    if phase(table) == "between":
        shown["choices"] = [{"label": _NEXT_ROUND[language], "kind": "main", "send": {"do": "deal"}}]
    shown["push"] = _push(table, match, seat, viewer)
    shown["recount"] = _recount(table, match, viewer, language)
    return shown


def _push(table: Table, match: Match, seat: int | None, viewer: Viewer) -> dict[str, Any] | None:
    """The big button, for whoever is to press now."""
    if table.asked or match.game.question is not None:
        return None
    payer = _payer(match)
    if payer is None:
        return None
    mine = payer == seat or table.people.may_act_for(viewer.person, match.order[payer])
    if not mine:
        return None
    due = match.by_itself or match.dealing or match.game.demand is not None
    label = _PRESS if match.counts_presses and not match.dealing else _PUSH
    return {"label": label[viewer.language], "send": {"press": True}, "due": bool(due)}


def _payer(match: Match) -> int | None:
    """Who pays or plays with the next press."""
    if match.dealing:
        return next(iter(match.dealing))
    if match.by_itself:
        debts = match.ledger.debts
        return debts[0].seat if debts else None
    if (demand := match.game.demand) is not None:
        return demand.payer
    return match.game.turn if match.in_round and match.counts_presses and match.may_decline else None


def _open_debt(match: Match, names: list[str], language: str) -> dict[str, Any] | None:
    if match.by_itself:
        debts = match.ledger.debts
        if not debts:
            return None
        seat, left, total, presses = debts[0].seat, debts[0].left, debts[0].total, debts[0].charge.kind is Owed.PRESSES
        receiver = seat
    elif (demand := match.game.demand) is not None:
        seat, left, total, receiver = demand.payer, demand.number, match.total_due, demand.receiver
        presses = demand.kind is Owed.PRESSES
    else:
        return None
    text = (_TIMES if presses else _CARDS_CAME).filled(number=left)[language]
    return {
        "seat": seat, "name": names[seat], "receiver": receiver, "kind": "presses" if presses else "cards",
        "left": left, "total": total, "text": text,
    }  # fmt: skip


# --- counts ------------------------------------------------------------------------------------------------------


def _count(press: int, cards: int, language: str) -> Choice:
    label = _CARDS_CAME.filled(number=cards) if cards else _NONE_CAME
    return {"label": label[language], "send": {"do": "count", "press": press, "cards": cards}}


def _asks(table: Table, language: str) -> dict[str, Any]:
    """How many cards came? The likely answer first."""
    asked = next(iter(table.asked.values()))
    near = sorted(range(asked.most + 1), key=lambda cards: (abs(cards - asked.likely), -cards))
    first, *others = (_count(asked.press, cards, language) for cards in near)
    text = _WHY_ASKED.get(asked.why, _HOW_MANY)
    return {"text": text[language], "choices": [{**first, "kind": "main"}, *others]}


def _recount(table: Table, match: Match, viewer: Viewer, language: str) -> dict[str, Any] | None:
    """The last burst, as long as nothing was done after it: its presser may say that one more came, or one less."""
    press = table.last_press
    if press is None or table.asked or match.by_itself or not match.game.log:
        return None
    action = match.game.log[-1]
    if action.deed is not Deed.FULFIL or match.marks[-1].press != press or not isinstance(action.value, int):
        return None
    if action.seat is None or not table.people.may_act_for(viewer.person, match.order[action.seat]):
        return None
    cards = action.value
    right = {"label": _RIGHT[language], "kind": "main", "send": None}
    fewer = [{**_count(press, cards - 1, language), "label": "−1"}] if cards else []
    more = {**_count(press, cards + 1, language), "label": "+1"}
    return {"press": press, "cards": cards, "choices": [*fewer, right, more], "seconds": RECOUNT_S}
