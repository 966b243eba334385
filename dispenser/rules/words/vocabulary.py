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
"""What people say on their last card but one; whichever it is here, both are understood."""
ANSWER: Final = Text("answer, or take {number}")
FORGOTTEN: Final = Text("forgot to say “{word}”")
DRAWING: Final = Text("draw")
PRESSING: Final = Text("press")


class Choice(Enum):
    """What a card asks its player to choose."""

    COLOUR = auto()
    COLOUR_AND_SEAT = auto()
    TWO_SEATS = auto()
    CARD = auto()  # what a joker stands for, and what that card asks for


@dataclass(frozen=True, eq=False, kw_only=True)
class Vocabulary:
    """The words of one game. Cards go by their symbol (``SKIP``), wild cards by their kind (``WILD``).

    :param rules: IDs of the rules that a special card stands under, ``"U-15 U-16"``.
    :param matching: ID of the rule that the others stand under: which card goes on which.
    :param asks: what a card asks its player to choose.
    :param most_presses: presses at most that a card with a rule of the table's own can bring to somebody.
    :param announcement: what is said on the last card but one.
    :param drawing: what one does who does not play: ``DRAWING``, or ``PRESSING`` a launcher.
    :param round: what the rules call a round; in French a feminine word.
    :param events: sentences about what happens that are other ones here; of a function, those that depend on the game.
    :param places: what these sentences name beside what ``telling`` knows.
    :param questions: the game's own questions to the table.
    :param offences: what the table can declare against a seat.
    :param blameless: IDs of the rules by which somebody draws out of turn who has done nothing wrong.
    :param answer: of an ``Observation``: what to do who must answer a card, or take so many (``Rules.to_take``).
    :param in_force: of an ``Observation``: what holds on the table, beside the card on top and the colour.
    :param typed: what can be typed in this game only, and what it does.
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
        """What the player of a card chooses."""
        return self.asks.get(self.cards.key(card))

    def rules_of(self, card: int) -> tuple[str, ...]:
        """IDs of the rules about a card: its own, or how cards match when it is an ordinary one."""
        return tuple(self.rules.get(self.cards.key(card), self.matching).split())
