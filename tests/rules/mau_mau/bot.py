"""What a sensible player of Mau-Mau thinks of a move."""

from __future__ import annotations

from dispenser.rules.engine.playing_cards import JACK, SEVEN, all_of
from dispenser.rules.games.judge import Judge


class MauMauJudge(Judge):
    """Attacks with sevens, keeps jacks."""

    __slots__ = ()
    attacks = frozenset(all_of(SEVEN))
    kept = frozenset(all_of(JACK))
