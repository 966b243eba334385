"""What one seat may know of a game: for bots, for phones in front of the players, for anything that must not cheat.

>>> from dispenser.rules import new_game
>>> game = new_game("uno", seats=3, seed=7)
>>> _ = game.begin()
>>> seen = observe(game, 1)
>>> len(seen.hand), seen.sizes, seen.pile_size
(7, (7, 7, 7), 86)
"""

from __future__ import annotations

import dataclasses
from typing import Any

from dispenser.rules.game import Game
from dispenser.rules.moves import Move
from dispenser.rules.state import DREW, Demand, Question


@dataclasses.dataclass(frozen=True, slots=True)
class Observation:
    """Everything that lies open on the table, and the hand of one seat; seats are numbered from 0.

    :ivar options: what the table has chosen, all options of the game.
    :ivar seat: whose eyes these are.
    :ivar hand: the kinds of the own cards, rising, a kind as often as it is there.
    :ivar unknown: own cards whose faces were never told to the engine (hidden hands); they are not in ``hand``.
    :ivar sizes: cards in each hand.
    :ivar talon: from the first card to the one on top.
    :ivar top: the card on top as it counts (a joker is what it stands for), -1 before there is one.
    :ivar colour: in force, -1 for none.
    :ivar pile_size: cards that can be drawn before the talon is shuffled again.
    :ivar drawn: the card just drawn, for the one who drew it and may play it now; else -1.
    :ivar demands: what is owed to the launcher, the first to be paid first.
    :ivar exposed: seats that can be caught for a forgotten announcement.
    :ivar announced: seats that have announced their last card.
    :ivar calling: the seat that has announced it before laying the last but one, else -1.
    :ivar gone: seats that no longer play.
    :ivar going_out: the seat whose last card is being carried out, else -1.
    :ivar points: left in each hand at the end of the last round, -1 while they are being counted.
    :ivar legal: what this seat may do now.
    :ivar values: what each kind counts in the hand at the end of a round; empty where nothing counts.
    :ivar public: what else the game lays open, such as the total of a chain; see ``Game.public``.
    """

    game: str
    options: dict[str, Any]
    hidden: bool
    seat: int
    seats: int
    hand: tuple[int, ...]
    unknown: int
    sizes: tuple[int, ...]
    talon: tuple[int, ...]
    top: int
    colour: int
    pile_size: int
    direction: int
    turn: int
    phase: int
    drawn: int
    demands: tuple[Demand, ...]
    question: Question | None
    exposed: tuple[int, ...]
    announced: tuple[int, ...]
    calling: int
    gone: tuple[int, ...]
    going_out: int
    dealer: int
    round: int
    scores: tuple[int, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    legal: tuple[Move, ...]
    values: tuple[int, ...]
    public: dict[str, int]

    @property
    def demand(self) -> Demand | None:
        """What is owed to the launcher now."""
        return self.demands[0] if self.demands else None

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, strings and numbers, for JSON."""
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        for name, value in plain.items():
            if isinstance(value, tuple) and not isinstance(value, Question):
                plain[name] = list(value)
        plain["demands"] = [demand._asdict() for demand in self.demands]
        plain["question"] = self.question and self.question._asdict()
        plain["options"] = dict(self.options)
        plain["public"] = dict(self.public)
        return plain


def observe(game: Game, seat: int) -> Observation:
    """What ``seat`` may know now.

    :raises ValueError: there is no such seat.
    """
    seats = range(game.seats)
    if seat not in seats:
        raise ValueError(f"there is no seat {seat}: this game has seats 0 to {game.seats - 1}")
    hand = game.hands[seat]
    own_draw = seat == game.turn and game.phase == DREW and not game.demands and game.drawn != game.unknown
    return Observation(
        game=game.game_id,
        options=dict(game.options),
        hidden=game.hidden,
        seat=seat,
        seats=game.seats,
        hand=tuple([card for card in range(game.unknown) for _ in range(hand[card])]),
        unknown=hand[game.unknown],
        sizes=tuple(game.sizes),
        talon=tuple(game.talon),
        top=game.top,
        colour=game.colour,
        pile_size=game.in_pile(),
        direction=game.direction,
        turn=game.turn,
        phase=game.phase,
        drawn=game.drawn if own_draw else -1,
        demands=tuple(game.demands),
        question=game.question,
        exposed=_members(game.exposed),
        announced=_members(game.announced),
        calling=game.calling,
        gone=_members(game.gone),
        going_out=game.going_out,
        dealer=game.dealer,
        round=game.round,
        scores=tuple(game.scores),
        points=tuple(game.points),
        winners=game.winners,
        losers=game.losers,
        legal=tuple(game.legal_moves(seat)),
        values=tuple(game.values()),
        public=game.public(),
    )


def _members(bits: int) -> tuple[int, ...]:
    """The seats of a bit set, rising."""
    return tuple([seat for seat in range(bits.bit_length()) if bits >> seat & 1])
