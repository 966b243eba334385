"""What all phones show alike: who sits where, what lies open, scores and luck. Made once for all of one language."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final, NamedTuple

from dispenser.i18n import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.game import Game
from dispenser.rules.library import book_of
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.rules.words.vocabulary import ROUND
from dispenser.table.board import NO_BOARD, board, luck
from dispenser.table.card_picker import capital, card_of, colour_of
from dispenser.table.match import Match
from dispenser.table.menu import names_of
from dispenser.table.seats import seats, waiting
from dispenser.table.table import Table

_TITLE: Final = Text("{game} · {round} {number}")
CARDS_CAME: Final = Text("{number} card", plural="{number} cards")


class Around(NamedTuple):
    """What a pure table does not know.

    :ivar present: persons with a phone that listens.
    :ivar cards_per_press: what the odds promise.
    :ivar join: how to join: code and addresses.
    :ivar by_phone: the launcher has no button of its own to press: it is simulated.
    """

    present: Container[int]
    cards_per_press: float | None = None
    join: Mapping[str, Any] | None = None
    by_phone: bool = False


def common(table: Table, language: str, around: Around) -> dict[str, Any]:
    """That part of every view. Shared: not to be changed."""
    match = table.match
    shown: dict[str, Any] = {
        "at": table.at,
        "language": language,
        "phase": phase(table),
        "seats": seats(table, around.present),
        "waiting": waiting(table),
        "owes": None,
        "top": None,
        "colour": None,
        "direction": 1,
        "in_force": [],
        "title": "",
        "round": ROUND[language],
        "telling": None,
        "board": NO_BOARD,
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
        "round": round_name[language],
        "options": match.begun.options,
        "top": card_of(game, state.talon[-1], language) if followed and state.talon else None,
        "colour": colour_of(game, state.colour, language) if followed and state.colour >= 0 else None,
        "pile": state.in_pile() if followed else None,
        "direction": state.direction if followed else None,
        "in_force": _in_force(game, language) if followed else [],
        "board": board(table, match),
        "luck": luck(table, match, around.cards_per_press),
        "owes": _open_debt(match, names, language),
    }


def _in_force(game: Game, language: str) -> list[str]:
    """What holds beside the card on top: a chain of cards to draw, a pile that is frozen."""
    said = vocabulary_of(game).in_force(game.observe(0))  # all of it lies open
    return [capital(text[language]) for text in said]


def _open_debt(match: Match, names: list[str], language: str) -> dict[str, Any] | None:
    due = match.due
    if due is None or match.dealing:
        return None
    presses = due.kind is Owed.PRESSES
    text = (Text("{number}×") if presses else CARDS_CAME).filled(number=due.left)[language]
    return {
        "seat": due.payer, "name": names[due.payer], "receiver": due.receiver,
        "kind": "presses" if presses else "cards", "left": due.left, "total": due.total, "text": text,
    }  # fmt: skip
