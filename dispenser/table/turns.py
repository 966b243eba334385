"""What a table settles beside the rules: whose push of the launcher it is, who may speak up, what undo takes back.

Pure: no terminal, no clock, no chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from dispenser.rules import Game
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.history import Deed
from dispenser.rules.engine.moves import Move

_NEW_DEBTS: Final = {What.DEALER, What.LAID, What.CAUGHT, What.PENALISED, What.CHALLENGED}
"""After these, what is owed is news, even when the same seat owes the same again."""


class Push(NamedTuple):
    """The push of the launcher that is due.

    :ivar chosen: its payer presses instead of laying a card, and has said so: one act, not two.
    """

    demand: Demand
    presses: bool
    news: bool
    chosen: bool


class Turns:
    """Follows a game, and says who is to do something."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._let_go: set[tuple[int, Move]] = set()
        """Chances to speak up that a seat has let go by."""
        self._paying: tuple[int, int, str] | None = None
        """Payer, receiver and rule of the debt that is being paid."""

    def push(self) -> Push | None:
        """What is to be pushed for now, if anything is owed."""
        demand = self._game.demand
        if demand is None:
            return None
        chosen = demand.rule == self._game.state.draw_rule
        return Push(demand, demand.kind is Owed.PRESSES, _debt(demand) != self._paying, chosen)

    def pay(self, cards: int) -> tuple[Sequence[Event], Sequence[Event]]:
        """Pay what is owed: a press that let out so many cards, or all the cards of an exact demand.

        :returns: up to what came out; what followed from it.
        """
        push, game = self.push(), self._game
        if push is None:
            raise ValueError("nobody owes the launcher anything")
        happened = game.fulfil(min(cards, game.state.available())) if push.presses else game.fulfil_by_chance()
        self._paying = _debt(push.demand)
        self.heed(happened)
        out = 1 + max(place for place, event in enumerate(happened) if event.what in {What.DREW, What.PRESSED})
        return happened[:out], happened[out:]

    def chances(self, seat: int) -> tuple[Move, ...]:
        """What a seat may do now though it is not in turn. Each chance comes once: whoever lets it go by, has."""
        if seat == self._game.turn and not self._game.demand:
            return ()
        chances = tuple(move for move in self._game.legal_moves(seat) if (seat, move) not in self._let_go)
        self._let_go.update((seat, move) for move in chances)
        return chances

    def heed(self, happened: Sequence[Event]) -> None:
        """What an action brought about; a card that was laid brings new chances."""
        whats = {event.what for event in happened}
        if What.LAID in whats:
            self._let_go.clear()
        if whats & _NEW_DEBTS:
            self._paying = None

    def take_back(self, seat: int) -> Move | None:
        """Undo the last move of that seat and all that came after it.

        :returns: the move, or ``None`` when the seat has made none.
        """
        log = self._game.log
        own = next((place for place in reversed(range(len(log))) if log[place][:2] == (Deed.PLAY, seat)), None)
        if own is None:
            return None
        move: Move = log[own].value
        while len(self._game.log) > own:
            self._game.undo()
        self._let_go.clear()
        self._paying = None
        return move


def _debt(demand: Demand) -> tuple[int, int, str]:
    return demand.payer, demand.receiver, demand.rule
