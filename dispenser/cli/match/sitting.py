"""A match as it is played here: what somebody does is done, what comes of it is shown, and nothing of it is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from rich.console import Console

from dispenser.cli.match.keyboard import Keyboard
from dispenser.cli.match.saved import ME, MatchFile
from dispenser.cli.match.screen import Screen
from dispenser.i18n import Text, why
from dispenser.odds.odds import Odds
from dispenser.rules import Game
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.history import Deed
from dispenser.rules.engine.moves import Move
from dispenser.table.turns import Push, Turns

SUSPENSE_S: Final = (0.4, 1.8)
"""Seconds from a press to what comes out, at the least and at the most."""

_NOT_SAVED: Final = Text("The match could not be saved in {wanted}: {why}. Go on, or type q and another file name.")


class Sitting:
    """The game, a launcher made of odds, the screen that tells of both, and the file that keeps the match.

    :param odds: what the launcher lets out at each press.
    :param pause: waits so many seconds; ``None`` where nobody watches.
    :param file: where the match is saved when the person leaves, and when it is over if it was given a place.
    """

    def __init__(
        self,
        game: Game,
        language: str,
        console: Console,
        file: MatchFile,
        odds: Odds,
        pause: Callable[[float], None] | None = None,
    ) -> None:
        self.game = game
        self.screen = Screen(game, file.seating, language, console)
        self.keyboard = Keyboard(console)
        self.file = file
        self.turns = Turns(game)
        self.hurried = pause is None
        self._pause = pause or (lambda _: None)
        self._odds = odds
        self._outcomes: list[tuple[int, float]] = [
            (action.value, 0.0) for action in game.log if action.deed is Deed.FULFIL
        ]
        """What each press brought, and its suspense: after undo the same press brings the same."""

    def begin(self) -> None:
        """Deal."""
        self._take([event for event in self.game.begin() if event.what is not What.DEALER_DREW])

    def play(self, seat: int, move: Move) -> None:
        """Make a move.

        :raises IllegalMove: it is none now.
        """
        self._take(self.game.play(seat, move))

    def pay(self, push: Push) -> None:
        """Press once, or take the cards."""
        before = self.screen.hand()
        came_out, followed = self.turns.pay(self._press() if push.presses else 0)
        self._lid([*came_out, *followed])
        self.screen.tell(came_out)
        if push.demand.receiver == ME:
            self.screen.tell_cards(before)
        self.screen.tell(followed)

    def undo(self) -> None:
        """Back to before the last move of the person."""
        move = self.turns.take_back(ME)
        if move is None:
            self.screen.say(Text("You have not made a move yet."))
        else:
            self.screen.say(Text("Taken back: {move}.").filled(move=self.screen.move(move)))

    def wait(self, seconds: float) -> None:
        """Let time go by, if somebody watches."""
        with self.keyboard.waiting():
            self._pause(seconds)

    def _take(self, happened: Sequence[Event]) -> None:
        self._lid(happened)
        self.turns.heed(happened)
        self.screen.tell(happened)

    def _lid(self, happened: Sequence[Event]) -> None:
        """When the lid was open, for a deal or a reload, the odds begin anew."""
        if {event.what for event in happened} & {What.DEALER, What.RELOADED}:
            self._odds.reset()

    def _press(self) -> int:
        """How many cards the next press brings, after a while. Nobody can shop for a better one by undo."""
        number = sum(action.deed is Deed.FULFIL for action in self.game.log)
        while len(self._outcomes) <= number:
            outcome = self._odds.draw()
            self._outcomes.append((outcome.cards, outcome.suspense))
        cards, suspense = self._outcomes[number]
        if not self.hurried:
            least, most = SUSPENSE_S
            with self.screen.console.status("…", spinner="dots"):
                self.wait(least + suspense * (most - least))
        return cards

    # Saving

    def save(self, elsewhere: Path | None) -> bool:
        """Save where the person says, or where it was to go; when that does not work there are other places to name.

        :returns: whether it is saved.
        """
        wanted = elsewhere or self.file.path
        try:
            saved = self.file.write(self.game, elsewhere)
        except OSError as error:
            self.screen.say(_NOT_SAVED.filled(wanted=wanted, why=why(error)), style="red")
            return False
        self._say_saved(wanted, saved)
        return True

    def save_at_last(self) -> None:
        """Save, if need be in another folder: nobody can be asked any more.

        :raises OSError: it cannot be saved anywhere.
        """
        saved, trouble = self.file.write_anywhere(self.game)
        with suppress(OSError):  # the terminal may be gone, too
            self.screen.say("")
            self._say_saved(self.file.path, saved, trouble)

    def _say_saved(self, wanted: Path, saved: Path, trouble: OSError | None = None) -> None:
        if trouble:
            elsewhere = Text("{wanted} cannot be written: {why}. The match is saved in {place} instead.")
            told = elsewhere.filled(wanted=wanted, why=why(trouble), place=saved.absolute())
        elif saved.name == wanted.name:
            told = Text("The match is saved in {place}.").filled(place=saved)
        else:
            beside = Text("{wanted} is there already: the match is saved in {place}.")
            told = beside.filled(wanted=wanted, place=saved)
        self.screen.say(told, style="red" if trouble else "")
