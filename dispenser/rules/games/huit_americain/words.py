"""Vocabulary of Huit américain."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.playing_cards import ACE, EIGHT, JOKER, SEVEN, TEN
from dispenser.rules.words.cards import PLAYING_CARD_WORDS
from dispenser.rules.words.vocabulary import DEAL, SAY_CARTE, Choice, Vocabulary

_ACES: Final = Text("aces: {number} cards to draw")
_ANSWER: Final = Text("play an ace, or take {number}")
CHAIN_OF_ACES: Final = Text("chain of aces")
NOT_COVERED: Final = Text("10 not covered")

WORDS: Final = Vocabulary(
    cards=PLAYING_CARD_WORDS,
    rules={SEVEN: "H-06", EIGHT: "H-07", TEN: "H-08", ACE: "H-09", JOKER: "H-01"},
    matching="H-04",
    asks={EIGHT: Choice.COLOUR, JOKER: Choice.COLOUR},
    announcement=SAY_CARTE,
    round=DEAL,
    answer=lambda _seen: _ANSWER,
    in_force=lambda seen: [_ACES.filled(number=seen.public["ace_cards"])] if seen.public["ace_cards"] else [],
)
