"""Uno."""

from dispenser.rules.games.folder import GameFolder
from dispenser.rules.games.uno.book import UNO
from dispenser.rules.games.uno.bot import UnoJudge
from dispenser.rules.games.uno.game import Uno

GAME = GameFolder(Uno, UNO, UnoJudge)
