"""The person at the terminal: what they are asked, and what is done with what they type."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dispenser.cli.match.saved import ME
from dispenser.cli.match.sitting import Sitting
from dispenser.cli.match.typed import Typed
from dispenser.language import Text
from dispenser.rules import IllegalMove
from dispenser.rules.engine.demands import Demand
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import ANNOUNCE, Move
from dispenser.rules.engine.phases import IDLE
from dispenser.rules.words.notation import NotationError

CHANCE_S: Final = 6.0
"""Seconds to speak up out of turn."""


class GoneError(Exception):
    """The person has gone, and the match is saved."""


class Person:
    """Asks for lines until one is what it asked for; the others are carried out on the way."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self._game = sitting.game
        self._screen = sitting.screen
        self._keyboard = sitting.keyboard
        self._typed = Typed(sitting.game, sitting.screen, self._ask)

    def wants_next_round(self) -> bool:
        """Wait for Enter between two rounds; not when the last move is taken back instead."""
        self._keyboard.forget_typed()
        while self._game.phase is IDLE:
            if self._enters(Text("Enter for the next {round}… "), round=self._screen.round()):
                return True
        return False

    def has_pressed(self, demand: Demand) -> bool:
        """Wait for Enter; not when something else happened to the demand."""
        self._keyboard.forget_typed()
        while self._game.demand is demand:
            if self._enters(Text("Press Enter to press the launcher… ")):
                return True
        return False

    def takes_turn(self) -> None:
        """Ask for a move until something has happened."""
        announced = not self._game.undone and self._game.log[-1] == Action(Deed.PLAY, ME, ANNOUNCE)
        if not announced:  # that changes nothing on the table
            self._screen.show_table()
        done = len(self._game.log)
        self._keyboard.forget_typed()
        while len(self._game.log) == done:
            if self._enters(Text("You> ")):
                if move := self._screen.obvious():
                    self._sitting.play(ME, move)
                else:
                    self._screen.say(Text("Your move? (? for help)"))

    def speaks_up(self, chances: Sequence[Move]) -> bool:
        """Offer what can be done out of turn; to announce the own last card one must think of oneself."""
        offered = [move for move in chances if move != ANNOUNCE]
        if not offered:
            return False
        self._screen.offer(offered)
        done = len(self._game.log)
        self._keyboard.forget_typed()
        while len(self._game.log) == done:
            if self._enters(Text("Enter lets it pass. "), None if self._sitting.hurried else CHANCE_S):
                return False
        return True

    def _ask(self, prompt: str) -> str:
        return self._keyboard.ask(prompt)

    def _enters(self, prompt: Text, within_s: float | None = None, **places: object) -> bool:
        """Whether nothing was typed; otherwise it is carried out.

        :raises GoneError: somebody typed q.
        """
        answer = self._keyboard.ask(self._screen.said(prompt, **places), within_s)
        if not answer:
            return True
        command, rest = self._typed.command(answer)
        match command:
            case "help":
                self._screen.show_help()
            case "quit":
                if self._sitting.save(Path(rest).expanduser() if rest else None):
                    raise GoneError
            case "undo":
                self._sitting.undo()
            case "show":
                self._screen.show_table()
            case "rules":
                self._screen.show_rules(rest)
            case _ if self._game.phase is IDLE:
                over = Text("The {round} is over: Enter for the next one.")
                self._screen.say(over, style="red", round=self._screen.round())
            case _:
                self._move(answer)
        return False

    def _move(self, answer: str) -> None:
        """Do what was typed, or say why not."""
        move = None
        try:
            said, move = self._typed.read(answer)
            if said and move in self._game.legal_moves(ME):
                self._announce()
            self._sitting.play(ME, move)
            if said:  # more than one card went down, or it was out of turn
                self._announce()
        except (IllegalMove, NotationError) as error:
            self._screen.refuse(error, move)

    def _announce(self) -> None:
        if ANNOUNCE in self._game.legal_moves(ME):
            self._sitting.play(ME, ANNOUNCE)
