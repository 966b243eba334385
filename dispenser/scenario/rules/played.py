"""A rule scenario with the game that it is played on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, NotRequired, TypedDict

from msgspec import Meta

from dispenser.config import WrongValueError, closest, short_toml
from dispenser.config.errors import Path
from dispenser.i18n import LANGUAGES, Text, listed
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.errors import IllegalMove, RulesError
from dispenser.rules.engine.events import Event
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.rules import Rules
from dispenser.rules.library import RULES
from dispenser.rules.words import notation
from dispenser.rules.words.cards import words

NOBODY: Final = "nobody"
NO_COLOUR: Final = "none"
FACE_DOWN: Final = "?"  # A card whose face is unknown
DIRECTIONS: Final = {"left": 1, "right": -1}
MOST_CARDS: Final = 1000

Delivery = int | tuple[int, ...]  # Cards that come out together: a number, or the cards

_VERBS: Final = {"presses": Owed.PRESSES, "appuie": Owed.PRESSES, "draws": Owed.CARDS, "pioche": Owed.CARDS}
"""Verbs of demands: of each pair, the English one first."""
_OWED: Final = re.compile(
    rf"(?P<payer>.+?) (?P<verb>{'|'.join(_VERBS)}) (?P<number>\d{{1,4}})(?: (?:for|pour) (?P<receiver>.+?))?"
    r"(?: \((?P<rule>[A-Z]-\d\d)\))?"
)
_FOR: Final = Text("for")
_NONE: Final = Text("none")


@dataclass(frozen=True, slots=True)
class Step:
    """A step: what happens, and what is expected then.

    :ivar number: from 1; 0 is the start.
    :ivar said: parsed values, by the keys of the file.
    :ivar written: values as in the file.
    """

    number: int
    said: Mapping[str, Any]
    written: Mapping[str, Any]

    @property
    def path(self) -> Path:
        """Path of the step in the file."""
        return ("step", self.number) if self.number else ("start",)

    def line(self, *acts: str) -> str:
        """Format the acts of the step as in the file."""
        return " + ".join(f"{act} = {short_toml(self.written[act])}" for act in acts) if self.number else "the deal"

    def expectation(self, path: Path) -> str:
        """Format the expectation at ``path`` as in the file."""
        value: Any = self.written
        for key in path:
            value = value[key]
        return f"{'.'.join(map(str, path))} = {short_toml(value)}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A parsed scenario file.

    :ivar rules: IDs of the rules that it is about.
    :ivar presses: cards of each press that no step describes.
    :ivar new_game: creates the match before its first deal.
    """

    title: str
    rules: tuple[str, ...]
    names: tuple[str, ...]
    presses: tuple[Delivery, ...]
    steps: tuple[Step, ...]
    new_game: Callable[[], Game]


def rule_id(_played: object, value: Any) -> str:
    if not isinstance(value, str) or value not in RULES:
        no_rule = Text("there is no rule {rule}; {remedy}")
        raise WrongValueError(no_rule.filled(rule=short_toml(value), remedy=closest(value, RULES)))
    return value


def one_of(known: Iterable[str], value: Any) -> str:
    if not isinstance(value, str) or value not in known:
        raise WrongValueError(closest(value, known))
    return value


@dataclass(eq=False)
class PlayedGame:
    """A game under test, with what can be checked after a step.

    Methods that read a value raise ``WrongValueError`` with a remedy.

    :ivar presses: cards of each press that no step describes; the first ``pressed`` of them are used.
    :ivar told: events of the step so far.
    :ivar refused: error of the step's move, if it is against the rules.
    :ivar marks: full state after each step so far; 0 is the start.
    """

    game: Game
    names: tuple[str, ...]
    language: str = "en"
    presses: Sequence[Delivery] = ()
    pressed: int = 0
    told: list[Event] = field(default_factory=list)
    refused: IllegalMove | None = None
    marks: dict[int, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def state(self) -> Rules:
        return self.game.state

    def next_press(self) -> Delivery:
        """Return the cards of the next press."""
        if self.pressed == len(self.presses):
            one_more = Text("presses: there are {number} of them, and here is one more; add it")
            raise WrongValueError(one_more.filled(number=self.pressed))
        self.pressed += 1
        return self.presses[self.pressed - 1]

    # Parsing

    def seat(self, value: Any) -> int:
        return self.names.index(one_of(self.names, value))

    def seats(self, value: Any) -> tuple[int, ...]:
        """Read one player, several, or nobody; return seats in ascending order."""
        names = {one_of((*self.names, NOBODY), word) for word in as_list(value)} - {NOBODY}
        return tuple(sorted(map(self.names.index, names)))

    def order(self, value: Any) -> tuple[int, ...]:
        """Read a list of all players in any order."""
        if not isinstance(value, list) or sorted(map(str, value)) != sorted(self.names):
            every = Text("write a list with every player once: {names}")
            raise WrongValueError(every.filled(names=", ".join(self.names)))
        return tuple(map(self.seat, value))

    def card(self, value: Any) -> int:
        """Read a card by its name in either language."""
        if not isinstance(value, str):
            no_card = Text('{value} is no card; write its name, such as "{example}"')
            raise WrongValueError(no_card.filled(value=short_toml(value), example=self.state.cards.names[0]))
        known = _cards_by_name(self.state.cards)
        if value in known:
            return known[value]
        try:
            return notation.read_card(self.game, value)
        except RulesError as error:
            raise WrongValueError(error.text) from error

    def cards(self, values: Iterable[Any]) -> tuple[int, ...]:
        """Read cards; ``?`` is an unknown one. Report all invalid names together."""
        found, wrong = list[int](), list[Text]()
        for value in values:
            try:
                found.append(self.state.cards.kinds if value == FACE_DOWN else self.card(value))
            except WrongValueError as error:
                wrong.append(error.text)
        if wrong:
            raise WrongValueError(listed(wrong, "; "))
        return tuple(found)

    def hand(self, value: Any) -> Delivery:
        """Read the size of a hand, or its cards, sorted, with ``?`` for an unknown one."""
        cards = self.delivery(value)
        return cards if isinstance(cards, int) else tuple(sorted(cards))

    def delivery(self, value: Any) -> Delivery:
        """Read a number of cards, or a list of cards."""
        if isinstance(value, list):
            return self.cards(value)
        if type(value) is not int or not 0 <= value <= MOST_CARDS:
            raise WrongValueError(Text("write how many cards, or a list of them"))
        return value

    def colour(self, value: Any) -> int:
        """Read a colour or a suit."""
        names = {name[each]: colour for colour, name in enumerate(self.state.cards.colour_names) for each in LANGUAGES}
        for name, colour in {**names, NO_COLOUR: -1}.items():
            if words(str(value)) == words(name):
                return colour
        raise WrongValueError(closest(value, [*names, NO_COLOUR]))

    def direction(self, value: Any) -> int:
        return DIRECTIONS[one_of(DIRECTIONS, value)]

    def owed(self, value: Any) -> tuple[Demand, ...]:
        """Read ``Ben presses 2``, ``Ana presses 2 for Ben``, ``Ben draws 2 (U-11)``, a list of these, or ``nobody``."""
        return () if value == NOBODY else tuple(map(self._debt, as_list(value)))

    def _debt(self, value: Any) -> Demand:
        """Read one demand; without a rule it matches any rule."""
        match = _OWED.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise WrongValueError(
                Text('write it like "Ben presses 2", "Ana presses 2 for Ben", "Ben draws 4" or "nobody"')
            )
        payer = self.seat(match["payer"])
        receiver = self.seat(match["receiver"]) if match["receiver"] else payer
        rule = rule_id(self, match["rule"]) if match["rule"] else ""
        return Demand(_VERBS[match["verb"]], payer, receiver, int(match["number"]), rule)

    def move(self, seat: int, said: str) -> Move:
        """Read a move of that seat in the current state.

        :raises RulesError: it is no move.
        """
        return notation.read_move(self.game, seat, said, self.names)

    # Formatting

    def say(self, text: Text) -> str:
        return text[self.language]

    def say_seats(self, seats: Iterable[int]) -> str:
        return ", ".join(self.names[seat] for seat in seats) or NOBODY

    def say_card(self, card: int) -> str:
        return self.say(self.state.cards.names[card]) if 0 <= card < self.state.cards.kinds else FACE_DOWN

    def say_cards(self, cards: Delivery) -> str:
        """Format a number of cards, or the cards."""
        return str(cards) if isinstance(cards, int) else ", ".join(map(self.say_card, cards)) or self.say(_NONE)

    def say_colour(self, colour: int) -> str:
        return self.say(self.state.cards.colour_names[colour] if colour >= 0 else _NONE)

    def say_owed(self, owed: Iterable[Demand]) -> str:
        return ", ".join(map(self._say_debt, owed)) or NOBODY

    def _say_debt(self, debt: Demand) -> str:
        to = f" {self.say(_FOR)} {self.names[debt.receiver]}" if debt.receiver != debt.payer else ""
        verb = [verb for verb, kind in _VERBS.items() if kind is debt.kind][LANGUAGES.index(self.language)]
        return f"{self.names[debt.payer]} {verb} {debt.number}{to}" + (f" ({debt.rule})" if debt.rule else "")

    def say_moves(self, moves: Iterable[Move]) -> str:
        return ", ".join(f'"{notation.move_text(self.game, move, self.language, self.names)}"' for move in moves) or "–"


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, and any other value as a list of one."""
    return value if isinstance(value, list) else [value]


several: Final = list.__class_getitem__  # A list read by a function: `several(PlayedGame.card)`


class Each(NamedTuple):
    """A table with one key per player; with ``missing``, the hint for a missing key, all are required."""

    kind: Any
    missing: Text | None = None


def table_of(kinds: Mapping[str, Any], names: Sequence[str], missing: Mapping[str, Text]) -> Any:
    """Return a ``TypedDict`` for ``dispenser.config.read``.

    :param kinds: by key, the type of its value: a type, a function that reads a value for the hook, a table with kinds
        of its own, or ``Each``.
    :param missing: the required keys, with the hint for each.
    """
    fields: dict[str, Any] = {}
    for key, kind in kinds.items():
        read = kind
        if isinstance(kind, Each):
            needed = dict.fromkeys(names, kind.missing) if kind.missing else {}
            read = table_of(dict.fromkeys(names, kind.kind), names, needed)
        elif isinstance(kind, Mapping):
            read = table_of(kind, names, {})
        must_be = key in missing
        fields[key] = Annotated[read, Meta(extra={"hint": missing[key]})] if must_be else NotRequired[read]
    return TypedDict("Table", fields)  # type: ignore[operator]


@cache
def _cards_by_name(cards: CardSet) -> dict[str, int]:
    return {name[each]: card for card, name in enumerate(cards.names) for each in LANGUAGES}
