"""Bot players: one random, one sensible. They see what their seat may see, and no more.

A bot is asked whenever its seat may act. In turn it must choose; out of turn (catch, jump in, cancel, say "UNO" late)
it may also keep quiet, with ``None``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from dispenser.rules.engine.moves import ANNOUNCE, CHALLENGE, RETRACT, TAKE, Act, Move, name
from dispenser.rules.engine.observation import Observation
from dispenser.rules.registry import GAMES

Bot = Callable[[Observation, Random], Move | None]

QUIET_SHARE: Final = 0.5  # how often the random bot lets a chance to speak up go by

_AT_ONCE: Final = frozenset({Act.ANNOUNCE, Act.RETRACT, Act.CATCH, Act.CATCH_RETRACT})
_NOT_PLAYING: Final = frozenset({Act.DRAW, Act.PASS, Act.TAKE})


def random_bot(seen: Observation, random: Random) -> Move | None:
    """Any legal move, each as likely."""
    if seen.seat != seen.turn and random.random() < QUIET_SHARE:
        return None
    return random.choice(seen.legal)


def sensible_bot(seen: Observation, random: Random) -> Move | None:
    """What somebody does who has played a few evenings: get rid of much, keep what always fits, hurt who is ahead."""
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
            says = move  # "OU PAS" comes when cards do
    before_laying = says is ANNOUNCE and seen.sizes[seen.seat] > 1  # only if a card is laid then
    if says is not None and not before_laying:
        return says
    if cards:
        judge = GAMES[seen.game].judge(seen)
        best, most, figure = cards[0], -100.0, random.random
        for move in judge.considered(cards):
            # a sixth of a point of noise: of two equal moves sometimes the one, sometimes the other
            worth = judge.worth(move) + figure() / 6
            if worth > most:
                best, most = move, worth
        if most > 0 or not may_decline:
            return says if says is not None and judge.leaves_one(best) else best
    return _without_a_card(seen) if in_turn else None


BOTS: Final[Mapping[str, Bot]] = {"sensible": sensible_bot, "random": random_bot}


def _without_a_card(seen: Observation) -> Move:
    """What remains when no card is laid: to name what suits, else the first thing there is to do."""
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
