"""Rate the moves of Huit américain for a bot."""

from __future__ import annotations

from dispenser.rules.engine.playing_cards import ACE, EIGHT, JOKER, SEVEN, all_of
from dispenser.rules.games.judge import Judge


class HuitAmericainJudge(Judge):
    """Attacks with aces and sevens, keeps eights."""

    __slots__ = ()
    attacks = frozenset(all_of(ACE, SEVEN))
    kept = frozenset((*all_of(EIGHT), JOKER))
    stays = 0.0
