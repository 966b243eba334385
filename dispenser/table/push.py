"""The big button: whose it is now, and its label."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.table.common import CARDS_CAME
from dispenser.table.events import TrackingMode
from dispenser.table.match import Match
from dispenser.table.table import Table

_PRESS: Final = Text("Press!")
_CANNOT_PLAY: Final = Text("Can’t play: press!")
_IS_LAUNCHER: Final = Text("This phone is the launcher.")
_PRESSES_HERE: Final = Text("This phone is the launcher. {name} presses here.")
_YOU_PRESS_HERE: Final = Text("This phone is the launcher. You press here.")
_CANNOT_PLAY_HERE: Final = Text("This phone is the launcher. Can’t play? Press here.")
_PRESSES_ALONE: Final = Text("This phone is the launcher. {name} is a bot and presses alone.")
_TAKE: Final = Text("Take {number} card from the pile", plural="Take {number} cards from the pile")
_TAKES: Final = Text("{name} takes {number} card from the pile", plural="{name} takes {number} cards from the pile")


def push(
    table: Table, match: Match, seat: int | None, person: int | None, language: str, *, present: Container[int]
) -> dict[str, Any] | None:
    """Return the press button for whoever must press now, or ``None``."""
    if table.asked or match.game.question is not None:
        return None
    who = match.payer
    if who is None:
        return None
    if not (who == seat or table.people.may_act_for(person, match.order[who], present)):
        return None
    return {"label": _PRESS[language], "send": {"press": True}, "due": _is_due(match)}


def press_anyway(table: Table, match: Match, language: str, *, by_phone: bool) -> dict[str, Any] | None:
    """Return the press button in counter mode without a debt, for a player who cannot play."""
    if table.asked or match.dealing or not match.open_round or match.ledger.debts:
        return None
    return {"label": _CANNOT_PLAY[language], "send": {"press": True}, "due": by_phone or table.stand_in is not None}


def throw(table: Table, match: Match | None, language: str) -> dict[str, Any]:
    """Return the press button of the stand-in phone; presses that are not allowed are refused, as on a real one."""
    asked = table.asked or match is None or match.game.question is not None or match.payer is None
    return {"label": _PRESS[language], "send": {"press": True}, "due": not asked and _is_due(match)}


def _is_due(match: Match | None) -> bool:
    """Decide whether the press is required, not a choice."""
    return match is not None and (match.counter_mode or match.due is not None)


def stand_in(table: Table, me: int | None, language: str) -> dict[str, Any] | None:
    """Return whose phone is the launcher; to that phone also who presses there now."""
    person = table.stand_in
    if person is None:
        return None
    shown = {"person": person, "name": table.people.name(person), "me": person == me}
    return {**shown, "text": _who_presses_here(table)[language]} if person == me else shown


def _who_presses_here(table: Table) -> Text:
    match = table.playing
    if match is None or table.asked or match.game.question is not None:
        return _IS_LAUNCHER
    if match.payer is None:
        return _CANNOT_PLAY_HERE if match.counter_mode and match.open_round else _IS_LAUNCHER
    person = match.order[match.payer]
    if person == table.stand_in:
        return _YOU_PRESS_HERE
    text = _PRESSES_ALONE if table.people.persons[person].bot else _PRESSES_HERE
    return text.filled(name=table.people.name(person))


def take(table: Table, me: int | None, language: str) -> dict[str, Any] | None:
    """Return what the stand-in phone last delivered, and to whom, unless that is the reader."""
    thrown = table.thrown
    if thrown is None:
        return None
    press, person = table.taker
    text = _TAKE.filled(number=thrown.cards)
    if not thrown.cards:
        text = Text("Nothing!")
    elif table.playing is not None and table.playing.tracking_mode is TrackingMode.CARDS:  # there is no pile
        text = CARDS_CAME.filled(number=thrown.cards)
    elif press == thrown.press and person is not None and person != me:
        text = _TAKES.filled(name=table.people.name(person), number=thrown.cards)
    return {"press": thrown.press, "cards": thrown.cards, "text": text[language]}
