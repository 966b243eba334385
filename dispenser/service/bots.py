"""Play for the bots of an evening: one action at a time, each after a delay."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from dispenser.launcher import messages as m
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import DRAW
from dispenser.service.evening import Evening
from dispenser.service.requests import ServiceError
from dispenser.table import commands as c
from dispenser.table.bots import move_out_of_turn, order_of_reaction, takes_its_turn
from dispenser.table.errors import TableRefusal

if TYPE_CHECKING:
    from dispenser.rules.engine.moves import Move
    from dispenser.service.launcher_service import LauncherService
    from dispenser.table.match import Match

_log = logging.getLogger(__name__)

THINKS_S: Final = 1.2  # Delay before each action of a bot, seconds: people must see the one before
SOURCE: Final = "bot"


class Bots:
    """Plays for bots, and for persons who left, while the cards are on the phones.

    :param refusal: returns why the launcher would refuse a push now.
    """

    def __init__(
        self, evening: Evening, service: LauncherService, refusal: Callable[[], m.Refusal | None], random: Random
    ) -> None:
        self._evening, self._service = evening, service
        self._refusal, self._random = refusal, random
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._seen = -1
        self._to_push = False  # a bot has to push, and no push of it was accepted yet

    def look(self) -> None:
        """Schedule an action if the table has changed and a bot may act.

        Without a phone or a screen connected bots do not act, and after a start only when a person resumes the match.
        """
        table = self._evening.table
        if self._closed or self._timer or not table.is_open or table.paused or not self._evening.present.anybody:
            return
        if (table.at != self._seen or (self._to_push and not self._refusal())) and table.acting_bot_seats:
            self._timer = asyncio.get_running_loop().call_later(THINKS_S, self._act)

    def close(self) -> None:
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()

    def _act(self) -> None:
        self._timer = None
        self._seen, self._to_push = self._evening.table.at, False
        match, bots = self._evening.table.match, self._evening.table.acting_bot_seats
        if match is None or not bots:
            return
        if not self._evening.present.anybody:
            self._seen = -1  # the next phone or screen triggers it again
            return
        try:
            if (demand := match.game.demand) is not None and demand.payer in bots:
                self._push()
            elif (done := self._move(match, bots)) is not None:
                seat, move = done
                action = match.notes.write(Action(Deed.PLAY, seat, move))
                person = match.order[seat]
                by = person if self._evening.table.people.is_here(person) else None
                self._service.execute(c.Act(action), person=by, owner=True)
        except (TableRefusal, ServiceError) as error:
            _log.info("a bot could not do that: %s", error)
        self.look()

    def _move(self, match: Match, bots: list[int]) -> tuple[int, Move] | None:
        game = match.game
        people = [seat for seat in range(game.seats) if seat not in bots]
        for seat in order_of_reaction(game, people, self._random):
            if seat in bots and (move := move_out_of_turn(game, match.turns, seat, self._random)) is not None:
                return seat, move
        if game.demand is None and game.question is None and game.turn in bots:
            move = takes_its_turn(game, self._random)
            if match.counts_presses and move == DRAW:
                self._push()
                return None
            return game.turn, move
        return None

    def _push(self) -> None:
        """Push the button, or wait until a push would be accepted: repeated refusals would only annoy people."""
        self._to_push = True
        if not self._refusal():
            self._service.enqueue(m.Press(SOURCE))
