"""Where the cards were; to go when nobody asks here any more."""

from dispenser.rules.engine.cards import SYMBOLS, CardSet
from dispenser.rules.engine.playing_cards import (
    ACE,
    EIGHT,
    JACK,
    JOKER,
    KING,
    PLAYING_CARDS,
    QUEEN,
    SEVEN,
    SIX,
    SUITS,
    TEN,
    TWO,
)
from dispenser.rules.engine.uno_cards import (
    COLOURS,
    FEMININE_COLOURS,
    PLUS_TWO,
    REVERSE,
    REVERSE_NAME,
    SKIP,
    SKIP_NAME,
    UNO,
    UNO_DECK,
    WHITE,
    WILD,
    WILD_FOUR,
)
from dispenser.rules.games.uno_extreme.cards import (
    CUSTOMIZABLE,
    DISCARD_ALL,
    EXTREME_HIT,
    PRESS_FOUR,
    PRESS_TWO,
    UNO_EXTREME,
)
from dispenser.rules.games.uno_extreme.cards import REVERSE as EXTREME_REVERSE
from dispenser.rules.games.uno_extreme.cards import SKIP as EXTREME_SKIP
from dispenser.rules.games.uno_extreme.cards import WILD as EXTREME_WILD

__all__ = [name for name in dir() if name.isupper() or name == "CardSet"]
