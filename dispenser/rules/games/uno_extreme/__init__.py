"""Uno Extrême."""

from dispenser.rules.games.folder import GameFolder
from dispenser.rules.games.uno_extreme.book import UNO_EXTREME
from dispenser.rules.games.uno_extreme.bot import UnoExtremeJudge
from dispenser.rules.games.uno_extreme.game import UnoExtreme

GAME = GameFolder(UnoExtreme, UNO_EXTREME, UnoExtremeJudge)
