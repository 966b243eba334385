"""The words of a scenario: players, cards, colours, what is owed; read from the file and said to people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from dispenser.rules.book import LANGUAGES, Text
from dispenser.rules.errors import RulesError
from dispenser.rules.game import Game
from dispenser.rules.library import RULES
from dispenser.rules.notation import card_text, read_card
from dispenser.rules.phrases import words
from dispenser.rules.state import (
    AGAIN,
    ANSWERING,
    CARDS,
    CARRYING_OUT,
    CHOOSING_DIRECTION,
    COUNTING,
    DREW,
    IDLE,
    MATCH_OVER,
    NAMING,
    PLAYING,
    PRESSES,
    Demand,
)
from dispenser.scenario.rules.tables import TOP_OF_THE_FILE, ScenarioError, WrongValueError, closest, within, written

NOBODY: Final = "nobody"
NO_COLOUR: Final = "none"
FACE_DOWN: Final = "?"
"""A card whose face nobody has seen."""

PHASES: Final = {
    IDLE: "round over",
    PLAYING: "play",
    DREW: "play the drawn card",
    ANSWERING: "answer",
    NAMING: "name",
    CHOOSING_DIRECTION: "choose the direction",
    CARRYING_OUT: "carry out the rule",
    AGAIN: "play again",
    COUNTING: "count",
    MATCH_OVER: "match over",
}
DIRECTIONS: Final = {1: "left", -1: "right"}

Owed = tuple[int, str, int, int, str]
"""Payer, kind, number, receiver, rule; the rule may be empty: any."""

_PLAYER_NAME = re.compile(r"[^\d\W][\w .'’-]*")
_OWED = re.compile(
    r"(?P<payer>.+?) (?P<verb>presses|draws|appuie|pioche) (?P<number>\d{1,4})(?: (?:for|pour) (?P<receiver>.+?))?"
    r"(?: \((?P<rule>[A-Z]-\d\d)\))?"
)
_VERBS: Final = {"presses": PRESSES, "appuie": PRESSES, "draws": CARDS, "pioche": CARDS}
_SAY_OWED: Final = {PRESSES: Text("presses", "appuie"), CARDS: Text("draws", "pioche")}
_FOR: Final = Text("for", "pour")
_NONE: Final = Text("none", "aucune")


def check_names(names: Sequence[Any], taken: Iterable[str]) -> tuple[str, ...]:
    """The players' names, when each can stand as a key of a step.

    :raises ScenarioError: naming the wrong one.
    """
    reserved = set(taken)
    for place, name in enumerate(names):
        if not isinstance(name, str) or not _PLAYER_NAME.fullmatch(name):
            raise _wrong_name(
                name,
                Text('is no name; write a text such as "Ana"', 'n’est pas un nom\u00a0; écris un texte comme "Ana"'),
            )
        if name in reserved or name.lower() == NOBODY:
            raise _wrong_name(
                name,
                Text(
                    "is a word of scenarios; take another name", "est un mot des scénarios\u00a0; prends un autre nom"
                ),
            )
        if name in names[:place]:
            raise _wrong_name(
                name,
                Text("sits there twice; give each another name", "y est deux fois\u00a0; donne à chacun un autre nom"),
            )
    return tuple(names)


def _wrong_name(name: Any, what: Text) -> ScenarioError:
    told = Text(f"{written(name)} {what.en}", f"{written(name)} {what.fr}")
    return ScenarioError(within(TOP_OF_THE_FILE, within("players", told)))


class Words:
    """Reads and says what is about one table. Readers raise ``WrongValueError`` with a remedy."""

    def __init__(self, game: Game, names: tuple[str, ...], language: str = "en") -> None:
        self.names = names
        self.language = language
        self._cards = game.cards
        self._by_name = {name[each]: card for card, name in enumerate(self._cards.names) for each in LANGUAGES}

    # Reading

    def seat(self, value: Any) -> int:
        """The seat of a player."""
        if value not in self.names:
            raise WrongValueError(closest(str(value), self.names))
        return self.names.index(value)

    def seat_or_nobody(self, value: Any) -> int:
        if value == NOBODY:
            return -1
        if value not in self.names:
            raise WrongValueError(closest(str(value), (*self.names, NOBODY)))
        return self.names.index(value)

    def seats(self, value: Any) -> tuple[int, ...]:
        """One player, several, or nobody; in the order of the seats."""
        if value == NOBODY:
            return ()
        return tuple(sorted({self.seat(each) for each in (value if isinstance(value, list) else [value])}))

    def order(self, value: Any) -> tuple[int, ...]:
        """All players in an order."""
        if not isinstance(value, list) or sorted(map(str, value)) != sorted(self.names):
            names = ", ".join(self.names)
            raise WrongValueError(
                Text(
                    f"write a list with every player once: {names}",
                    f"écris une liste où chaque joueur est une fois\u00a0: {names}",
                )
            )
        return tuple(map(self.seat, value))

    def card(self, value: Any) -> int:
        """A card by its name in either language."""
        if not isinstance(value, str):
            example = Text(card_text(self._cards, 0, "en"), card_text(self._cards, 0, "fr"))
            raise WrongValueError(
                Text(
                    f"{written(value)} is no card; write its name, such as {written(example.en)}",
                    f"{written(value)} n’est pas une carte\u00a0; écris son nom, comme {written(example.fr)}",
                )
            )
        if value in self._by_name:
            return self._by_name[value]
        try:
            return read_card(self._cards, value)
        except RulesError as error:
            raise WrongValueError(error.text) from error

    def cards(self, value: Any) -> tuple[int, ...]:
        if not isinstance(value, list):
            raise WrongValueError(Text("write a list of cards: [ …, … ]", "écris une liste de cartes\u00a0: [ …, … ]"))
        return tuple(map(self.card, value))

    def hand(self, listed: Sequence[Any]) -> tuple[int, ...]:
        """Cards of a hand, sorted; ``?`` for one that nobody has seen."""
        return tuple(sorted(self._cards.kinds if each == FACE_DOWN else self.card(each) for each in listed))

    def colour(self, value: Any) -> int:
        """A colour or a suit."""
        names = {
            name[language]: colour for colour, name in enumerate(self._cards.colour_names) for language in LANGUAGES
        }
        for name, colour in {**names, NO_COLOUR: -1}.items():
            if words(str(value)) == words(name):
                return colour
        raise WrongValueError(closest(str(value), [*names, NO_COLOUR]))

    def owed(self, value: Any) -> tuple[Owed, ...]:
        """``Ben presses 2``, ``Ana presses 2 for Ben``, ``Ben draws 2 (U-11)``, several of them, or nobody."""
        if value == NOBODY:
            return ()
        return tuple(map(self._one_owed, value if isinstance(value, list) else [value]))

    def _one_owed(self, value: Any) -> Owed:
        match = _OWED.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise WrongValueError(
                Text(
                    'write it like "Ben presses 2", "Ana presses 2 for Ben", "Ben draws 4" or "nobody"',
                    'écris par exemple "Ben appuie 2", "Ana appuie 2 pour Ben", "Ben pioche 4" ou "nobody"',
                )
            )
        payer, rule = self.seat(match["payer"]), match["rule"] or ""
        if rule and rule not in RULES:
            raise WrongValueError(Text(f"there is no rule {rule}", f"il n’y a pas de règle {rule}"))
        receiver = self.seat(match["receiver"]) if match["receiver"] else payer
        return payer, _VERBS[match["verb"]], int(match["number"]), receiver, rule

    # Saying

    def say_seat(self, seat: int) -> str:
        return self.names[seat] if seat >= 0 else NOBODY

    def say_seats(self, seats: Iterable[int]) -> str:
        return ", ".join(map(self.say_seat, seats)) or NOBODY

    def say_card(self, card: int) -> str:
        return self._cards.names[card][self.language] if 0 <= card < self._cards.kinds else FACE_DOWN

    def say_cards(self, cards: Iterable[int]) -> str:
        return ", ".join(map(self.say_card, cards)) or _NONE[self.language]

    def say_colour(self, colour: int) -> str:
        return self._cards.colour_names[colour][self.language] if colour >= 0 else _NONE[self.language]

    def say_owed(self, owed: Iterable[Owed]) -> str:
        return ", ".join(map(self._say_one_owed, owed)) or NOBODY

    def _say_one_owed(self, owed: Owed) -> str:
        payer, kind, number, receiver, rule = owed
        to = f" {_FOR[self.language]} {self.names[receiver]}" if receiver != payer else ""
        return f"{self.names[payer]} {_SAY_OWED[kind][self.language]} {number}{to}" + (f" ({rule})" if rule else "")


def as_owed(demand: Demand) -> Owed:
    return demand.payer, demand.kind, demand.number, demand.receiver, demand.rule
