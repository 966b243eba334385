"""Why a move is refused in Uno vache (G-06), where the reason is not one of every game."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.engine.phases import ANSWERING
from dispenser.rules.engine.rules import Reason, Rules
from dispenser.rules.engine.uno_cards import PLUS_TWO, WHITE, WILD, WILD_FOUR, symbol_of

CHOOSE_DIRECTION: Final = Text("the dealer chooses the direction first")
ANSWER_CHAIN: Final = Text("the “+” first: add a “+”, cancel the chain or take the cards")
ONLY_FOUR: Final = Text("only a +4 goes on a +4")
NO_CHAIN: Final = Text("there is no “+” to answer")
NOT_THE_CANCEL: Final = Text("the card that cancels must have the colour of the chain and the number of its total")
HOLDS_A_PLUS: Final = Text("only a player who holds no “+” may cancel")
NOT_IDENTICAL: Final = Text(
    "out of turn you may play only a card identical to the one just played, before the next player has acted"
)
IN_TURN: Final = Text("it is that player’s turn: simply play the card")
NO_OU_PAS: Final = Text("“OU PAS” is for a player who has said “UNO” and gets more cards")
NOT_FORGOTTEN: Final = Text("that player has not forgotten to say “OU PAS”")


def why_not(rules: Rules, seat: int, move: Move, fresh: int, cancels: int) -> Reason | None:  # noqa: PLR0911 - one a reason
    """Return rule and reason; ``None`` if the reason is one of all games.

    :param fresh: the card just laid, on which an identical one may jump in.
    :param cancels: the card that cancels the chain.
    """
    act, card = move.act, move.card
    if act is Act.RETRACT:
        return "V-23", NO_OU_PAS
    if act is Act.CATCH_RETRACT:
        return "V-23", NOT_FORGOTTEN
    if act is Act.JUMP_IN and rules.phase not in rules.comes_first:
        if seat == rules.turn:
            return "V-11", IN_TURN
        return "V-11", NOT_IDENTICAL if card != fresh else reasons.MAKE_A_CHOICE
    if rules.phase is not ANSWERING or act is Act.PASS:
        return None
    if act is Act.CANCEL:
        return "V-14", HOLDS_A_PLUS if card == cancels else NOT_THE_CANCEL
    if card == WILD_FOUR:
        return "V-10", reasons.MAKE_A_CHOICE
    if card is not None and card < WILD and symbol_of(card) == PLUS_TWO:
        return "V-10", ONLY_FOUR
    return "V-04" if card in {WILD, WHITE} else "V-09", ANSWER_CHAIN
