"""The retained state as one JSON object, and the events derived from its changes.

It contains nothing that a viewer of the shared screen may not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dispenser.launcher import messages as m
from dispenser.rules.engine.demands import Owed
from dispenser.version import VERSION

if TYPE_CHECKING:
    from dispenser.journal import Record
    from dispenser.service.service import Service

Event = tuple[str, dict[str, Any]]  # Name and data
BURST, DUD, TURN, ROUND_OVER = EVENTS = ("burst", "dud", "turn", "round_over")


def state_of(service: Service, language: str, page: str = "") -> dict[str, Any]:
    """Return the state of launcher and table. Bursts are in cards; unknown values are ``None``.

    :param page: URL of the page.
    """
    known, session = service.snapshot(language), service.session
    ended = session.memory.ended if session is not None else {}
    state = m.State(known["state"])
    return {
        "state": state.value,
        "detail": known["detail"],
        "lid_open": known["lid_open"],
        "card_in_exit": known["exit_blocked"],
        "jam": state is m.State.JAMMED,
        "empty": state is m.State.EMPTY,
        "fault": state in (m.State.FAULT, m.State.BLIND),  # blind: no card was seen, for an unknown reason
        "cards_inside": known["cards_inside"],
        "last_burst": next((each.count for each in reversed(ended.values()) if each.count), None),
        "duds_in_a_row": known["dud_streak"],
        "presses": known["presses"],
        **_table(service),
        "version": VERSION,
        "page": page,
    }


def _table(service: Service) -> dict[str, Any]:
    """Return the table's fields; without an evening or a match they are empty, zero or ``None``."""
    from dispenser.table.common import phase, seats

    evening = service.evening
    table = evening.table if evening is not None and evening.is_open else None
    match = table.match if table is not None else None
    if table is None or match is None:
        phase_ = "closed" if table is None else phase(table)
        return {"phase": phase_, "game": None, "turn": None, "presses_due": 0, "rounds": 0, "scores": {}}
    due, shown = match.due, seats(table, evening.present if evening else ())
    return {
        "phase": phase(table),
        "game": match.begun.game,
        "turn": next((seat["name"] for seat in shown if seat["turn"]), None),
        "presses_due": due.left if due is not None and due.kind is Owed.PRESSES else 0,
        "rounds": len(match.rounds_played),
        "scores": {table.people.name(person): score for person, score in zip(match.order, match.scores, strict=True)},
    }


def burst_event(ended: Record) -> Event:
    """Return the event for the end of a press, with or without cards."""
    told = {"press": ended.data["press"], "cause": ended.data["cause"]}
    cards = ended.data["delivered"]
    return (DUD, told) if cards == 0 else (BURST, {**told, "cards": cards})


def table_events(before: dict[str, Any], now: dict[str, Any]) -> Iterator[Event]:
    """Yield events for changes of the table between two states."""
    if now["rounds"] > before["rounds"]:
        yield ROUND_OVER, {"round": now["rounds"], "scores": now["scores"]}
    if now["turn"] is not None and now["turn"] != before["turn"]:
        yield TURN, {"player": now["turn"]}
