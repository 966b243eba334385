"""The words of a scenario: players, cards, colours, what is owed; read from the file and said to people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from dispenser.rules.book import LANGUAGES, Text
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.errors import RulesError
from dispenser.rules.engine.game import Game
from dispenser.rules.library import RULES
from dispenser.rules.words.cards import words
from dispenser.rules.words.notation import read_card
from dispenser.scenario.rules.reading import WrongValueError, closest, list_of, whole, written

NOBODY: Final = "nobody"
NO_COLOUR: Final = "none"
FACE_DOWN: Final = "?"
"""A card whose face nobody has seen."""
MOST_CARDS: Final = 1000

Debt = tuple[int, Owed, int, int, str]
"""Payer, kind, number, receiver, rule; the rule may be empty: any."""
Delivery = int | tuple[int, ...]
"""What comes out at once: so many cards, or these."""

_PLAYER_NAME = re.compile(r"[^\d\W][\w .'’-]*")
_OWED = re.compile(
    r"(?P<payer>.+?) (?P<verb>presses|draws|appuie|pioche) (?P<number>\d{1,4})(?: (?:for|pour) (?P<receiver>.+?))?"
    r"(?: \((?P<rule>[A-Z]-\d\d)\))?"
)
_VERBS: Final = {"presses": Owed.PRESSES, "appuie": Owed.PRESSES, "draws": Owed.CARDS, "pioche": Owed.CARDS}
_SAY_OWED: Final = {
    Owed.PRESSES: Text("presses", context="somebody owes them"),
    Owed.CARDS: Text("draws", context="somebody owes them"),
}
_FOR: Final = Text("for")
_NONE: Final = Text("none")
_HOW_MANY: Final = Text("write how many cards come out, or a list of them")
_LIST_OF_CARDS: Final = Text("write a list of cards: [ …, … ]")


def player_names(value: Any, taken: Iterable[str]) -> tuple[str, ...]:
    """The players' names, when each can stand as a key of a step."""
    reserved, known = {*taken, NOBODY}, set[str]()

    def name(value: Any) -> str:
        if not isinstance(value, str) or not _PLAYER_NAME.fullmatch(value):
            raise _wrong_name(value, Text('{name} is no name; write a text such as "Ana"'))
        if value in reserved or value.lower() == NOBODY:
            raise _wrong_name(value, Text("{name} is a word of scenarios; take another name"))
        if value in known:
            raise _wrong_name(value, Text("{name} sits there twice; give each another name"))
        known.add(value)
        return value

    return list_of(name)(value)


def _wrong_name(name: Any, why: Text) -> WrongValueError:
    return WrongValueError(why.filled(name=written(name)))


def rule_id(value: Any) -> str:
    """The ID of a rule that there is."""
    if not isinstance(value, str) or value not in RULES:
        remedy = closest(value, RULES)
        raise WrongValueError(
            Text("there is no rule {written}; {remedy}").filled(written=written(value), remedy=remedy)
        )
    return value


class Words:
    """Reads and says what is about one table. Readers raise ``WrongValueError`` with a remedy."""

    def __init__(self, game: Game, names: tuple[str, ...], language: str = "en") -> None:
        self.game = game
        self.names = names
        self.language = language
        self._cards = game.state.cards
        self._by_name = {name[each]: card for card, name in enumerate(self._cards.names) for each in LANGUAGES}

    # Reading

    def seat(self, value: Any) -> int:
        """The seat of a player."""
        if value not in self.names:
            raise WrongValueError(closest(value, self.names))
        return self.names.index(value)

    def seat_or_nobody(self, value: Any) -> int:
        if value == NOBODY:
            return -1
        if value not in self.names:
            raise WrongValueError(closest(value, (*self.names, NOBODY)))
        return self.names.index(value)

    def seats(self, value: Any) -> tuple[int, ...]:
        """One player, several, or nobody; in the order of the seats."""
        if value == NOBODY:
            return ()
        return tuple(sorted(set(list_of(self.seat)(value if isinstance(value, list) else [value]))))

    def order(self, value: Any) -> tuple[int, ...]:
        """All players in an order."""
        if not isinstance(value, list) or sorted(map(str, value)) != sorted(self.names):
            names = ", ".join(self.names)
            raise WrongValueError(Text("write a list with every player once: {names}").filled(names=names))
        return tuple(map(self.seat, value))

    def card(self, value: Any) -> int:
        """A card by its name in either language."""
        if not isinstance(value, str):
            no_card = Text('{value} is no card; write its name, such as "{example}"')
            raise WrongValueError(no_card.filled(value=written(value), example=self._cards.names[0]))
        if value in self._by_name:
            return self._by_name[value]
        try:
            return read_card(self.game, value)
        except RulesError as error:
            raise WrongValueError(error.text) from error

    def cards(self, value: Any) -> tuple[int, ...]:
        return list_of(self.card, _LIST_OF_CARDS)(value)

    def hand(self, value: Any) -> int | tuple[int, ...]:
        """How many cards a hand has; or the cards, sorted, with ``?`` for one that nobody has seen."""
        if isinstance(value, list):
            return tuple(sorted(list_of(self.card_or_hidden)(value)))
        return number(value)

    def card_or_hidden(self, value: Any) -> int:
        return self._cards.kinds if value == FACE_DOWN else self.card(value)

    def number_or_cards(self, value: Any) -> int | tuple[int, ...]:
        return self.cards(value) if isinstance(value, list) else number(value)

    def delivery(self, value: Any) -> Delivery:
        """So many cards, or a list of cards."""
        return self.cards(value) if isinstance(value, list) else whole(0, MOST_CARDS, _HOW_MANY)(value)

    def deliveries(self, value: Any) -> tuple[Delivery, ...]:
        """What the presses bring, one after the other."""
        return list_of(self.delivery)(value)

    def colour(self, value: Any) -> int:
        """A colour or a suit."""
        names = {name[each]: colour for colour, name in enumerate(self._cards.colour_names) for each in LANGUAGES}
        for name, colour in {**names, NO_COLOUR: -1}.items():
            if words(str(value)) == words(name):
                return colour
        raise WrongValueError(closest(value, [*names, NO_COLOUR]))

    def owed(self, value: Any) -> tuple[Debt, ...]:
        """``Ben presses 2``, ``Ana presses 2 for Ben``, ``Ben draws 2 (U-11)``, several of them, or nobody."""
        return () if value == NOBODY else list_of(self._one_owed)(value if isinstance(value, list) else [value])

    def _one_owed(self, value: Any) -> Debt:
        match = _OWED.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise WrongValueError(
                Text('write it like "Ben presses 2", "Ana presses 2 for Ben", "Ben draws 4" or "nobody"')
            )
        payer = self.seat(match["payer"])
        receiver = self.seat(match["receiver"]) if match["receiver"] else payer
        rule = rule_id(match["rule"]) if match["rule"] else ""
        return payer, _VERBS[match["verb"]], int(match["number"]), receiver, rule

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
        return ", ".join(map(self._say_one_owed, owed)) or NOBODY

    def _say_one_owed(self, owed: Debt) -> str:
        payer, kind, number, receiver, rule = owed
        to = f" {_FOR[self.language]} {self.names[receiver]}" if receiver != payer else ""
        return f"{self.names[payer]} {_SAY_OWED[kind][self.language]} {number}{to}" + (f" ({rule})" if rule else "")


number = whole(-1_000_000, 1_000_000, Text("write a whole number"))


def as_owed(demand: Demand) -> Debt:
    return demand.payer, demand.kind, demand.number, demand.receiver, demand.rule
