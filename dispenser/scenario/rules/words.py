"""The words of a scenario: players, cards, colours, what is owed; read from the file and said to people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from dispenser.language import LANGUAGES, Text, listed, worded
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.errors import RulesError
from dispenser.rules.engine.game import Game
from dispenser.rules.library import RULES
from dispenser.rules.words.cards import words
from dispenser.rules.words.notation import card_text, read_card
from dispenser.tables import WrongValueError, closest, shown

NOBODY: Final = "nobody"
NO_COLOUR: Final = "none"
FACE_DOWN: Final = "?"
"""A card whose face nobody has seen."""
MOST: Final = 1_000_000
MOST_CARDS: Final = 1000

Debt = tuple[int, Owed, int, int, str]
"""Payer, kind, number, receiver, rule; the rule may be empty: any."""
Delivery = int | tuple[int, ...]
"""What comes out at once: so many cards, or these."""

_OWED = re.compile(
    r"(?P<payer>.+?) (?P<verb>presses|draws|appuie|pioche) (?P<number>\d{1,4})(?: (?:for|pour) (?P<receiver>.+?))?"
    r"(?: \((?P<rule>[A-Z]-\d\d)\))?"
)
_VERBS: Final = {
    "en": {"presses": Owed.PRESSES, "draws": Owed.CARDS},
    "fr": {"appuie": Owed.PRESSES, "pioche": Owed.CARDS},
}
_FOR: Final = Text("for")
_NONE: Final = Text("none")
_WHOLE: Final = Text("write a whole number")
_HOW_MANY: Final = Text("write how many cards come out, or a list of them")
_NO_RULE: Final = Text("there is no rule {rule}; {remedy}")
_EVERY_PLAYER: Final = Text("write a list with every player once: {names}")
_NO_CARD: Final = Text("{value} is no card; write its name, such as {example}")
_LIKE_A_DEBT: Final = Text('write it like "Ben presses 2", "Ana presses 2 for Ben", "Ben draws 4" or "nobody"')


def number(_words: object, value: Any, least: int = -MOST, most: int = MOST, remedy: Text = _WHOLE) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise WrongValueError(remedy)
    return value


def rule_id(_words: object, value: Any) -> str:
    """The ID of a rule that there is."""
    if not isinstance(value, str) or value not in RULES:
        raise WrongValueError(_NO_RULE.filled(rule=shown(value), remedy=closest(value, RULES)))
    return value


@cache
def _cards_by_name(cards: CardSet) -> dict[str, int]:
    return {name[each]: card for card, name in enumerate(cards.names) for each in LANGUAGES}


def _example(language: str, game: Game) -> str:
    return f'"{card_text(game, 0, language)}"'


def one_of(known: Iterable[str], value: Any) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in known:
        raise WrongValueError(closest(value, known))
    return value


class Words:
    """Reads and says what is about one table. Readers raise ``WrongValueError`` with a remedy."""

    def __init__(self, game: Game, names: tuple[str, ...], language: str = "en") -> None:
        self.game = game
        self.names = names
        self.language = language
        self._cards = game.state.cards
        self._by_name = _cards_by_name(self._cards)

    # Reading

    def seat(self, value: Any) -> int:
        """The seat of a player."""
        return self.names.index(one_of(self.names, value))

    def seat_or_nobody(self, value: Any) -> int:
        return -1 if one_of((*self.names, NOBODY), value) == NOBODY else self.names.index(value)

    def seats(self, value: Any) -> tuple[int, ...]:
        """One player, several, or nobody; in the order of the seats."""
        several = value if isinstance(value, list) else [] if value == NOBODY else [value]
        return tuple(sorted(set(map(self.seat, several))))

    def order(self, value: Any) -> tuple[int, ...]:
        """All players in an order."""
        if not isinstance(value, list) or sorted(map(str, value)) != sorted(self.names):
            raise WrongValueError(_EVERY_PLAYER.filled(names=", ".join(self.names)))
        return tuple(map(self.seat, value))

    def card(self, value: Any) -> int:
        """A card by its name in either language."""
        if not isinstance(value, str):
            example = worded(_example, game=self.game)
            raise WrongValueError(_NO_CARD.filled(value=shown(value), example=example))
        if value in self._by_name:
            return self._by_name[value]
        try:
            return read_card(self.game, value)
        except RulesError as error:
            raise WrongValueError(error.text) from error

    def cards(self, values: Iterable[Any]) -> tuple[int, ...]:
        """Cards; ``?`` is one that nobody has seen. Tells all that are none."""
        found, wrong = list[int](), list[Text]()
        for value in values:
            try:
                found.append(self._cards.kinds if value == FACE_DOWN else self.card(value))
            except WrongValueError as error:
                wrong.append(error.text)
        if wrong:
            raise WrongValueError(listed(wrong, "; "))
        return tuple(found)

    def number_or_cards(self, value: Any) -> int | tuple[int, ...]:
        return self.cards(value) if isinstance(value, list) else number(self, value)

    def hand(self, value: Any) -> int | tuple[int, ...]:
        """How many cards a hand has; or the cards, sorted, with ``?`` for one that nobody has seen."""
        return tuple(sorted(self.cards(value))) if isinstance(value, list) else number(self, value)

    def delivery(self, value: Any) -> Delivery:
        """So many cards, or a list of cards."""
        return self.cards(value) if isinstance(value, list) else number(self, value, 0, MOST_CARDS, _HOW_MANY)

    def colour(self, value: Any) -> int:
        """A colour or a suit."""
        names = {name[each]: colour for colour, name in enumerate(self._cards.colour_names) for each in LANGUAGES}
        for name, colour in {**names, NO_COLOUR: -1}.items():
            if words(str(value)) == words(name):
                return colour
        raise WrongValueError(closest(value, [*names, NO_COLOUR]))

    def owed(self, value: Any) -> tuple[Debt, ...]:
        """``Ben presses 2``, ``Ana presses 2 for Ben``, ``Ben draws 2 (U-11)``, several of them, or nobody."""
        return () if value == NOBODY else tuple(map(self._debt, value if isinstance(value, list) else [value]))

    def _debt(self, value: Any) -> Debt:
        match = _OWED.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise WrongValueError(_LIKE_A_DEBT)
        payer = self.seat(match["payer"])
        receiver = self.seat(match["receiver"]) if match["receiver"] else payer
        rule = rule_id(None, match["rule"]) if match["rule"] else ""
        kind = next(verbs[match["verb"]] for verbs in _VERBS.values() if match["verb"] in verbs)
        return payer, kind, int(match["number"]), receiver, rule

    # Saying

    def say_seat(self, seat: int) -> str:
        return self.names[seat] if seat >= 0 else NOBODY

    def say_seats(self, seats: Iterable[int]) -> str:
        return ", ".join(map(self.say_seat, seats)) or NOBODY

    def say_card(self, card: int) -> str:
        return self._cards.names[card][self.language] if 0 <= card < self._cards.kinds else FACE_DOWN

    def say_cards(self, cards: int | Iterable[int]) -> str:
        """How many, or which."""
        return str(cards) if isinstance(cards, int) else ", ".join(map(self.say_card, cards)) or _NONE[self.language]

    def say_colour(self, colour: int) -> str:
        return self._cards.colour_names[colour][self.language] if colour >= 0 else _NONE[self.language]

    def say_owed(self, owed: Iterable[Debt]) -> str:
        return ", ".join(map(self._say_debt, owed)) or NOBODY

    def _say_debt(self, debt: Debt) -> str:
        payer, kind, number, receiver, rule = debt
        to = f" {_FOR[self.language]} {self.names[receiver]}" if receiver != payer else ""
        verb = next(verb for verb, each in _VERBS[self.language].items() if each is kind)
        return f"{self.names[payer]} {verb} {number}{to}" + (f" ({rule})" if rule else "")


def as_debt(demand: Demand) -> Debt:
    return demand.payer, demand.kind, demand.number, demand.receiver, demand.rule
