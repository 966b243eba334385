"""What all phones show alike: who sits where, what lies open, scores and luck. Made once for all of one language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from dispenser.language import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.library import book_of
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.table.board import board, luck
from dispenser.table.faces import card_of, colour_of
from dispenser.table.match import Match
from dispenser.table.menu import names_of
from dispenser.table.table import Table

_TITLE: Final = Text("{game} · {round} {number}")
CARDS_CAME: Final = Text("{number} card", plural="{number} cards")
_TIMES: Final = Text("{number}×")

_NO_SEAT: Final = {
    "cards": None, "score": None, "turn": False, "owes": "", "announced": False, "exposed": False, "gone": False,
    "dealer": False,
}  # fmt: skip
"""Of somebody who waits for a match."""


class Around(NamedTuple):
    """What a pure table does not know.

    :ivar present: how many phones each person has that listen now.
    :ivar cards_per_press: what the odds promise.
    :ivar join: how to join: code and addresses.
    """

    present: Mapping[int, int]
    cards_per_press: float | None = None
    join: Mapping[str, Any] | None = None


def common(table: Table, language: str, around: Around) -> dict[str, Any]:
    """That part of every view. Shared: not to be changed."""
    match = table.match
    shown: dict[str, Any] = {
        "at": table.at,
        "language": language,
        "phase": phase(table),
        "seats": _people(table, around),
        "waiting": _waiting(table),
        "owes": None,
        "top": None,
        "colour": None,
        "direction": 1,
        "title": "",
        "telling": None,
        "board": {"names": [], "rounds": [], "totals": [], "winner": []},
        "luck": [],
    }
    return shown if match is None else shown | _of_match(table, match, language, around)


def phase(table: Table) -> str:
    """Where the evening stands, one word."""
    match = table.match
    if match is None:
        return "lobby" if table.is_open else "closed"
    if match.over:
        return "over"
    if match.dealing:
        return "dealing"
    if match.in_round:
        return "playing"
    return "counting" if match.counting else "between"


def _people(table: Table, around: Around) -> list[dict[str, Any]]:
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
                "me": False,
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
        "turn": followed and state.turn == seat,
        "owes": _owed(match, seat),
        "announced": seat in state.announced,
        "exposed": seat in state.exposed,
        "gone": seat in state.gone,
        "dealer": followed and state.dealer == seat,
    }


def _owed(match: Match, seat: int) -> str:
    """What a seat owes, very short."""
    number, presses = 0, match.counts_presses
    if match.by_itself:
        number = sum(debt.left for debt in match.ledger.debts if debt.seat == seat)
    elif match.in_round:
        number = sum(demand.number for demand in match.game.state.demands if demand.payer == seat)
    return (f"{number}×" if presses else f"+{number}") if number else ""


def _of_match(table: Table, match: Match, language: str, around: Around) -> dict[str, Any]:
    game = match.game
    state, names = game.state, names_of(table, match)
    followed = match.in_round and not match.by_itself
    number = len(match.rounds_played) + (1 if match.in_round or match.dealing or match.counting else 0)
    round_name = vocabulary_of(game).round
    return {
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
    text = (_TIMES if presses else CARDS_CAME).filled(number=left)[language]
    return {
        "seat": seat, "name": names[seat], "receiver": receiver, "kind": "presses" if presses else "cards",
        "left": left, "total": total, "text": text,
    }  # fmt: skip
