"""Scores over the rounds, and who had the luck."""

from __future__ import annotations

from collections import Counter
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
    """Presses left to the odds since the match was last begun anew, what they brought, and what was to be expected."""
    presses: Counter[int] = Counter()
    cards: Counter[int] = Counter()
    for seat, came in match.left_to_luck.items():
        presses[match.order[seat]] = len(came)
        cards[match.order[seat]] = sum(came)
    if match.by_itself and match.counts_presses:
        for seat, number in match.ledger.pressed:
            presses[match.order[seat]] += 1
            cards[match.order[seat]] += number
    return [
        {
            "name": table.people.name(person),
            "presses": presses[person],
            "cards": cards[person],
            "promised": round(presses[person] * (cards_per_press or 0), 1),
        }
        for person in match.order
        if presses[person]
    ]
