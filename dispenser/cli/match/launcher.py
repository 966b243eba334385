"""The launcher of a match at the terminal: odds, and a memory for what every press has brought."""

from __future__ import annotations

from collections.abc import Sequence

from dispenser.luck.odds import Odds
from dispenser.rules import Game
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.history import Deed


class SimulatedLauncher:
    """Lets out what the odds say. After undo the same press brings the same: nobody can shop for a better one."""

    def __init__(self, game: Game, odds: Odds) -> None:
        self._game = game
        self._odds = odds
        self._outcomes = [(action.value, 0.0) for action in game.log if action.deed is Deed.FULFIL]
        """What each press brought, from the first."""

    def press(self) -> tuple[int, float]:
        """How many cards the next press brings, and how long it takes, in [0, 1)."""
        number = sum(action.deed is Deed.FULFIL for action in self._game.log)
        while len(self._outcomes) <= number:
            outcome = self._odds.draw()
            self._outcomes.append((outcome.cards, outcome.suspense))
        return self._outcomes[number]

    def heed(self, happened: Sequence[Event]) -> None:
        """When the lid was open, for a deal or a reload, the odds begin anew."""
        if {event.what for event in happened} & {What.DEALER, What.RELOADED}:
            self._odds.reset()
