"""What is said of Mau-Mau in its own way."""

from __future__ import annotations

from typing import Final

from dispenser.rules.engine.playing_cards import JACK, SEVEN
from dispenser.rules.words.cards import PLAYING_CARD_WORDS
from dispenser.rules.words.vocabulary import Choice, Vocabulary

WORDS: Final = Vocabulary(
    cards=PLAYING_CARD_WORDS,
    rules={SEVEN: "M-05", JACK: "M-06"},
    matching="M-03",
    asks={JACK: Choice.COLOUR},
)
