"""The person at the terminal: what they are asked, and what is done with what they type."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dispenser.cli.match.asked import rules_asked
from dispenser.cli.match.help import help_lines
from dispenser.cli.match.keeping import Keeping
from dispenser.cli.match.keyboard import Keyboard
from dispenser.cli.match.names import ME
from dispenser.cli.match.page import Page
from dispenser.cli.match.screen import Screen
from dispenser.cli.match.sitting import Sitting
from dispenser.cli.match.typed import Command, Typed
from dispenser.language import Text
from dispenser.rules import IllegalMove
from dispenser.rules.engine.demands import Demand
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import ANNOUNCE, Move
from dispenser.rules.engine.phases import IDLE
from dispenser.rules.words.notation import NotationError

CHANCE_S: Final = 6.0
"""Seconds to speak up out of turn."""

_YOUR_MOVE: Final = Text("You> ")
_WHAT: Final = Text("Your move? (? for help)")
_PRESS: Final = Text("Press Enter to press the launcher… ")
_NEXT_ROUND: Final = Text("Enter for the next {round}… ")
_ROUND_IS_OVER: Final = Text("The {round} is over: Enter for the next one.")
_LET_PASS: Final = Text("Enter lets it pass. ")


class GoneError(Exception):
    """The person has gone, and the match is saved."""


class Person:
    """Asks for lines until one is what it asked for; the others are carried out on the way."""

    def __init__(self, sitting: Sitting, screen: Screen, keyboard: Keyboard, keeping: Keeping) -> None:
        self._sitting = sitting
        self._game = sitting.game
        self._screen = screen
        self._keyboard = keyboard
        self._keeping = keeping
        self._typed = Typed(self._game, screen.names, screen.language, self._ask, screen.refuse)

    def wants_next_round(self) -> bool:
        """Wait for Enter between two rounds; not when the last move is taken back instead."""
        self._keyboard.forget_typed()
        while self._game.phase is IDLE:
            if self._is_enter(self._ask(self._screen.said(_NEXT_ROUND, round=self._screen.round()))):
                return True
        return False

    def has_pressed(self, demand: Demand) -> bool:
        """Wait for Enter; not when something else happened to the demand."""
        self._keyboard.forget_typed()
        while self._game.demand is demand:
            if self._is_enter(self._ask(self._screen.said(_PRESS))):
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
            if not self._is_enter(self._ask(self._screen.said(_YOUR_MOVE))):
                continue
            move = self._screen.obvious()
            if move is None:
                self._screen.say(_WHAT)
            else:
                self._sitting.play(ME, move)

    def speaks_up(self, chances: Sequence[Move]) -> bool:
        """Offer what can be done out of turn; to announce the own last card one must think of oneself."""
        offered = [move for move in chances if move != ANNOUNCE]
        if not offered:
            return False
        self._screen.offer(offered)
        done = len(self._game.log)
        self._keyboard.forget_typed()
        while len(self._game.log) == done:
            within_s = None if self._sitting.hurried else CHANCE_S
            if self._is_enter(self._ask(self._screen.said(_LET_PASS), within_s)):
                return False
        return True

    def _ask(self, prompt: str, within_s: float | None = None) -> str:
        return self._keyboard.ask(prompt, within_s)

    def _is_enter(self, answer: str) -> bool:
        """Whether nothing was typed; otherwise it is carried out.

        :raises GoneError: somebody typed q.
        """
        if not answer:
            return True
        command, rest = self._typed.command(answer)
        match command:
            case Command.HELP:
                lines = help_lines(self._game, self._screen.language, self._screen.width)
                self._screen.console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
            case Command.QUIT:
                if self._keeping.save(Path(rest).expanduser() if rest else None):
                    raise GoneError
            case Command.UNDO:
                self._sitting.undo()
            case Command.SHOW:
                self._screen.show_table()
            case Command.RULES:
                self._show_rules(rest)
            case None:
                self._move(answer)
        return False

    def _move(self, answer: str) -> None:
        """Do what was typed, or say why not."""
        if self._game.phase is IDLE:
            self._screen.say(_ROUND_IS_OVER, style="red", round=self._screen.round())
            return
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

    def _show_rules(self, wanted: str) -> None:
        """The rules of a card in hand, of any card, by ID, or of the card on top."""
        try:
            parts = rules_asked(self._game, ME, wanted)
        except NotationError as error:
            self._screen.refuse(error)
        else:
            Page(self._screen.console, self._screen.language, "").print(parts)
