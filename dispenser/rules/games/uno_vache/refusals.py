"""Why a move of Uno vache is not allowed: the rule that forbids it, and how one says so at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dispenser.language import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.engine.phases import ANSWERING, CHOOSING_DIRECTION, NAMING
from dispenser.rules.engine.uno_cards import PLUS_TWO, REVERSE, SKIP, WHITE, WILD, WILD_FOUR, symbol_of

if TYPE_CHECKING:
    from dispenser.rules.games.uno_vache.game import UnoVache

CHOOSE_DIRECTION: Final = Text("the dealer chooses the direction first")
ANSWER_CHAIN: Final = Text("the “+” first: add a “+”, cancel the chain or take the cards")
ONLY_FOUR: Final = Text("only a +4 goes on a +4")
NO_CHAIN: Final = Text("there is no “+” to answer")
NOT_THE_CANCEL: Final = Text("the card that cancels has the colour of the chain and the number of its total")
HOLDS_A_PLUS: Final = Text("only who holds no “+” may cancel")
NOT_IDENTICAL: Final = Text(
    "only a card identical to the one just laid goes out of turn, before the next player has acted"
)
IN_TURN: Final = Text("in its own turn that seat simply plays")
NO_OU_PAS: Final = Text("“OU PAS” is for who has announced UNO and gets more cards")
NOT_FORGOTTEN: Final = Text("that player has not forgotten “OU PAS”")

_OUT_OF_PLACE: Final = {
    Act.RETRACT: ("V-23", NO_OU_PAS),
    Act.CATCH_RETRACT: ("V-23", NOT_FORGOTTEN),
    Act.CANCEL: ("V-14", NO_CHAIN),
    Act.TAKE: ("V-09", NO_CHAIN),
}
_WILD_RULES: Final = {WILD: "V-06", WILD_FOUR: "V-10", WHITE: "V-16"}
_SYMBOL_RULES: Final = {REVERSE: "V-07", SKIP: "V-08"}


def refusal(rules: UnoVache, seat: int, move: Move) -> tuple[str, Text]:
    """What forbids ``move`` to a seat that holds the card."""
    act, card = move.act, move.card
    if act not in {Act.RETRACT, Act.CATCH_RETRACT}:
        if rules.phase is CHOOSING_DIRECTION:
            return "V-02", CHOOSE_DIRECTION
        if rules.phase is NAMING:
            return "V-03", reasons.NAME_FIRST
    if act is Act.JUMP_IN:
        not_now = NOT_IDENTICAL if card != rules.fresh else reasons.MAKE_A_CHOICE
        return "V-11", IN_TURN if seat == rules.turn else not_now
    if act is Act.CANCEL and rules.phase is ANSWERING:
        return "V-14", HOLDS_A_PLUS if card == rules.card_that_cancels() else NOT_THE_CANCEL
    if act in {Act.LAY, Act.DRAW}:
        return _does_not_answer(move) if rules.phase is ANSWERING else _does_not_fit(move)
    return _OUT_OF_PLACE.get(act, ("G-06", reasons.NO_SUCH_MOVE))


def _does_not_answer(move: Move) -> tuple[str, Text]:
    """V-09: a "+" that nobody has drawn for is open."""
    card = move.card
    if card is None:
        return "V-09", ANSWER_CHAIN
    if card == WILD_FOUR:
        return "V-10", reasons.MAKE_A_CHOICE
    if symbol_of(card) is PLUS_TWO:
        return "V-10", ONLY_FOUR
    return "V-04" if card >= WILD else "V-09", ANSWER_CHAIN


def _does_not_fit(move: Move) -> tuple[str, Text]:
    card = move.card
    if card is None:
        return "G-06", reasons.NO_SUCH_MOVE
    if card >= WILD:
        return _WILD_RULES[card], reasons.MAKE_A_CHOICE
    return _SYMBOL_RULES.get(symbol_of(card), "V-04"), reasons.NO_MATCH
