"""What playing cards are called, in every game that is played with them."""

from __future__ import annotations

from typing import Final

from dispenser.rules.engine.playing_cards import ACE, PLAYING_CARDS, QUEEN
from dispenser.rules.words.cards import SUIT, THE_ELIDED, THE_FEMININE, CardWords

PLAYING_CARD_WORDS: Final = CardWords(PLAYING_CARDS, in_sentences={ACE: THE_ELIDED, QUEEN: THE_FEMININE}, colour=SUIT)
