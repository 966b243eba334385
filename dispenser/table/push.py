"""The big button: whose it is now, and what it says."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final

from dispenser.language import Text
from dispenser.table.match import Match
from dispenser.table.table import Table

_PRESS: Final = Text("Press!")


def push(
    table: Table, match: Match, seat: int | None, person: int | None, language: str, *, present: Container[int]
) -> dict[str, Any] | None:
    """The big button, for whoever is to press now."""
    if table.asked or match.game.question is not None:
        return None
    who = payer(match)
    if who is None:
        return None
    if not (who == seat or table.people.may_act_for(person, match.order[who], present)):
        return None
    return {"label": _PRESS[language], "send": {"press": True}, "due": _is_due(match)}


def throw(table: Table, match: Match | None, language: str) -> dict[str, Any]:
    """The launcher's button, for whoever comes to it; what may not be now is refused, as on the real one."""
    due = not table.asked and match is not None and match.game.question is None and payer(match) is not None
    return {"label": _PRESS[language], "send": {"press": True}, "due": due and _is_due(match)}


def _is_due(match: Match | None) -> bool:
    """Whether somebody must press, and does not just choose to."""
    return match is not None and (match.by_itself or bool(match.dealing) or match.game.demand is not None)


def payer(match: Match) -> int | None:
    """Who pays or plays with the next press."""
    if match.dealing:
        return next(iter(match.dealing))
    if match.by_itself:
        debts = match.ledger.debts
        return debts[0].seat if debts else None
    if (demand := match.game.demand) is not None:
        return demand.payer
    return match.game.turn if match.in_round and match.counts_presses and match.may_decline else None
