"""Which match belongs to which game, and many of them."""

from __future__ import annotations

from collections import Counter

from tests.nightly.search.second_rules.beside import Match
from tests.nightly.search.second_rules.beside_extreme import ExtremeMatch
from tests.nightly.search.second_rules.beside_three import CentCinquanteEtUnMatch, HuitAmericainMatch, UnoMatch
from tests.nightly.search.second_rules.beside_vache import VacheMatch

GAMES: dict[str, type[Match]] = {
    "uno-extreme": ExtremeMatch,
    "uno": UnoMatch,
    "huit-americain": HuitAmericainMatch,
    "151": CentCinquanteEtUnMatch,
    "uno-vache": VacheMatch,
}


def play_beside(game: str, seeds: range) -> Counter[str]:
    """Play a match for each seed and say how often what came up.

    :raises DisagreementError: saying the seed and the last moves.
    """
    seen: Counter[str] = Counter()
    for seed in seeds:
        match = GAMES[game](seed, seen)
        try:
            match.play()
        except Exception as error:
            error.add_note(f"{game}, seed {seed}: python -m tests.nightly.search.second_rules {game} {seed} {seed + 1}")
            raise
    return seen
