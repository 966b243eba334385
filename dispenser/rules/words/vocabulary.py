"""``Vocabulary``: the words of one game. What it leaves out is said as in every other game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.rules.engine.events import Event, What
from dispenser.rules.words.cards import CardWords

ROUND: Final = Text("round")
DEAL: Final = Text("deal")
SAY_UNO: Final = "UNO"
SAY_CARTE: Final = "Carte"
ANNOUNCEMENTS: Final = (SAY_UNO, SAY_CARTE)
"""Announcements of the last card; both are understood in every game."""
ANSWER: Final = Text("answer, or take {number}")
FORGOTTEN: Final = Text("forgot to say “{word}”")
DRAWING: Final = Text("draw")
PRESSING: Final = Text("press")


class Choice(Enum):
    """Choice that a card requires of its player."""

    COLOUR = auto()
    COLOUR_AND_SEAT = auto()
    TWO_SEATS = auto()
    CARD = auto()  # what a joker stands for, and that card's own choice


@dataclass(frozen=True, eq=False, kw_only=True)
class Vocabulary:
    """The words of one game. Cards go by their symbol (``SKIP``), wild cards by their kind (``WILD``).

    :param rules: IDs of the rules about a special card, ``"U-15 U-16"``.
    :param matching: ID of the rule about which card fits on which, for all other cards.
    :param asks: the choice that a card requires.
    :param most_presses: maximum presses that a card with the table's own rule can bring.
    :param announcement: the announcement of the last card.
    :param drawing: the act of not playing: ``DRAWING``, or ``PRESSING`` a launcher.
    :param round: the rules' word for a round; in French a feminine word.
    :param events: sentences that replace those of ``sentences``; functions, if they depend on the game.
    :param places: values of further placeholders in these sentences.
    :param questions: the game's own questions to the table.
    :param offences: offences that the table can declare against a seat.
    :param blameless: IDs of the rules that make a seat draw out of turn without an offence.
    :param answer: of an ``Observation``: instruction to answer a card, or to take so many (``Rules.to_take``).
    :param in_force: of an ``Observation``: effects in force besides the card on top and the colour.
    :param typed: words that can be typed in this game only, with their meaning.
    """

    cards: CardWords
    rules: Mapping[int, str]
    matching: str
    asks: Mapping[int, Choice] = field(default_factory=dict)
    most_presses: int = 0
    announcement: str = SAY_UNO
    drawing: Text = DRAWING
    round: Text = ROUND
    events: Mapping[What, Text | Callable[[Any, Event], Text]] = field(default_factory=dict)
    places: Callable[[Any], Mapping[str, str]] = lambda _game: {}
    questions: Mapping[str, Text] = field(default_factory=dict)
    offences: Mapping[str, Text] = field(default_factory=dict)
    blameless: frozenset[str] = frozenset()
    answer: Callable[[Any], Text] = lambda _seen: ANSWER
    in_force: Callable[[Any], Iterable[Text]] = lambda _seen: ()
    typed: tuple[tuple[Text, Text], ...] = ()

    def asked_by(self, card: int) -> Choice | None:
        """Return the choice that a card requires."""
        return self.asks.get(self.cards.key(card))

    def rules_of(self, card: int) -> tuple[str, ...]:
        """Return the IDs of the rules about a card: its own or, for an ordinary one, that of matching."""
        return tuple(self.rules.get(self.cards.key(card), self.matching).split())
