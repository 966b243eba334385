"""Huit américain."""

from dispenser.rules.games.folder import GameFolder
from dispenser.rules.games.huit_americain.book import HUIT_AMERICAIN
from dispenser.rules.games.huit_americain.bot import HuitAmericainJudge
from dispenser.rules.games.huit_americain.game import HuitAmericain

GAME = GameFolder(HuitAmericain, HUIT_AMERICAIN, HuitAmericainJudge)
