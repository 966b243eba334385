"""The state of a match, and how it is saved and restored.

Two modes: *open*, where every face is known (simulations, bots, virtual hands), and *hidden*, where the cards are real
and the engine knows hand sizes only. A hidden card is a card of one more kind, ``CardSet.kinds``, so that games need
no code of their own for it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from operator import sub
from typing import Any, ClassVar, Final

from dispenser.rules.engine.cards import SYMBOLS, CardSet, Kinds
from dispenser.rules.engine.chance import Chance
from dispenser.rules.engine.demands import Demand, Question
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.phases import IDLE, Phase

NOBODY: Final = -1  # the seat of nobody
NO_CARD: Final = -1
NO_COLOUR: Final = -1

_KEPT: Final = (
    "turn", "direction", "colour", "matches", "phase", "drawn", "going_out", "dealer", "round", "question",
    "winners", "losers", "top", "round_winner", "rejected", "next_first", "exposed", "announced", "calling", "gone",
    "sizes", "pile", "under", "talon", "demands", "scores", "points", "hands",
)  # fmt: skip


def _copied(value: Any) -> Any:
    """Copy mutable values."""
    if isinstance(value, list):
        return [each[:] for each in value] if value and isinstance(value[0], list) else value[:]
    return set(value) if isinstance(value, set) else value


class State:
    """The data of a match, and queries about it. Only the rules of a game change it.

    :ivar seats: places at the table, numbered clockwise from 0.
    :ivar hidden: the cards are real; only hand sizes are known.
    :ivar hands: for each seat, counts by kind; the last item counts cards that nobody else has seen (hidden).
    :ivar pile: the draw pile, the next card last; with a stream of chance its order means nothing.
    :ivar under: cards put under the draw pile: drawn when the rest is used up (H-02).
    :ivar points: in each hand at the end of the last round; -1 until counted.
    :ivar colour: the colour or suit in force.
    :ivar top: the card on top as it counts: what a joker stands for, not the joker.
    :ivar matches: the kinds that fit on the talon now, ascending; derived from ``top`` and ``colour``.
    :ivar exposed: seats with one card that did not announce it and can still be caught (G-03).
    :ivar announced: seats that have announced their last card.
    :ivar calling: seats that have announced it before the lay.
    :ivar going_out: the seat that has laid its last card, until the effect of that card is over.
    :ivar gone: seats that no longer play.
    :ivar round_winner: the seat that went out in the last round.
    :ivar rejected: cards turned up that may not start the talon, until another one does.
    :ivar next_first: the given card to be turned up, until it is.
    :ivar playing: number of seats that still play.
    :ivar left: for each seat, the next one clockwise; ``right`` counterclockwise; ``following`` in the direction
        of play. All skip seats that are out.
    :ivar fits: the kinds that fit on each card; ``fits_colour`` on one that names a colour. As in ``CardSet``, unless
        a game overrides them.
    :ivar events: the events of the last action.
    """

    cards: ClassVar[CardSet]
    own: ClassVar[tuple[str, ...]] = ()
    """Attributes that a game adds to the state: immutable values, lists and sets of them."""

    __slots__ = (  # read several times per move: a slot takes two thirds of the time
        *_KEPT, "seats", "options", "hidden", "chance", "bursts", "unknown", "events", "playing", "left", "right",
        "following", "fits", "fits_colour", "turn_events",
    )  # fmt: skip

    def __init__(
        self, seats: int, options: Mapping[str, Any], *, hidden: bool, seed: int | None, bursts: Sequence[int]
    ) -> None:
        self.seats = seats
        self.options = dict(options)
        self.hidden = hidden
        self.chance = None if seed is None else Chance(seed)
        self.bursts = tuple(bursts)
        self.unknown = self.cards.kinds
        self.fits: list[Kinds] = list(self.cards.fits)
        self.fits_colour: list[Kinds] = list(self.cards.fits_colour)
        self.hands: list[list[int]] = [[0] * (self.unknown + 1) for _ in range(seats)]
        self.sizes: list[int] = [0] * seats
        self.pile: list[int] = []
        self.under: list[int] = []
        self.talon: list[int] = []
        self.demands: list[Demand] = []
        self.scores: list[int] = [0] * seats
        self.points: list[int] = [0] * seats
        self.turn = self.dealer = NOBODY
        self.direction = 1
        self.colour = NO_COLOUR
        self.top = self.drawn = self.next_first = NO_CARD
        self.matches: tuple[int, ...] = ()
        self.phase: Phase = IDLE
        self.exposed: set[int] = set()
        self.announced: set[int] = set()
        self.calling: set[int] = set()
        self.gone: set[int] = set()
        self.going_out = self.round_winner = NOBODY
        self.round = 0
        self.rejected: tuple[int, ...] = ()
        self.question: Question | None = None
        self.winners: tuple[int, ...] = ()
        self.losers: tuple[int, ...] = ()
        self.events: list[Event] = []
        self.turn_events = [Event(What.TURN, seat) for seat in range(seats)]

    @abstractmethod
    def deck(self) -> Sequence[int]:
        """Return all cards of the game, by kind, one item per copy."""

    def stays(self) -> int:
        """Return how many cards on top of the talon a reshuffle leaves there (G-01)."""
        return 1

    def reseat(self) -> None:
        """Update the neighbours of each seat, after a seat has left or come back."""
        self.playing = self.seats - len(self.gone)
        self.left = [self._first_after(seat, 1) for seat in range(self.seats)]
        self.right = [self._first_after(seat, -1) for seat in range(self.seats)]
        self.following = self.left if self.direction > 0 else self.right

    def _first_after(self, seat: int, step: int) -> int:
        for away in range(1, self.seats + 1):
            candidate = (seat + step * away) % self.seats
            if candidate not in self.gone:
                return candidate
        return seat

    # Queries

    @property
    def demand(self) -> Demand | None:
        """The demand to be paid now."""
        return self.demands[0] if self.demands else None

    def still_in(self) -> list[int]:
        """Return the seats that play, ascending."""
        return [seat for seat in range(self.seats) if seat not in self.gone]

    def is_in(self, seat: int) -> bool:
        """Decide whether the seat exists and plays."""
        return 0 <= seat < self.seats and seat not in self.gone

    def in_pile(self) -> int:
        """Return the number of cards in the draw pile."""
        return len(self.pile) + len(self.under)

    def available(self) -> int:
        """Return the number of cards that can still be drawn: draw pile, and talon except its top card (G-01)."""
        return self.in_pile() + max(0, len(self.talon) - self.stays())

    def held(self, seat: int) -> list[int]:
        """Return the cards of a hand, ascending, one item per copy; unknown ones last."""
        return [card for card, count in enumerate(self.hands[seat]) for _ in range(count)]

    def of_colours(self, seat: int) -> list[int]:
        """Return the number of known cards of each colour in a hand."""
        counts = [0] * len(self.cards.colour_names)
        for card, count in enumerate(self.hands[seat][: len(counts) * SYMBOLS]):
            if count:
                counts[card // SYMBOLS] += count
        return counts

    def unseen(self) -> list[int]:
        """Return, by kind, how many cards are neither in the talon nor known to be in a hand."""
        left = [0] * (self.unknown + 1)
        for card in self.deck():
            left[card] += 1
        for card in self.talon:
            left[card] -= 1
        for hand in self.hands:
            known = hand[: self.unknown]
            if any(known):
                left = [*map(sub, left, known), 0]
        return left

    def is_unseen(self, cards: Iterable[int], also: Iterable[int] = ()) -> bool:
        """Decide whether all of ``cards`` can be among the unseen cards and those of ``also``."""
        unseen = self.unseen()
        for card in also:
            unseen[card] += 1
        for card in cards:
            if unseen[card] < 1:
                return False
            unseen[card] -= 1
        return True

    def possible(self, seat: int) -> list[int]:
        """Return, by kind, what the hand may hold as far as the table knows: the hand itself if it is open."""
        hand = self.hands[seat]
        if not hand[self.unknown]:
            return hand
        return [known or (1 if left > 0 else 0) for known, left in zip(hand, self.unseen(), strict=True)]

    # Saving

    def save(self) -> tuple[Any, ...]:
        """Return a copy of the whole state for ``restore``."""
        kept = [_copied(getattr(self, name)) for name in (*_KEPT, *self.own)]
        return kept, self.chance.position if self.chance else 0

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Restore a state from ``save``; ``saved`` can be used again."""
        kept, position = saved
        for name, value in zip((*_KEPT, *self.own), kept, strict=True):
            setattr(self, name, _copied(value))
        if self.chance:
            self.chance.seek(position)
        self.reseat()

    def position(self) -> dict[str, Any]:
        """Return the whole state by name, for people and records, without derived values."""
        named = {name: getattr(self, name) for name in (*_KEPT, *self.own) if name != "matches"}
        plain = {name: sorted(value) if isinstance(value, set) else _copied(value) for name, value in named.items()}
        hands = [self.held(seat) for seat in range(self.seats)]
        return plain | {"hands": hands, "chance": self.chance.position if self.chance else 0}
