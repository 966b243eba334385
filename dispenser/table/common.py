"""The part of a view that all phones share: seats, open cards, scores, luck. Made once for each language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from typing import Any, Final, NamedTuple

from dispenser.i18n import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.game import Game
from dispenser.rules.library import book_of
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.rules.words.vocabulary import ROUND
from dispenser.table.card_picker import capital, card_of, colour_of
from dispenser.table.match import Match
from dispenser.table.matches import players
from dispenser.table.menu import names_of
from dispenser.table.table import Table

_TITLE: Final = Text("{game} · {round} {number}")
CARDS_CAME: Final = Text("{number} card", plural="{number} cards")
NO_BOARD: Final[dict[str, Any]] = {
    "names": [], "rounds": [], "scores": [], "totals": [], "winner": [], "places": []
}  # fmt: skip
"""The score board before anything has been scored."""
_NO_SEAT: Final = {
    "cards": None, "score": None, "turn": False, "owes": "", "announced": False, "exposed": False, "gone": False,
    "dealer": False,
}  # fmt: skip
"""Seat state of a person who waits for a match."""


class Around(NamedTuple):
    """Facts from outside the table that views need.

    :ivar by_phone: the launcher is simulated, so phones show its button.
    """

    present: Container[int]
    cards_per_press: float | None = None
    join: Mapping[str, Any] | None = None
    by_phone: bool = False


def common(table: Table, language: str, around: Around) -> dict[str, Any]:
    """Return the part of a view that all phones share. Shared: do not modify."""
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
        "tracking_mode": None,
        "board": NO_BOARD,
        "luck": [],
    }
    return shown if match is None else shown | _of_match(table, match, language, around)


def phase(table: Table) -> str:
    """Return the phase of the evening as one word."""
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
    followed = match.in_round and not match.counter_mode
    number = len(match.rounds_played) + (1 if match.in_round or match.dealing or match.counting else 0)
    round_name = vocabulary_of(game).round
    return {
        "game": match.begun.game,
        "tracking_mode": match.tracking_mode.value,
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
    """Return the effects in force besides the card on top: a chain of cards to draw, a frozen pile."""
    said = vocabulary_of(game).in_force(game.observe(0))  # the same for all seats
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


def seats(table: Table, present: Container[int]) -> list[dict[str, Any]]:
    """Return the seats of the match in order of play or, before a match, all people. Each phone sets its own ``me``."""
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
    match = table.match
    if match is None:
        return []
    joining = players(table, table.next_tracking_mode or match.tracking_mode)
    return [table.people.name(number) for number in joining if number not in match.order]


def _lie_open(match: Match) -> list[dict[str, Any]]:
    state, turn, owed = match.game.state, _in_turn(match), _owed(match)
    followed = match.in_round and not match.counter_mode
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
    """Return the seat shown as in turn: of the turn, or of the next press where turns are not tracked."""
    if match.dealing or (match.in_round and (match.counter_mode or match.game.demand)):
        return match.payer
    return match.game.turn if match.in_round else None


def _owed(match: Match) -> dict[int, str]:
    """Return what each seat owes, as a short label."""
    number: Counter[int] = Counter()
    if match.counter_mode:
        for debt in match.ledger.debts:
            number[debt.seat] += debt.left
    elif match.in_round:
        for demand in match.game.state.demands:
            number[demand.payer] += demand.number
    template = "{}×" if match.counts_presses else "+{}"
    return {seat: template.format(left) for seat, left in number.items() if left}


def board(table: Table, match: Match) -> dict[str, Any]:
    """Return points by round and seat, the scores after each round, and the current ones, possibly corrected since.

    A game without points has places at its end: the order in which players went out, if the table reported it.
    """
    outcome = match.game.outcome if match.over else None
    if not match.scored:
        places = outcome.ranking if outcome and not match.counter_mode else ()
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
    """Return the presses by the odds in this match by person, the cards that they delivered and the expected number."""
    came: dict[int, list[int]] = {}
    for press in table.luck.values():
        came.setdefault(press.person, []).append(press.cards)
    return [
        luck_row(table.people.name(person), len(cards), sum(cards), cards_per_press)
        for person in match.order
        if (cards := came.get(person))
    ]


def luck_row(name: str, presses: int, cards: int, cards_per_press: float | None) -> dict[str, Any]:
    promised = round(presses * (cards_per_press or 0), 1)
    return {"name": name, "presses": presses, "cards": cards, "promised": promised}
