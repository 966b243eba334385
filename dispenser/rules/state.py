"""Everything a game in progress consists of, and how to keep and bring back the whole of it.

Two views of the same state: *open*, where every face is known (simulations, bots, virtual hands), and *hidden*, where
the cards are real and the engine knows a hand by its size. A hidden card is an ordinary card of one more kind,
``CardSet.kinds``; so the games are written once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Final, NamedTuple

from dispenser.rules.cards import CardSet
from dispenser.rules.chance import Chance

# Phases: what the seat in turn is asked for. A game uses those that it needs.
IDLE: Final = 0
"""Between rounds."""
PLAYING: Final = 1
"""To play a card, or not."""
DREW: Final = 2
"""To play the card just drawn, or to pass."""
ANSWERING: Final = 3
"""To answer a +4, a chain of "+" or an ace, or to take the cards."""
NAMING: Final = 4
"""To name a colour for the card turned up."""
CHOOSING_DIRECTION: Final = 5
"""The dealer chooses the direction (V-02)."""
CARRYING_OUT: Final = 6
"""To carry out what a customizable card says (E-22)."""
AGAIN: Final = 7
"""To play once more (H-08, C-10)."""
COUNTING: Final = 8
"""The round is over, and hands nobody saw are being counted."""
MATCH_OVER: Final = 9

PRESSES: Final = "presses"
CARDS: Final = "cards"


class Demand(NamedTuple):
    """What a seat owes the launcher.

    :ivar kind: ``PRESSES``, where the odds decide what comes out, or ``CARDS``, an exact number.
    :ivar payer: the seat that presses or draws.
    :ivar receiver: the seat that takes what comes out.
    :ivar number: presses or cards still owed.
    :ivar rule: ID of the rule that it comes from.
    :ivar penalty: it punishes, and does not count as the next player's move (G-03).
    """

    kind: str
    payer: int
    receiver: int
    number: int
    rule: str
    penalty: bool = False


demand_of: Final = cache(Demand)
"""A demand as ``Demand`` makes it, the same one for the same words: a match has few different ones and many of each."""


class Question(NamedTuple):
    """What only the table can see and the engine must be told, with ``Game.answer``.

    :ivar kind: ``turn-up`` (which card was turned up?), ``discarded`` (which cards went down with it?), ``bluff`` (was
        there another card to play?) or ``points`` (what is left in the hand?).
    :ivar seat: whose cards; -1 for the draw pile.
    :ivar rule: ID of the rule that asks.
    """

    kind: str
    seat: int
    rule: str


class State:
    """The data of a game. ``Game`` acts on it; nothing else writes it."""

    cards: ClassVar[CardSet]
    own_scalars: ClassVar[tuple[str, ...]] = ()
    """What a game adds to the state, beside what all games have; immutable values."""

    _SCALARS: ClassVar[tuple[str, ...]] = (
        "turn", "direction", "colour", "matches", "phase", "drawn", "exposed", "announced", "calling", "going_out",
        "gone", "dealer", "round", "question", "winners", "losers", "top", "round_winner", "rejected", "next_first",
    )  # fmt: skip
    _LISTS: ClassVar[tuple[str, ...]] = ("sizes", "pile", "under", "talon", "demands", "scores", "points")
    __slots__ = (  # named, since each is read several times in every move: a slot is read in two thirds of the time
        *_SCALARS, *_LISTS, "seats", "options", "hidden", "chance", "unknown", "hands",
        "playing", "left", "right", "following", "_take_scalars",
    )  # fmt: skip

    def __init__(self, seats: int, options: Mapping[str, Any], *, hidden: bool, chance: Chance | None) -> None:
        self.seats = seats
        self.options = dict(options)
        self.prepare()
        self.hidden = hidden
        self.chance = chance
        self.unknown = self.cards.kinds
        self.hands: list[list[int]] = [[0] * (self.unknown + 1) for _ in range(seats)]
        """For each seat, how many of each kind; the last place counts cards nobody else has seen (hidden)."""
        self.sizes: list[int] = [0] * seats
        self.pile: list[int] = []
        """The draw pile, the next card last; with a stream of chance its order means nothing."""
        self.under: list[int] = []
        """Cards put under the draw pile: drawn when nothing else is left of it (H-02)."""
        self.talon: list[int] = []
        self.demands: list[Demand] = []
        self.scores: list[int] = [0] * seats
        self.points: list[int] = [0] * seats
        """Points in hand at the end of the last round; -1 while they are being counted."""
        self.turn = self.dealer = -1
        self.direction = 1
        self.colour = -1
        """The colour or suit in force."""
        self.top = -1
        """The card on top as it counts: what a joker stands for, not the joker."""
        self.matches: tuple[int, ...] = ()
        """The kinds with a colour that may go on the talon now."""
        self.phase = IDLE
        self.drawn = -1
        self.exposed = 0
        """Bit set: seats that have one card, did not say so and can still be caught (G-03)."""
        self.announced = 0
        """Bit set: seats that said that they have one card."""
        self.calling = -1
        """The seat that has said it before laying its last but one card."""
        self.going_out = -1
        """The seat whose hand is empty while what its last card demands is carried out."""
        self.gone = 0
        """Bit set: seats that no longer play."""
        self.round = 0
        self.round_winner = -1
        """Who went out in the last round."""
        self.rejected: tuple[int, ...] = ()
        """Cards turned up that may not start the talon, until another is there."""
        self.question: Question | None = None
        self.winners: tuple[int, ...] = ()
        self.losers: tuple[int, ...] = ()
        self.next_first = -1
        """The card that was said to be turned up, until it is; -1 leaves it to chance."""
        self._take_scalars = attrgetter(*self._SCALARS, *self.own_scalars)
        self.reseat()

    @abstractmethod
    def prepare(self) -> None:
        """Set up what a game adds to the state, out of ``seats`` and ``options``, which are all that is there yet."""

    def reseat(self) -> None:
        """Work out who sits next to whom, after somebody has left or come back."""
        playing = [seat for seat in range(self.seats) if not self.gone >> seat & 1]
        self.playing = len(playing)
        self.left = [self._first_after(seat, 1) for seat in range(self.seats)]
        self.right = [self._first_after(seat, -1) for seat in range(self.seats)]
        self.following = self.left if self.direction > 0 else self.right

    def _first_after(self, seat: int, step: int) -> int:
        for away in range(1, self.seats + 1):
            candidate = (seat + step * away) % self.seats
            if not self.gone >> candidate & 1:
                return candidate
        return seat

    def save(self) -> tuple[Any, ...]:
        """The whole state, to be brought back by ``restore``; shares nothing that changes."""
        return (
            self._take_scalars(self),
            [hand[:] for hand in self.hands],
            [getattr(self, name)[:] for name in self._LISTS],
            self.chance.position if self.chance else 0,
        )

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Bring back what ``save`` kept; ``saved`` can be used again."""
        scalars, hands, lists, position = saved
        for name, value in zip((*self._SCALARS, *self.own_scalars), scalars, strict=True):
            setattr(self, name, value)
        self.hands = [hand[:] for hand in hands]
        for name, value in zip(self._LISTS, lists, strict=True):
            setattr(self, name, value[:])
        if self.chance:
            self.chance.seek(position)
        self.reseat()

    def position(self) -> dict[str, Any]:
        """The whole state by name, for people and for JSON."""
        scalars = dict(zip((*self._SCALARS, *self.own_scalars), self._take_scalars(self), strict=True))
        lists = {name: list(getattr(self, name)) for name in self._LISTS}
        hands = [[card for card, count in enumerate(hand) for _ in range(count)] for hand in self.hands]
        return scalars | lists | {"hands": hands, "chance": self.chance.position if self.chance else 0}

    def unseen(self) -> list[int]:
        """How many of each kind are neither in the talon nor known to be in a hand."""
        left = [0] * (self.unknown + 1)
        for card in self.deck():
            left[card] += 1
        for card in self.talon:
            left[card] -= 1
        for hand in self.hands:
            for card in range(self.unknown):
                left[card] -= hand[card]
        return left

    def possible(self, seat: int) -> Sequence[int]:
        """What the hand may hold, by kind, as the table sees it: the hand itself when it is open."""
        hand = self.hands[seat]
        if not hand[self.unknown]:
            return hand
        return [known or (1 if left > 0 else 0) for known, left in zip(hand, self.unseen(), strict=True)]

    @abstractmethod
    def deck(self) -> Sequence[int]:
        """All the cards of the game, by kind, as many as there are of each."""

    def conserved(self) -> bool:
        """Whether hands, draw pile and talon are the whole deck (G-04)."""
        count = [0] * (self.unknown + 1)
        aside = () if self.hidden or self.next_first < 0 else (self.next_first,)
        for pack in (self.talon, self.pile, self.under, self.rejected, aside):
            for card in pack:
                count[card] += 1
        for seat, hand in enumerate(self.hands):
            if sum(hand) != self.sizes[seat] or min(hand) < 0:
                return False
            count = [one + other for one, other in zip(count, hand, strict=True)]
        deck = [0] * (self.unknown + 1)
        for card in self.deck():
            deck[card] += 1
        missing = [whole - seen for whole, seen in zip(deck, count, strict=True)][:-1]
        return min(missing) >= 0 and sum(missing) == count[-1]
