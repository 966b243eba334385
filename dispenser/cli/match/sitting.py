"""A match as it is played here: what somebody does is done, and what comes of it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dispenser.cli.match.keyboard import Keyboard
from dispenser.cli.match.launcher import SimulatedLauncher
from dispenser.cli.match.names import ME
from dispenser.cli.match.screen import Screen
from dispenser.cli.match.turns import Push, Turns
from dispenser.language import Text
from dispenser.luck.odds import Odds
from dispenser.rules import Game
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import Move

SUSPENSE_S: Final = (0.4, 1.8)
"""Seconds from a press to what comes out, at the least and at the most."""

_NOTHING_TO_UNDO: Final = Text("You have not made a move yet.")
_TAKEN_BACK: Final = Text("Taken back: {move}.")


class Sitting:
    """The game, the launcher, and the screen that tells of both.

    :param pause: waits so many seconds; ``None`` where nobody watches.
    """

    def __init__(
        self, game: Game, screen: Screen, keyboard: Keyboard, odds: Odds, pause: Callable[[float], None] | None
    ) -> None:
        self.game = game
        self.screen = screen
        self.turns = Turns(game)
        self.hurried = pause is None
        self._keyboard = keyboard
        self._pause = pause or (lambda _: None)
        self._launcher = SimulatedLauncher(game, odds)

    def begin(self) -> None:
        """Deal."""
        happened = [event for event in self.game.begin() if event.what is not What.DEALER_DREW]
        self._launcher.heed(happened)
        self.turns.heed(happened)
        self.screen.tell(happened)

    def play(self, seat: int, move: Move) -> None:
        """Make a move.

        :raises IllegalMove: it is none now.
        """
        happened = self.game.play(seat, move)
        self._launcher.heed(happened)
        self.turns.heed(happened)
        self.screen.tell(happened)

    def pay(self, push: Push) -> None:
        """Press once, or take the cards."""
        cards, before = 0, self.screen.hand()
        if push.presses:
            cards, suspense = self._launcher.press()
            self._wait_for_launcher(suspense)
        came_out, followed = self.turns.pay(cards)
        self._launcher.heed([*came_out, *followed])
        self.screen.tell(came_out)
        if push.demand.receiver == ME:
            self.screen.tell_cards(before)
        self.screen.tell(followed)

    def undo(self) -> None:
        """Back to before the last move of the person."""
        move = self.turns.take_back(ME)
        if move is None:
            self.screen.say(_NOTHING_TO_UNDO)
        else:
            self.screen.say(_TAKEN_BACK, move=self.screen.move(move))

    def wait(self, seconds: float) -> None:
        """Let time go by, if somebody watches."""
        with self._keyboard.waiting():
            self._pause(seconds)

    def _wait_for_launcher(self, suspense: float) -> None:
        if not self.hurried:
            least, most = SUSPENSE_S
            with self.screen.console.status("…", spinner="dots"):
                self.wait(least + suspense * (most - least))
