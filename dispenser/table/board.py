"""Scores over the rounds, and who had the luck."""

from __future__ import annotations

from typing import Any, Final

from dispenser.table.match import Match
from dispenser.table.table import Table

NO_BOARD: Final[dict[str, Any]] = {
    "names": [], "rounds": [], "scores": [], "totals": [], "winner": [], "places": []
}  # fmt: skip
"""Where nothing has been scored yet."""


def board(table: Table, match: Match) -> dict[str, Any]:
    """What each round brought by seat, the scores after it, and those of now, which may have been set right since.

    A game without points has places at its end: who went out in which order, where the table told it.
    """
    outcome = match.game.outcome if match.over else None
    if not match.scored:
        places = outcome.ranking if outcome and not match.by_itself else ()
        return {**NO_BOARD, "places": [table.people.name(match.order[seat]) for seat in places]}
    return {
        **NO_BOARD,
        "names": [table.people.name(person) for person in match.order],
        "rounds": [[each.points.get(person, 0) for person in match.order] for each in match.rounds_played],
        "scores": [[each.scores.get(person, 0) for person in match.order] for each in match.rounds_played],
        "totals": list(match.scores),
        "winner": [table.people.name(match.order[seat]) for seat in outcome.winners] if outcome else [],
    }


def luck(table: Table, match: Match, cards_per_press: float | None) -> list[dict[str, Any]]:
    """Presses left to the odds in this match, what they brought, and what was to be expected."""
    came: dict[int, list[int]] = {}
    for press in table.luck.values():
        came.setdefault(press.person, []).append(press.cards)
    return [
        {
            "name": table.people.name(person),
            "presses": len(cards),
            "cards": sum(cards),
            "promised": round(len(cards) * (cards_per_press or 0), 1),
        }
        for person in match.order
        if (cards := came.get(person))
    ]
