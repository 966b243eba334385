"""Who sits around the table, and what lies open of each."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final

from dispenser.table.match import Match
from dispenser.table.push import payer
from dispenser.table.table import Table

_NO_SEAT: Final = {
    "cards": None, "score": None, "turn": False, "owes": "", "announced": False, "exposed": False, "gone": False,
    "dealer": False,
}  # fmt: skip
"""Of somebody who waits for a match."""


def seats(table: Table, present: Container[int]) -> list[dict[str, Any]]:
    """The seats of the match in the order of play; before one, whoever is here. ``me`` is for each phone to set."""
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
                "away": not person.bot and person.secret is not None and number not in present,
                "phone": person.secret is not None,
                "left": person.left,
                "me": False,
                "host": number == people.host,
                **(_seat(match, order.index(number)) if match else _NO_SEAT),
            }
        )
    return shown


def waiting(table: Table) -> list[str]:
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
        return payer(match)
    return match.game.turn if match.in_round else None


def _owed(match: Match, seat: int) -> str:
    """What a seat owes, very short."""
    number, presses = 0, match.counts_presses
    if match.by_itself:
        number = sum(debt.left for debt in match.ledger.debts if debt.seat == seat)
    elif match.in_round:
        number = sum(demand.number for demand in match.game.state.demands if demand.payer == seat)
    return (f"{number}×" if presses else f"+{number}") if number else ""
