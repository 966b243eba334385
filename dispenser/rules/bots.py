"""Players who are no people: one at random, one sensible. They see what their seat may see, and no more.

A bot is asked whenever its seat may act. In turn it must choose; out of turn (catch, jump in, cancel, say "UNO" late)
it may also keep quiet, with ``None``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from dispenser.rules.cards import (
    CUSTOMIZABLE,
    DISCARD_ALL,
    EIGHT,
    EXTREME_HIT,
    JOKER,
    PLUS_TWO,
    PRESS_FOUR,
    PRESS_TWO,
    SKIP,
    WHITE,
    WILD,
    WILD_FOUR,
    CardSet,
)
from dispenser.rules.moves import (
    ANNOUNCE,
    CANCEL,
    CATCH,
    CATCH_RETRACT,
    CHALLENGE,
    DIRECTION,
    DONE,
    DRAW,
    EFFECT,
    JUMP_IN,
    NAME,
    PASS,
    RETRACT,
    STAND,
    TAKE,
    Move,
    card_of,
    first_choice,
    kind_of,
    second_choice,
)
from dispenser.rules.observation import Observation
from dispenser.rules.old_registry import GAMES

Bot = Callable[[Observation, Random], Move | None]

QUIET_SHARE: Final = 0.5
"""How often the random bot lets a chance to speak up go by."""
DOUBT_FROM: Final = 4
"""The sensible bot doubts a +4 of somebody who has at least so many cards left: one of them probably fitted."""

_AT_ONCE: Final = (ANNOUNCE, RETRACT, CATCH, CATCH_RETRACT)
_KEEP: Final = 6.0
"""How much a wild card is worth keeping, in the measure of ``_worth``."""


def random_bot(seen: Observation, random: Random) -> Move | None:
    """Any legal move, each as likely."""
    if seen.seat != seen.turn and random.random() < QUIET_SHARE:
        return None
    return random.choice(seen.legal)


def sensible_bot(seen: Observation, random: Random) -> Move | None:
    """What somebody does who has played a few evenings: get rid of much, keep what always fits, hurt who is ahead."""
    speaks = [move for move in seen.legal if kind_of(move) in _AT_ONCE]
    early = seen.seat == seen.turn and seen.sizes[seen.seat] > 1  # "UNO" before the card: only if one is laid
    if speaks and not (early and speaks[0] == ANNOUNCE):
        return speaks[0]
    cards = [move for move in seen.legal if kind_of(move) <= CANCEL]
    if seen.game == "uno":  # U-15: no bluffs; whoever doubts is right too often
        cards = [move for move in cards if card_of(move) != WILD_FOUR] or cards
    if cards:
        player = _Player(seen)
        # a sixth of a point of noise: of two equal moves sometimes the one, sometimes the other
        worth, best = max((player.worth(move) + random.random() / 6, move) for move in cards)
        if worth > 0 or not _may_decline(seen):
            return speaks[0] if speaks else best
    return _without_a_card(seen)


BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"sensible": sensible_bot, "random": random_bot})


def _may_decline(seen: Observation) -> bool:
    """Whether there is another thing to do than to lay a card, or nothing need be done."""
    return seen.seat != seen.turn or any(kind_of(move) in {DRAW, PASS, TAKE} for move in seen.legal)


def _without_a_card(seen: Observation) -> Move | None:
    """What remains when no card is laid."""
    found = {kind_of(move): move for move in reversed(seen.legal)}
    if seen.seat != seen.turn:
        return None
    if CHALLENGE in found:
        before = _neighbour(seen, -1)
        return found[CHALLENGE if seen.sizes[before] >= DOUBT_FROM else TAKE]
    player = _Player(seen)
    if NAME in found:
        return NAME | player.colours.index(max(player.colours))
    if STAND in found:
        return max(seen.legal, key=lambda move: player.stands_for(card_of(move), first_choice(move)))
    for kind in (DONE, EFFECT, PASS, DRAW, TAKE, DIRECTION):
        if kind in found:
            return found[kind]
    return seen.legal[0]


def _neighbour(seen: Observation, step: int) -> int:
    """Who plays after this seat (``step`` 1) or before it (-1)."""
    seat = seen.seat
    while True:
        seat = (seat + step * seen.direction) % seen.seats
        if seat not in seen.gone or seat == seen.seat:
            return seat


class _Player:
    """One look at the table: what each card would be worth laying now."""

    def __init__(self, seen: Observation) -> None:
        game = GAMES[seen.game]
        self.seen = seen
        self.cards: CardSet = game.cards
        self.points = seen.values or (0,) * self.cards.kinds
        self.colours = [0] * 4
        """Own cards of each colour."""
        for card in seen.hand:
            colour = self.cards.colour[card]
            if colour >= 0:
                self.colours[colour] += 1
        others = [seat for seat in range(seen.seats) if seat != seen.seat and seat not in seen.gone]
        self.fewest = min((seen.sizes[seat] for seat in others), default=9)
        self.next_size = seen.sizes[_neighbour(seen, 1)]

    def worth(self, move: Move) -> float:
        """How good it is to lay that card, with its choices; above 0 it is better than not to play."""
        card = card_of(move)
        worth = 4.0 + self._rid_of(card)
        if kind_of(move) in {JUMP_IN, CANCEL}:
            return worth + 2.0
        worth += self._hurts(card, move)
        colour, target = first_choice(move), second_choice(move)
        if self.seen.game == "151":
            return worth + self._of_151(card, move)
        if self.seen.game == "huit-americain":
            return worth + (self._named(colour) - _KEEP if card % 13 == EIGHT or card == JOKER else 0.0)
        if self.cards.is_wild(card):
            if card == WHITE and self.seen.game == "uno-vache":
                return self._swap(colour, target)
            worth += self._named(colour) - _KEEP
        elif self.seen.game == "uno-vache" and self.cards.symbol[card] == 0:
            worth += self.seen.sizes[self.seen.seat] - 1 - self.seen.sizes[_neighbour(self.seen, -1)]
        else:
            worth += 0.4 * self.colours[self.cards.colour[card]]  # stay where one has most
        return worth

    def stands_for(self, card: int, suit: int) -> float:
        """How good it is that a joker stands for ``card``."""
        return self.colours[self.cards.colour[card]] + (self._named(suit) if suit >= 0 else 0.0)

    def _rid_of(self, card: int) -> float:
        """Points that no longer count against the hand."""
        points = self.points[card] / 25
        if self.seen.game == "uno-extreme" and card < EXTREME_HIT and self.cards.symbol[card] == DISCARD_ALL:
            return points + 2.0 * (self.colours[self.cards.colour[card]] - 1)
        return points

    def _hurts(self, card: int, move: Move) -> float:
        """Cards for others are worth more the nearer they are to going out."""
        near = max(0.0, 5.0 - self.next_size)
        symbol = self.cards.symbol[card]
        if self.seen.game == "uno-extreme":
            if card == EXTREME_HIT:
                return max(0.0, 6.0 - self.seen.sizes[second_choice(move)])
            if card in {PRESS_FOUR, CUSTOMIZABLE}:
                return near if card == PRESS_FOUR else 0.0
            return near if symbol >= PRESS_TWO and symbol != DISCARD_ALL else 0.0
        if self.seen.game in {"uno", "uno-vache"}:
            return near if card == WILD_FOUR or (card < WILD and PLUS_TWO <= symbol <= SKIP) else 0.0
        return near if symbol in _ATTACKS.get(self.seen.game, ()) else 0.0

    def _named(self, colour: int) -> float:
        return 0.8 * self.colours[colour] if colour >= 0 else 0.0

    def _of_151(self, card: int, move: Move) -> float:
        if card == JOKER:  # 150 points in hand: away with it as soon as somebody may go out
            return self.stands_for(first_choice(move), second_choice(move)) / 4
        if card % 13 == EIGHT:
            return self._named(first_choice(move)) - _KEEP / 2
        return 0.4 * self.colours[self.cards.colour[card]]

    def _swap(self, one: int, other: int) -> float:
        """A white card: take the smallest hand there is, or leave the hands of others alone."""
        mine = self.seen.sizes[self.seen.seat] - 1
        if self.seen.seat not in {one, other}:
            return 0.5
        theirs = self.seen.sizes[other if one == self.seen.seat else one]
        return 1.0 + mine - theirs if theirs else 0.1


_ATTACKS: Final[Mapping[str, tuple[int, ...]]] = {"huit-americain": (0, 6), "151": (1,)}
"""Ranks that make the next player draw or lose a turn: ace and 7; 2."""
