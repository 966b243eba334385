"""Bot players: one random, one sensible. They see what their seat may see, and no more.

A bot is called whenever its seat may act. In turn it must return a move; out of turn (catch, jump in, cancel, late
"UNO") it may return ``None``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from dispenser.rules.engine.moves import ANNOUNCE, CHALLENGE, RETRACT, TAKE, Act, Move, name
from dispenser.rules.engine.observation import Observation
from dispenser.rules.registry import GAMES

Bot = Callable[[Observation, Random], Move | None]

QUIET_SHARE: Final = 0.5  # probability that the random bot does not act out of turn

_AT_ONCE: Final = frozenset({Act.ANNOUNCE, Act.RETRACT, Act.CATCH, Act.CATCH_RETRACT})
_NOT_PLAYING: Final = frozenset({Act.DRAW, Act.PASS, Act.TAKE})


def random_bot(seen: Observation, random: Random) -> Move | None:
    """Choose any legal move with equal probability."""
    if seen.seat != seen.turn and random.random() < QUIET_SHARE:
        return None
    return random.choice(seen.legal)


def sensible_bot(seen: Observation, random: Random) -> Move | None:
    """Choose like a player with some experience: lay many points, keep cards that always fit, attack the leader."""
    says: Move | None = None
    cards: list[Move] = []
    in_turn = seen.seat == seen.turn and seen.demand is None
    may_decline = not in_turn
    for move in seen.legal:
        if move.card is not None:
            cards.append(move)
        elif move.act in _NOT_PLAYING:
            may_decline = True
        elif (
            says is None and move.act in _AT_ONCE and not (in_turn and move is RETRACT and seen.seat in seen.announced)
        ):
            says = move  # "OU PAS" is due only when cards come
    before_laying = says is ANNOUNCE and seen.sizes[seen.seat] > 1  # the announcement is legal only before a lay
    if says is not None and not before_laying:
        return says
    if cards:
        judge = GAMES[seen.game].judge(seen)
        best, most, figure = cards[0], -100.0, random.random
        for move in judge.considered(cards):
            # up to a sixth of a point of noise, so that the choice between equal moves varies
            worth = judge.worth(move) + figure() / 6
            if worth > most:
                best, most = move, worth
        if most > 0 or not may_decline:
            return says if says is not None and judge.leaves_one(best) else best
    return _without_a_card(seen) if in_turn else None


BOTS: Final[Mapping[str, Bot]] = {"sensible": sensible_bot, "random": random_bot}


def _without_a_card(seen: Observation) -> Move:
    """Return a move without a card: the best choice to name, a challenge if in doubt, or the first legal move."""
    first = next(move for move in seen.legal if move.card is None)
    if first.act is Act.CHALLENGE:
        return CHALLENGE if GAMES[seen.game].judge(seen).doubts() else TAKE
    if first.act is Act.NAME:
        colours = GAMES[seen.game].judge(seen).colours
        return name(colours.index(max(colours)))
    if first.act is Act.STAND:
        judge = GAMES[seen.game].judge(seen)
        stands = [move for move in seen.legal if move.stands_for is not None]
        return max(stands, key=lambda move: judge.stands_for(move.stands_for or 0, move.colour))
    return first
