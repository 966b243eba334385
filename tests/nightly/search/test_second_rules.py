"""The five games beside a second implementation that was written from the rule text alone; a share of the matches.

Many more by hand: ``python -m tests.nightly.search.second_rules GAME FROM TO``; see its module ``beside``.
"""

from __future__ import annotations

from collections import Counter

import pytest

from dispenser.rules import new_game
from dispenser.rules.engine.moves import TO_THE_LEFT, cancel, effect, lay
from tests.nightly.search.second_rules.beside import Match
from tests.nightly.search.second_rules.beside_extreme import ExtremeMatch
from tests.nightly.search.second_rules.beside_vache import VacheMatch
from tests.nightly.search.second_rules.extreme import CUSTOM, WILD, Extreme
from tests.nightly.search.second_rules.games import GAMES, play_beside
from tests.nightly.search.second_rules.vache import Vache
from tests.nightly.seed import SEED

# The acts without which a share would prove little.
MUST_COME_UP = {
    "uno-extreme": {"lay", "draw", "announce", "catch", "presses", "effect"},
    "uno": {"lay", "draw", "pass", "take", "challenge", "announce", "catch", "reshuffles"},
    "huit-americain": {"lay", "draw", "pass", "take", "announce", "catch", "reshuffles"},
    "151": {"lay", "draw", "pass", "announce", "catch", "reshuffles"},
    "uno-vache": {"lay", "draw", "take", "cancel", "jump in", "announce", "catch", "retract", "catch retract"},
}
MATCHES = {"uno-extreme": 40, "uno": 60, "huit-americain": 80, "151": 50, "uno-vache": 80}


@pytest.mark.parametrize("first_seed", [SEED, SEED + 1000])
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_and_the_second_rules_agree_after_every_move(game: str, first_seed: int) -> None:
    seen = play_beside(game, range(first_seed, first_seed + MATCHES[game]))
    assert MUST_COME_UP[game] <= set(seen), seen
    assert seen["refused"]
    assert seen["deliveries refused"]
    assert seen["matches"] >= MATCHES[game] // 2, seen  # some go on for longer than anybody would play


def begin(match: Match, dealer: int, hands: list[list[int]], first: int) -> None:
    """A deal that chance alone brings too seldom."""
    pile = match.mine.deck()
    for card in (first, *(card for hand in hands for card in hand)):
        pile.remove(card)
    match.tell("begin", dealer, hands, first)
    match.game.begin(dealer=dealer, hands=hands, first=first, pile=pile)
    match.mine.begin(dealer, hands, first, pile)
    match.compare()


def test_they_agree_on_a_round_in_which_everybody_goes_over_the_limit() -> None:
    options = {"customizable": 3, "scoring": "elimination", "target": 60, "reload-at": 52}
    match = ExtremeMatch(0, Counter())
    match.game, match.mine = new_game("uno-extreme", seats=3, options=options), Extreme(3, options)
    begin(match, 2, [[CUSTOM], [WILD, WILD], [CUSTOM, CUSTOM]], 30)
    for move in (lay(CUSTOM, colour=1), effect(0, 1)):
        match.both_play(0, move)
        match.compare()
    match.game.fulfil([WILD, WILD])
    match.mine.press([WILD, WILD])
    match.compare()
    assert match.mine.scores == [100, 100, 100]
    assert match.mine.winners == {0}


def test_they_agree_on_who_began_a_chain_and_cancels_it_with_the_last_card() -> None:
    options = {"white": 0, "cancel-anyway": False}
    match = VacheMatch(0, Counter())
    match.game, match.mine = new_game("uno-vache", seats=4, options=options), Vache(4, options)
    begin(match, 3, [[10, 4], [20, 10], [21, 22, 23], [32, 33]], 5)
    for seat, move in ((3, TO_THE_LEFT), (0, lay(10)), (1, lay(10)), (0, cancel(4))):
        match.both_play(seat, move)
        match.compare()
    assert [demand[:4] for demand in match.mine.demands] == [[0, 0, 4, True]]
    assert not match.mine.gone
