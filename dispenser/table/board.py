"""Scores over the rounds, and who had the luck."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dispenser.rules.engine.history import Deed
from dispenser.table.match import Match
from dispenser.table.table import Table


def board(table: Table, match: Match) -> dict[str, Any]:
    """Points of each round by seat, and the totals."""
    outcome = match.game.outcome if match.over else None
    return {
        "names": [table.people.name(person) for person in match.order],
        "rounds": [[each.points.get(person, 0) for person in match.order] for each in match.rounds_played],
        "scores": [[each.scores.get(person, 0) for person in match.order] for each in match.rounds_played],
        "totals": list(match.scores),
        "winner": [table.people.name(match.order[seat]) for seat in outcome.winners] if outcome else [],
        "low_wins": bool(match.game.state.low_score_wins),
    }


def luck(table: Table, match: Match, cards_per_press: float | None) -> list[dict[str, Any]]:
    """Presses left to the odds since the match was last begun anew, what they brought, and what was to be expected."""
    presses: Counter[int] = Counter()
    cards: Counter[int] = Counter()
    for (deed, seat, value), mark in zip(match.game.log, match.marks, strict=False):
        if deed is Deed.FULFIL and mark.press is not None and seat is not None and match.counts_presses:
            presses[match.order[seat]] += 1
            cards[match.order[seat]] += value if isinstance(value, int) else 0
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
