"""Vocabulary of Uno vache."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.demands import Brings
from dispenser.rules.engine.uno_cards import PLUS_TWO, REVERSE, SKIP, WHITE, WILD, WILD_FOUR, ZERO
from dispenser.rules.games.uno.words import CARD_WORDS
from dispenser.rules.words.vocabulary import FORGOTTEN, Choice, Vocabulary

_CHAIN: Final = Text("chain of “+”: {number} cards to draw")
_ANSWER: Final = Text("play a +2 or +4, or take {number}")
_ANSWER_FOUR: Final = Text("play a +4, or take {number}")

# Causes of draws, except not playing and broken rules of conduct
TWO: Final = Brings("V-09", 2, PLUS_TWO, name=Text("chain of “+”"), also=("V-03", "V-20"), chain=True)
FOUR: Final = Brings("V-09", 4, WILD_FOUR, chain=True)
CANCELLED: Final = Brings("V-14", 0, name=Text("chain cancelled"))
BLACK_LAST: Final = Brings("V-19", 1, name=Text("black card played last"))
OU_PAS: Final = Brings("V-23", 1, name=FORGOTTEN.filled(word="OU PAS"))

WORDS: Final = Vocabulary(
    cards=CARD_WORDS,
    rules={
        ZERO: "V-13 V-21",
        PLUS_TWO: "V-09",
        REVERSE: "V-07",
        SKIP: "V-08",
        WILD: "V-06 V-19",
        WILD_FOUR: "V-10 V-19",
        WHITE: "V-16",
    },
    matching="V-04",
    asks={WILD: Choice.COLOUR, WILD_FOUR: Choice.COLOUR, WHITE: Choice.TWO_SEATS},
    offences={"conduct": Text("a broken rule of conduct")},
    blameless=frozenset({"V-14"}),
    answer=lambda seen: _ANSWER_FOUR if seen.top == WILD_FOUR else _ANSWER,  # V-10
    in_force=lambda seen: [_CHAIN.filled(number=seen.public["total"])] if seen.public["total"] else [],
    typed=(
        (
            Text("ou pas"),
            Text("when you said UNO and cards come; ou pas forgotten Bob: Bob did not say it"),
        ),
        (
            Text("jump in"),
            Text(
                "out of turn, with the card that was just played, or with one that cancels a chain: its number will do"
            ),
        ),
    ),
)
