"""Uno vache."""

from dispenser.rules.games.folder import GameFolder
from dispenser.rules.games.uno_vache.book import UNO_VACHE
from dispenser.rules.games.uno_vache.bot import UnoVacheJudge
from dispenser.rules.games.uno_vache.game import UnoVache

GAME = GameFolder(UnoVache, UNO_VACHE, UnoVacheJudge)
