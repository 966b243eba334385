"""What brings cards in Uno vache, beside not playing and a broken rule of conduct."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.demands import Brings
from dispenser.rules.engine.uno_cards import PLUS_TWO, WILD_FOUR
from dispenser.rules.words.vocabulary import FORGOTTEN

TWO: Final = Brings("V-09", 2, PLUS_TWO, name=Text("chain of “+”"), also=("V-03", "V-20"), chain=True)
FOUR: Final = Brings("V-09", 4, WILD_FOUR, chain=True)
CANCELLED: Final = Brings("V-14", 0, name=Text("chain cancelled"))
BLACK_LAST: Final = Brings("V-19", 1, name=Text("black card laid last"))
OU_PAS: Final = Brings("V-23", 1, name=FORGOTTEN.filled(word="OU PAS"))
