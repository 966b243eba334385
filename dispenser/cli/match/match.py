"""A match at the terminal: one person on seat 1, bots on the others, a launcher made of odds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from rich.console import Console

from dispenser.cli.match.keyboard import Keyboard, Leaving
from dispenser.cli.match.person import GoneError, Person
from dispenser.cli.match.saved import ME, MatchFile
from dispenser.cli.match.screen import Screen
from dispenser.cli.match.sitting import Sitting
from dispenser.cli.match.turns import Push
from dispenser.luck.odds import Odds
from dispenser.rules import Game
from dispenser.rules.bots import sensible_bot
from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.engine.observation import Observation
from dispenser.rules.engine.phases import IDLE, MATCH_OVER

BOT_S: Final = 0.7
"""Seconds that a bot seems to think."""
OVERLOOKS: Final = {Act.ANNOUNCE: 0.3, Act.RETRACT: 0.3, Act.CATCH: 0.4, Act.CATCH_RETRACT: 0.4, Act.JUMP_IN: 0.4}
"""How often a bot forgets to say something or misses a chance: nobody at a table is always attentive."""


class Match:
    """Plays a match to its end, or until the person leaves or there is nothing more to read.

    :param odds: what the launcher lets out at each press.
    :param random: what the bots do by chance.
    :param pause: waits so many seconds; ``None`` where nobody watches.
    :param file: where the match is saved when the person leaves, and when it is over if it was given a place.
    """

    def __init__(
        self,
        game: Game,
        language: str,
        *,
        odds: Odds,
        random: Random,
        console: Console,
        pause: Callable[[float], None] | None,
        file: MatchFile,
    ) -> None:
        self._game = game
        self._random = random
        self._screen = Screen(game, file.seating, language, console)
        self._keyboard = Keyboard(console)
        self._sitting = Sitting(game, self._screen, self._keyboard, odds, pause, file)
        self._person = Person(self._sitting)

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
                self._sitting.save_at_last(silently=True)
                raise
            self._screen.show_result()
            self._sitting.save_when_over()
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
            legal = self._game.legal_moves(turn)
            noticed = self._noticed(legal) or legal
            self._sitting.play(turn, self._wanted(turn, noticed) or self._random.choice(noticed))

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
        """Whether a seat that is not in turn did something: first who forgot it, then the person, then the others.

        Who is quicker at a table is chance.
        """
        bots = self._random.sample([seat for seat in range(self._game.seats) if seat != ME], self._game.seats - 1)
        forgetful = [seat for seat in bots if seat in self._game.state.exposed]
        return any(self._speaks_up(seat) for seat in dict.fromkeys((*forgetful, ME, *bots)))

    def _speaks_up(self, seat: int) -> bool:
        chances = self._sitting.turns.chances(seat)
        if seat == ME:
            return self._person.speaks_up(chances)
        noticed = self._noticed(chances)
        move = self._wanted(seat, noticed) if noticed else None
        if move is not None:
            self._sitting.play(seat, move)
        return move is not None

    def _noticed(self, moves: Sequence[Move]) -> list[Move]:
        """The moves, but what a bot forgets or misses."""
        return [move for move in moves if self._random.random() >= OVERLOOKS.get(move.act, 0.0)]

    def _wanted(self, seat: int, moves: list[Move]) -> Move | None:
        """What the bot on a seat does of what it has noticed."""
        return sensible_bot(Observation(self._game.state, seat, lambda _: moves), self._random)
