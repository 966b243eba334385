"""Vocabulary of Uno, and names of its cards."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.uno_cards import FEMININE_COLOURS, PLUS_TWO, REVERSE, SKIP, UNO, WHITE, WILD, WILD_FOUR
from dispenser.rules.words.cards import THE_ELIDED, WILD_SHAPE, CardWords
from dispenser.rules.words.vocabulary import Choice, Vocabulary

CARD_WORDS: Final = CardWords(
    UNO,
    in_sentences={
        REVERSE: THE_ELIDED,
        SKIP: Text("the {card}", context="skip"),
        WHITE: Text("a white card"),
    },
    also={
        PLUS_TWO: "draw 2",
        REVERSE: "sens",
        SKIP: "passe|passer un tour",
        WILD_FOUR: "wild +4|joker +4|wild 4|joker 4|draw 4",
        WHITE: "blanc",
    },
    feminine=FEMININE_COLOURS,
    signs={REVERSE: "⇄", SKIP: "⊘", WILD: WILD_SHAPE, WHITE: "□"},
)

_ANSWER: Final = Text("challenge, or take {number}")
BLUFFED: Final = Text("bluffed +4")
DOUBTED: Final = Text("+4 wrongly challenged")

WORDS: Final = Vocabulary(
    cards=CARD_WORDS,
    rules={PLUS_TWO: "U-11", REVERSE: "U-12", SKIP: "U-13", WILD: "U-14", WILD_FOUR: "U-15 U-16"},
    matching="U-09",
    asks={WILD: Choice.COLOUR, WILD_FOUR: Choice.COLOUR},
    questions={
        "bluff": Text("[Look at {who}’s hand: did {who}|Show your hand: did you] have another card to play?"),
    },
    offences={"advice": Text("remarks and advice")},
    answer=lambda _seen: _ANSWER,
)
