"""Mau-Mau, a sixth game for the tests: written by the guide in ``dispenser/rules/README.md`` and by nothing else."""

from dispenser.rules.games.folder import GameFolder
from tests.rules.mau_mau.book import MAU_MAU
from tests.rules.mau_mau.bot import MauMauJudge
from tests.rules.mau_mau.game import MauMau

GAME = GameFolder(MauMau, MAU_MAU, MauMauJudge)
