"""Buttons of the tracking mode *counter*: charge a seat, cancel a debt, end the round."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.charges import Charge
from dispenser.rules.engine.demands import Owed
from dispenser.rules.words.phrases import PRESSES, vocabulary_of
from dispenser.rules.words.sentences import CARDS
from dispenser.table.card_picker import Choice, capital, faces_in
from dispenser.table.match import Match

MOST_POINTS: Final = 999
_WHO_PRESSES: Final = Text("{charge}: who presses?")
_PRESSES_FOR: Final = Text("How many presses for {name}?")
_CARDS_FOR: Final = Text("How many cards for {name}?")
_WHO_DRAWS: Final = Text("{charge}: who draws?")


def counter_choices(
    match: Match, names: list[str], language: str, *, strikes: bool = True, ends: bool = True
) -> list[Choice]:
    """Return buttons for the charges, then for cancelling debts, then for the end of the round."""
    faces = faces_in(match.game, language)
    found: list[Choice] = []
    for place, charge in enumerate(match.ledger.charges):
        presses = charge.kind is Owed.PRESSES
        owed = (PRESSES if presses else CARDS).filled(number=charge.number)[language]
        choice: Choice = {
            "label": charge.name[language],
            "asks": (_WHO_PRESSES if presses else _WHO_DRAWS).filled(charge=charge.name)[language],
            "rule": charge.rule,
            "next": [
                _charge(place, seat, name, charge, language) for seat, name in enumerate(names) if _plays(match, seat)
            ],
        }
        if charge.number:
            choice["hint"] = owed
        if charge.card is not None:
            choice["card"] = faces.cards[charge.card]
        found.append(choice)
    forgivable: dict[str, Choice] = {}
    for debt in match.ledger.debts if strikes else ():  # of equal debts, the newest: the oldest is paid first
        label = Text("Remove {name}’s debt: {charge}").filled(name=names[debt.seat], charge=debt.charge.name)[language]
        forgivable[label] = {"label": label, "kind": "quiet", "send": {"do": "forgive", "debt": debt.number}}
    found += forgivable.values()
    if ends and not match.ledger.debts:
        over = capital(Text("{round} over: who won?").filled(round=vocabulary_of(match.game).round)[language])
        found.append({"label": over, "kind": "quiet", "next": round_ends(match, names, language)})
    return found


def _charge(place: int, seat: int, name: str, charge: Charge, language: str) -> Choice:
    send = {"do": "charge", "seat": seat, "charge": place}
    if charge.number:
        return {"label": name, "send": send}
    asks = (_PRESSES_FOR if charge.kind is Owed.PRESSES else _CARDS_FOR).filled(name=name)[language]
    number = {"least": 1, "most": charge.most, "likely": 1, "key": "number"}
    return {"label": name, "asks": asks, "number": number, "send": send}


def _plays(match: Match, seat: int) -> bool:
    """Decide whether a seat plays: eliminated seats do not. Only people know who went out in the current round."""
    return match.game.state.is_in(seat) or not match.rounds_played


def round_ends(match: Match, names: list[str], language: str) -> list[Choice]:
    """Return buttons for who went out; with points, each has a form for the points left in the other hands."""
    counts = bool(match.game.state.values())
    found: list[Choice] = []
    for winner, name in enumerate(names):
        if not _plays(match, winner):
            continue
        others = [seat for seat in range(len(names)) if seat != winner and seat not in match.game.state.gone]
        points = [0] * len(names) if counts else []
        choice: Choice = {"label": name, "send": {"do": "out", "seat": winner, "points": points}}
        if counts:
            choice["form"] = [
                {
                    "key": f"points.{seat}",
                    "text": Text("Points left in {name}’s hand").filled(name=names[seat])[language],
                    "number": {
                        "least": 0,
                        "most": MOST_POINTS,
                        "likely": 0,
                        "key": f"points.{seat}",
                        "rule": match.game.state.points_rule,
                    },
                }
                for seat in others
            ]
        found.append(choice)
    return found
