"""A match at the terminal: one person on seat 1, bots on the others, a launcher made of odds."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from rich.console import Console

from dispenser.cli.match.company import Company
from dispenser.cli.match.keeping import Keeping
from dispenser.cli.match.keyboard import Keyboard, Leaving
from dispenser.cli.match.names import ME, AtTable
from dispenser.cli.match.person import GoneError, Person
from dispenser.cli.match.saved import MatchFile
from dispenser.cli.match.screen import Screen
from dispenser.cli.match.sitting import Sitting
from dispenser.cli.match.turns import Push
from dispenser.luck.odds import Odds
from dispenser.rules import Game
from dispenser.rules.engine.phases import IDLE, MATCH_OVER

BOT_S: Final = 0.7
"""Seconds that a bot seems to think."""


class Match:
    """Plays a match to its end, or until the person leaves or there is nothing more to read.

    :param names: of all players, the person first, who may have none.
    :param odds: what the launcher lets out at each press.
    :param random: what the bots do by chance.
    :param pause: waits so many seconds; ``None`` where nobody watches.
    :param file: where the match is saved when the person leaves, and when it is over if it was given a place.
    """

    def __init__(
        self,
        game: Game,
        names: AtTable,
        language: str,
        *,
        odds: Odds,
        random: Random,
        console: Console,
        pause: Callable[[float], None] | None,
        file: MatchFile,
    ) -> None:
        self._game = game
        self._screen = Screen(game, names, language, console)
        self._keyboard = Keyboard(console)
        self._keeping = Keeping(game, file, self._screen)
        self._sitting = Sitting(game, self._screen, self._keyboard, odds, pause)
        self._person = Person(self._sitting, self._screen, self._keyboard, self._keeping)
        self._company = Company(game, random)

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
                self._keeping.save_at_last()
                return False
            except OSError:
                self._keeping.save_silently()
                raise
            self._screen.show_result()
            self._keeping.save_when_over()
        return True

    def _step(self) -> None:
        """Let somebody do one thing."""
        turn = self._game.turn
        if self._game.phase is IDLE:
            self._begin_round()
        elif self._somebody_speaks_up():
            pass
        elif push := self._sitting.turns.push():
            self._push(push)
        elif turn == ME:
            self._person.takes_turn()
        else:
            self._sitting.wait(BOT_S)
            self._sitting.play(turn, self._company.in_turn(turn))

    def _begin_round(self) -> None:
        if self._game.state.round:
            self._screen.show_points()
            if not self._person.wants_next_round():
                return
        self._sitting.begin()

    def _push(self, push: Push) -> None:
        demand = push.demand
        if push.presses and push.news and (demand.number > 1 or demand.payer != demand.receiver):
            self._screen.tell_debt(demand)
        if push.presses and demand.payer == ME and not push.chosen and not self._person.has_pressed(demand):
            return
        self._sitting.pay(push)

    def _somebody_speaks_up(self) -> bool:
        """Whether a seat that is not in turn did something: first who forgot it, then the person, then the others."""
        bots = self._company.shuffled([seat for seat in range(self._game.seats) if seat != ME])
        forgetful = [seat for seat in bots if self._sitting.turns.forgetful(seat)]
        return any(self._speaks_up(seat) for seat in dict.fromkeys((*forgetful, ME, *bots)))

    def _speaks_up(self, seat: int) -> bool:
        chances = self._sitting.turns.chances(seat)
        if seat == ME:
            return self._person.speaks_up(chances)
        move = self._company.speaks_up(seat, chances)
        if move is not None:
            self._sitting.play(seat, move)
        return move is not None
