"""Who sits around the table, and what lies open of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from typing import Any, Final

from dispenser.table.match import Match
from dispenser.table.matches import players
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
    lie_open = _lie_open(match) if match else [_NO_SEAT] * len(order)
    for seat, number in enumerate(order):
        person = people.persons[number]
        shown.append(
            {
                "seat": seat,
                "person": number,
                "name": person.name,
                "bot": person.bot,
                "away": not person.bot and person.secret is not None and number not in present,
                "phone": person.secret is not None,
                "left": person.left,
                "me": False,
                "host": number == people.host,
                **lie_open[seat],
            }
        )
    return shown


def waiting(table: Table) -> list[str]:
    """Who joins with the next round."""
    match = table.match
    if match is None:
        return []
    joining = players(table, table.wished or match.telling)
    return [table.people.name(number) for number in joining if number not in match.order]


def _lie_open(match: Match) -> list[dict[str, Any]]:
    """What lies open of each seat."""
    state, turn, owed = match.game.state, _in_turn(match), _owed(match)
    followed = match.in_round and not match.by_itself
    return [
        {
            "cards": state.sizes[seat] if followed else None,
            "score": state.scores[seat] if match.scored else None,
            "turn": seat == turn,
            "owes": owed.get(seat, ""),
            "announced": seat in state.announced,
            "exposed": seat in state.exposed,
            "gone": seat in state.gone,
            "dealer": followed and state.dealer == seat,
        }
        for seat in range(len(match.order))
    ]


def _in_turn(match: Match) -> int | None:
    """Whom everybody looks at: whose turn it is, or who is to press while nobody's is followed."""
    if match.dealing or (match.in_round and (match.by_itself or match.game.demand)):
        return match.payer
    return match.game.turn if match.in_round else None


def _owed(match: Match) -> dict[int, str]:
    """What each seat owes, very short."""
    number: Counter[int] = Counter()
    if match.by_itself:
        for debt in match.ledger.debts:
            number[debt.seat] += debt.left
    elif match.in_round:
        for demand in match.game.state.demands:
            number[demand.payer] += demand.number
    template = "{}×" if match.counts_presses else "+{}"
    return {seat: template.format(left) for seat, left in number.items() if left}
