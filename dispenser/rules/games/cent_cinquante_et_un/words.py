"""Vocabulary of 151."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.events import What
from dispenser.rules.engine.playing_cards import ACE, EIGHT, JOKER, QUEEN, SIX, TEN, TWO, rank_of
from dispenser.rules.words.cards import PLAYING_CARD_WORDS
from dispenser.rules.words.vocabulary import DEAL, SAY_CARTE, Choice, Vocabulary

_FROZEN: Final = Text("frozen: an ace, an 8 or a joker only")

WORDS: Final = Vocabulary(
    cards=PLAYING_CARD_WORDS,
    rules={TWO: "C-06", SIX: "C-07", EIGHT: "C-08", TEN: "C-09", QUEEN: "C-10", ACE: "C-11", JOKER: "C-12"},
    matching="C-05",
    asks={EIGHT: Choice.COLOUR, JOKER: Choice.CARD},
    announcement=SAY_CARTE,
    round=DEAL,
    events={What.AGAIN: Text("{who} may play again.")},
    in_force=lambda seen: [_FROZEN] if seen.talon and rank_of(seen.top) == ACE else [],
)
