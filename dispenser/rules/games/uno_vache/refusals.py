"""Why a move is refused in Uno vache (G-06), where the reason is not one of every game."""

from __future__ import annotations

from typing import Final

from dispenser.language import Text

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
