"""The state of a match, and how it is saved and restored.

Two views of the same state: *open*, where every face is known (simulations, bots, virtual hands), and *hidden*, where
the cards are real and the engine knows a hand by its size. A hidden card is an ordinary card of one more kind,
``CardSet.kinds``; so the games are written once.
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
    """What shares nothing that changes."""
    if isinstance(value, list):
        return [each[:] for each in value] if value and isinstance(value[0], list) else value[:]
    return set(value) if isinstance(value, set) else value


class State:
    """The data of a match, and what can be seen of it. A game's rules act on it; nothing else writes it.

    :ivar seats: places at the table, numbered clockwise from 0.
    :ivar hidden: the cards are real; hands are known by their size.
    :ivar hands: for each seat, how many of each kind; the last place counts cards nobody else has seen (hidden).
    :ivar pile: the draw pile, the next card last; with a stream of chance its order means nothing.
    :ivar under: cards put under the draw pile: drawn when nothing else is left of it (H-02).
    :ivar points: in hand at the end of the last round; -1 while they are being counted.
    :ivar colour: the colour or suit in force.
    :ivar top: the card on top as it counts: what a joker stands for, not the joker.
    :ivar matches: the kinds that may go on the talon now, rising; it follows from ``top`` and ``colour``.
    :ivar exposed: seats that have one card, did not say so and can still be caught (G-03).
    :ivar announced: seats that said that they have one card.
    :ivar calling: seats that have said it before laying their last but one.
    :ivar going_out: the seat that has laid its last card, while what that card demands is carried out.
    :ivar gone: seats that no longer play.
    :ivar round_winner: who went out in the last round.
    :ivar rejected: cards turned up that may not start the talon, until another is there.
    :ivar next_first: the card that was said to be turned up, until it is.
    :ivar playing: how many seats are in.
    :ivar left: for each seat, who sits next to it clockwise; ``right`` the other way; ``following`` in the direction
        of play. All skip who is out.
    :ivar fits: what goes on each card; ``fits_colour`` on one that names a colour. As in ``CardSet``, unless a game
        says otherwise.
    :ivar events: what the last action brought about.
    """

    cards: ClassVar[CardSet]
    own: ClassVar[tuple[str, ...]] = ()
    """Attributes that a game adds to the state: immutable values, lists and sets of them."""

    __slots__ = (  # each is read several times in every move: a slot is read in two thirds of the time
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
        """All the cards of the game, by kind, as many as there are of each."""

    def stays(self) -> int:
        """Cards on top of the talon that a reshuffle leaves there (G-01)."""
        return 1

    def reseat(self) -> None:
        """Work out who sits next to whom, after somebody has left or come back."""
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

    # What can be seen

    @property
    def demand(self) -> Demand | None:
        """What is owed to the launcher now."""
        return self.demands[0] if self.demands else None

    def still_in(self) -> list[int]:
        """The seats that play, rising."""
        return [seat for seat in range(self.seats) if seat not in self.gone]

    def is_in(self, seat: int) -> bool:
        """Whether there is such a seat, and it plays."""
        return 0 <= seat < self.seats and seat not in self.gone

    def in_pile(self) -> int:
        """Cards left in the draw pile."""
        return len(self.pile) + len(self.under)

    def available(self) -> int:
        """Cards that can still be drawn: the draw pile, and the talon but its top card (G-01)."""
        return self.in_pile() + max(0, len(self.talon) - self.stays())

    def held(self, seat: int) -> list[int]:
        """The cards of a hand, rising, a kind as often as it is there; unknown ones last."""
        return [card for card, count in enumerate(self.hands[seat]) for _ in range(count)]

    def of_colours(self, seat: int) -> list[int]:
        """How many cards of each colour a hand is known to have."""
        counts = [0] * len(self.cards.colour_names)
        for card, count in enumerate(self.hands[seat][: len(counts) * SYMBOLS]):
            if count:
                counts[card // SYMBOLS] += count
        return counts

    def unseen(self) -> list[int]:
        """How many of each kind are neither in the talon nor known to be in a hand."""
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
        """Whether all of ``cards`` can be among those whose faces the table has not seen, and those of ``also``."""
        unseen = self.unseen()
        for card in also:
            unseen[card] += 1
        for card in cards:
            if unseen[card] < 1:
                return False
            unseen[card] -= 1
        return True

    def possible(self, seat: int) -> list[int]:
        """What the hand may hold, by kind, as the table sees it: the hand itself when it is open."""
        hand = self.hands[seat]
        if not hand[self.unknown]:
            return hand
        return [known or (1 if left > 0 else 0) for known, left in zip(hand, self.unseen(), strict=True)]

    # The whole of it

    def save(self) -> tuple[Any, ...]:
        """The whole state, to be brought back by ``restore``; shares nothing that changes."""
        kept = [_copied(getattr(self, name)) for name in (*_KEPT, *self.own)]
        return kept, self.chance.position if self.chance else 0

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Bring back what ``save`` kept; ``saved`` can be used again."""
        kept, position = saved
        for name, value in zip((*_KEPT, *self.own), kept, strict=True):
            setattr(self, name, _copied(value))
        if self.chance:
            self.chance.seek(position)
        self.reseat()

    def position(self) -> dict[str, Any]:
        """The whole state by name, for people and for records; without what follows from the rest."""
        named = {name: getattr(self, name) for name in (*_KEPT, *self.own) if name != "matches"}
        plain = {name: sorted(value) if isinstance(value, set) else _copied(value) for name, value in named.items()}
        hands = [self.held(seat) for seat in range(self.seats)]
        return plain | {"hands": hands, "chance": self.chance.position if self.chance else 0}
