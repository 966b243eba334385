"""A match at the terminal: one person on seat 1, bots on the others. Who does what next, and what the person types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

from dispenser.cli.match.keyboard import Leaving
from dispenser.cli.match.saved import ME
from dispenser.cli.match.sitting import Sitting
from dispenser.cli.match.typed import Typed
from dispenser.cli.options import expanded
from dispenser.i18n import Text
from dispenser.rules import IllegalMove
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import ANNOUNCE, Move
from dispenser.rules.engine.phases import IDLE, MATCH_OVER
from dispenser.rules.words.notation import NotationError
from dispenser.table import bots
from dispenser.table.turns import Push

BOT_S: Final = 0.7
"""Seconds that a bot seems to think."""
CHANCE_S: Final = 6.0
"""Seconds in which the person may speak up out of turn."""


class GoneError(Exception):
    """The person has gone, and the match is saved."""


class Match:
    """Plays a match to its end, or until the person leaves or there is nothing more to read.

    :param random: what the bots do by chance.
    """

    def __init__(self, sitting: Sitting, random: Random) -> None:
        self._sitting = sitting
        self._game = sitting.game
        self._screen = sitting.screen
        self._keyboard = sitting.keyboard
        self._random = random
        self._typed = Typed(sitting.game, sitting.screen, self._ask)

    def play(self) -> bool:
        """Play on.

        :returns: whether the match came to its end.
        :raises OSError: the match could not be saved, or (and it is saved) what is printed goes nowhere.
        """
        with self._keyboard.heeding_calls():
            try:
                while self._game.phase is not MATCH_OVER:
                    self._step()
            except GoneError:
                return False
            except (EOFError, Leaving):
                self._sitting.save_at_last()
                return False
            except OSError:
                self._sitting.save_at_last()
                raise
            self._screen.show_result()
            if self._sitting.file.wanted:
                self._sitting.save_at_last()
        return True

    def _step(self) -> None:
        """Let somebody do one thing."""
        if self._game.phase is IDLE:
            self._begin_round()
        elif self._somebody_speaks_up():
            pass
        elif push := self._sitting.turns.push():
            self._push(push)
        elif self._game.turn == ME:
            self._take_turn()
        else:
            self._sitting.wait(BOT_S)
            self._sitting.play(self._game.turn, bots.takes_its_turn(self._game, self._random))

    def _begin_round(self) -> None:
        """Deal; not when the person takes the last move back instead."""
        if self._game.state.round:
            self._screen.show_points()
            go_on = Text("Enter for the next {round}… ").filled(round=self._screen.round())
            if not self._enters(go_on, lambda: self._game.phase is IDLE):
                return
        self._sitting.begin()

    def _push(self, push: Push) -> None:
        demand = push.demand
        if push.presses and push.news and (demand.number > 1 or demand.payer != demand.receiver):
            self._screen.tell_debt(demand)
        waits = push.presses and demand.payer == ME and not push.chosen
        press = Text("Press Enter to press the launcher… ")
        if not waits or self._enters(press, lambda: self._game.demand is demand):
            self._sitting.pay(push)

    def _somebody_speaks_up(self) -> bool:
        """Whether a seat that is not in turn did something."""
        return any(map(self._speaks_up, bots.in_order_of_speaking(self._game, (ME,), self._random)))

    def _speaks_up(self, seat: int) -> bool:
        if seat == ME:
            return self._takes_a_chance(self._sitting.turns.chances(ME))
        move = bots.speaks_up(self._game, self._sitting.turns, seat, self._random)
        if move is not None:
            self._sitting.play(seat, move)
        return move is not None

    # The person

    def _take_turn(self) -> None:
        """Ask for a move until something has happened."""
        announced = not self._game.undone and self._game.log[-1] == Action(Deed.PLAY, ME, ANNOUNCE)
        if not announced:  # that changes nothing on the table
            self._screen.show_table()
        done = len(self._game.log)
        while self._enters(Text("You> "), lambda: len(self._game.log) == done):
            if move := self._screen.obvious():
                self._sitting.play(ME, move)
            else:
                self._screen.say(Text("Your move? (? for help)"))

    def _takes_a_chance(self, chances: Sequence[Move]) -> bool:
        """Offer what can be done out of turn; to announce the own last card one must think of oneself."""
        offered = [move for move in chances if move != ANNOUNCE]
        if not offered:
            return False
        self._screen.offer(offered)
        done = len(self._game.log)
        within_s = None if self._sitting.hurried else CHANCE_S
        return not self._enters(Text("Enter lets it pass. "), lambda: len(self._game.log) == done, within_s)

    def _enters(self, prompt: Text, still: Callable[[], bool], within_s: float | None = None) -> bool:
        """Ask until Enter is typed, or until it is no longer so what was asked for; all else is carried out.

        :raises GoneError: somebody typed q.
        """
        self._keyboard.forget_typed()
        while still():
            if not (answer := self._keyboard.ask(self._screen.said(prompt), within_s)):
                return True
            self._carry_out(answer)
        return False

    def _ask(self, prompt: str) -> str:
        return self._keyboard.ask(prompt)

    def _carry_out(self, answer: str) -> None:
        command, rest = self._typed.command(answer)
        match command:
            case "help":
                self._screen.show_help()
            case "quit":
                if self._sitting.save(expanded(Path(rest)) if rest else None):
                    raise GoneError
            case "undo":
                self._sitting.undo()
            case "show":
                self._screen.show_table()
            case "rules":
                self._screen.show_rules(rest)
            case _ if self._game.phase is IDLE:
                over = Text("The {round} is over: Enter for the next one.")
                self._screen.say(over.filled(round=self._screen.round()), style="red")
            case _:
                self._move(answer)

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
