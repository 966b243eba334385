"""Play for the bots of an evening: one action at a time, each after a delay in which the bot seems to think."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from dispenser.launcher import messages as m
from dispenser.service.requests import ServiceError
from dispenser.table import messages as t
from dispenser.table.errors import TableRefusal

if TYPE_CHECKING:
    from dispenser.rules.engine.moves import Move
    from dispenser.service.evening import Evening
    from dispenser.table.match import Match

_log = logging.getLogger(__name__)

THINKS_S: Final = 1.2
"""How long a bot seems to think, seconds: people must see what the one before it did."""
SOURCE: Final = "bot"


class Bots:
    """Plays for the bots, and for those who have gone, while the cards are on the phones.

    :param tell: says what a bot does; may raise ``TableRefusal`` or ``ServiceError``.
    :param refuses: whether the launcher would refuse a push now.
    """

    def __init__(
        self,
        evening: Evening,
        tell: Callable[..., object],
        enqueue: Callable[[m.Event], object],
        refuses: Callable[[], bool],
        random: Random,
    ) -> None:
        self._evening = evening
        self._tell, self._enqueue, self._refuses = tell, enqueue, refuses
        self._random = random
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._seen = -1
        self._to_push = False
        """A bot is to push, and its push may not have counted yet."""

    def look(self) -> None:
        """Something has changed: if a bot may act, one will. Costs nothing where no bot plays.

        Nothing moves where nobody is: a bot waits for a phone or a screen, and after a start for somebody to go on.
        """
        if self._closed or not self._evening.is_open or self._evening.table.paused or not self._evening.present.anybody:
            return
        news = self._evening.table.at != self._seen or (self._to_push and not self._refuses())
        if self._timer is None and news and self._evening.table.acting_bot_seats:
            self._timer = asyncio.get_running_loop().call_later(THINKS_S, self._act)

    def close(self) -> None:
        """No more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()

    def _act(self) -> None:
        from dispenser.service import playing

        self._timer = None
        self._seen, self._to_push = self._evening.table.at, False
        match, bots = self._evening.table.match, self._evening.table.acting_bot_seats
        if match is None or not bots:
            return
        if not self._evening.present.anybody:
            self._seen = -1  # whoever comes starts it again
            return
        try:
            if (demand := match.game.demand) is not None and demand.payer in bots:
                self._push()
            elif (done := self._move(match, bots)) is not None:
                seat, move = done
                action = match.notes.write(playing.Action(playing.Deed.PLAY, seat, move))
                person = match.order[seat]
                by = person if self._evening.table.people.is_here(person) else None
                self._tell(t.Act(action), person=by, owner=True)
        except (TableRefusal, ServiceError) as error:
            _log.info("a bot could not do that: %s", error)
        self.look()

    def _move(self, match: Match, bots: list[int]) -> tuple[int, Move] | None:
        from dispenser.service import playing

        game = match.game
        people = [seat for seat in range(game.seats) if seat not in bots]
        for seat in playing.in_order_of_speaking(game, people, self._random):
            if seat in bots and (move := playing.speaks_up(game, match.turns, seat, self._random)) is not None:
                return seat, move
        if game.demand is None and game.question is None and game.turn in bots:
            move = playing.takes_its_turn(game, self._random)
            if match.counts_presses and move == playing.DRAW:
                self._push()
                return None
            return game.turn, move
        return None

    def _push(self) -> None:
        """Push the button, or wait until that counts: nobody wants to enqueue it refused all evening."""
        self._to_push = True
        if not self._refuses():
            self._enqueue(m.Press(SOURCE))
