"""Why a move of Uno vache is not allowed: the rule that forbids it, and how one says so at the table."""

from __future__ import annotations

from typing import Final

from dispenser.rules import reasons
from dispenser.rules.book.entry import Text
from dispenser.rules.cards import PLUS_TWO, REVERSE, SKIP, UNO, WHITE, WILD, WILD_FOUR
from dispenser.rules.moves import CANCEL, CATCH_RETRACT, DRAW, JUMP_IN, KIND_SHIFT, PLAY, RETRACT, TAKE, Move
from dispenser.rules.state import ANSWERING, CHOOSING_DIRECTION, NAMING

CHOOSE_DIRECTION: Final = Text("the dealer chooses the direction first", "le donneur choisit d’abord le sens du jeu")
ANSWER_CHAIN: Final = Text(
    "the “+” first: add a “+”, cancel the chain or take the cards",
    "d’abord le « + » : ajoute un « + », annule la chaîne ou prends les cartes",
)
ONLY_FOUR: Final = Text("only a +4 goes on a +4", "sur un +4, seul un +4 va")
NO_CHAIN: Final = Text("there is no “+” to answer", "il n’y a pas de « + » auquel répondre")
NOT_THE_CANCEL: Final = Text(
    "the card that cancels has the colour of the chain and the number of its total",
    "la carte qui annule a la couleur de la chaîne et le chiffre de son total",
)
NOT_IDENTICAL: Final = Text(
    "only a card identical to the one just laid goes out of turn, before the next player has acted",
    "hors de son tour, seule va une carte identique à celle qu’on vient de poser, avant que le joueur suivant ait agi",
)
IN_TURN: Final = Text("in its own turn that seat simply plays", "à son tour, cette place joue tout simplement")
FIRST_THINGS: Final = {CHOOSING_DIRECTION: ("V-02", CHOOSE_DIRECTION), NAMING: ("V-03", reasons.NAME_FIRST)}
OUT_OF_PLACE: Final = {
    RETRACT: ("V-23", reasons.NOTHING_TO_SAY),
    CATCH_RETRACT: ("V-23", reasons.NOTHING_TO_SAY),
    CANCEL: ("V-14", NO_CHAIN),
    TAKE: ("V-09", NO_CHAIN),
}
WILD_RULES: Final = {WILD: "V-06", WILD_FOUR: "V-10", WHITE: "V-16"}
SYMBOL_RULES: Final[dict[int, str]] = {PLUS_TWO: "V-09", REVERSE: "V-07", SKIP: "V-08"}


def refusal(move: Move, *, phase: int, in_turn: bool, fresh: int) -> tuple[str, Text]:
    """What forbids ``move`` to a seat that holds the card.

    :param phase: what the seat in turn is asked for.
    :param in_turn: whether the seat that tries it is in turn.
    :param fresh: the card that may be jumped in on, -1 when there is none.
    """
    kind, card = move >> KIND_SHIFT << KIND_SHIFT, move & 255
    if phase in FIRST_THINGS and kind not in {RETRACT, CATCH_RETRACT}:
        return FIRST_THINGS[phase]
    if kind not in {PLAY, DRAW}:
        return _out_of_turn(kind, card, answering=phase == ANSWERING, in_turn=in_turn, fresh=fresh)
    if phase == ANSWERING:
        return _does_not_answer(kind, card)
    if kind == DRAW:
        return "G-06", reasons.NO_SUCH_MOVE
    if card >= WILD:
        return WILD_RULES[card], reasons.MAKE_A_CHOICE
    return SYMBOL_RULES.get(UNO.symbol[card], "V-04"), reasons.NO_MATCH


def _out_of_turn(kind: Move, card: int, *, answering: bool, in_turn: bool, fresh: int) -> tuple[str, Text]:
    """V-11, V-14, V-15, V-23: what one does when one is not simply playing."""
    if kind == JUMP_IN:
        return "V-11", IN_TURN if in_turn else NOT_IDENTICAL if card != fresh else reasons.MAKE_A_CHOICE
    if kind == CANCEL and answering:
        return "V-14", NOT_THE_CANCEL
    return OUT_OF_PLACE.get(kind, ("G-06", reasons.NO_SUCH_MOVE))


def _does_not_answer(kind: Move, card: int) -> tuple[str, Text]:
    """V-09: a "+" that nobody has drawn for is open."""
    if kind == DRAW:
        return "V-09", ANSWER_CHAIN
    if card == WILD_FOUR:
        return "V-10", reasons.MAKE_A_CHOICE
    if card < WILD and UNO.symbol[card] == PLUS_TWO:
        return "V-10", ONLY_FOUR
    return "V-04" if card >= WILD else "V-09", ANSWER_CHAIN
