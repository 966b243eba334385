"""151."""

from dispenser.rules.games.cent_cinquante_et_un.book import CENT_CINQUANTE_ET_UN
from dispenser.rules.games.cent_cinquante_et_un.bot import Judge151
from dispenser.rules.games.cent_cinquante_et_un.game import CentCinquanteEtUn
from dispenser.rules.games.folder import GameFolder

GAME = GameFolder(CentCinquanteEtUn, CENT_CINQUANTE_ET_UN, Judge151)
