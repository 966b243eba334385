"""The whole service in real time, with the toy in threads of its own, and a loop that something holds up.

Nothing here passes or fails by the clock: each burst is compared with the cards that left the toy.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from dispenser import Service, simulated_launcher
from dispenser.journal import Record
from dispenser.launcher.commands import Eject, Reset
from dispenser.simulator import Toy, ToyParameters
from tests.service.test_service import with_settings

NO_SUSPENSE = {"suspense_min_s": 0.0, "suspense_max_s": 0.0}


@dataclass(frozen=True, slots=True)
class Burst:
    """What was asked for, what the service said, and what left the toy.

    :param out: cards that are out when the burst has ended, one that sticks out included.
    """

    asked: int
    delivered: int
    cause: str
    out: int

    @property
    def right(self) -> bool:
        """Exactly as many as asked for, and told so."""
        return (self.delivered, self.cause, self.out) == (self.asked, "complete", self.asked)


@dataclass(frozen=True, slots=True)
class Evening:
    """Some bursts.

    :param strays: cards that were told outside a burst: their edge was taken when its end had been told.
    :param out: cards that left the toy in all.
    """

    bursts: list[Burst]
    strays: int
    out: int


class StalledLauncher:
    """A simulated launcher whose loop is held up, at random, every 30 to 120 ms, by ``hold_up``.

    :param hold_up: blocks the loop's thread; ``None``: nothing does.
    """

    def __init__(self, service: Service, seed: int, hold_up: Callable[[], object] | None) -> None:
        assert service.toy is not None
        self.service = service
        self.toy: Toy = service.toy
        self._strays = 0
        service.on("launcher.card.left", self._see)
        self._stalling = asyncio.ensure_future(self._stall(Random(seed), hold_up))

    async def _stall(self, dice: Random, hold_up: Callable[[], object] | None) -> None:
        while hold_up is not None:
            await asyncio.sleep(dice.uniform(0.03, 0.12))
            hold_up()

    async def burst(self, cards: int) -> Burst:
        """One burst; the exit is free and the stack not empty afterwards."""
        if self.service.snapshot()["state"] != "ready":
            await self.service.handle(Reset())
        before = self._out()
        ended = await self.service.outcome(await self.service.handle(Eject(cards)))
        out = self._out() - before
        if self.toy.view().card_in_exit:
            self.toy.take_card()
        while self.service.snapshot()["exit_blocked"]:  # noqa: ASYNC110 - real time; the level is what is asked for
            await asyncio.sleep(0.01)
        if self.toy.view().cards_in_stack < 40:
            self.toy.load(60)
        return Burst(cards, ended.data["delivered"], ended.data["cause"], out)

    def _see(self, entry: Record) -> None:
        self._strays += entry.data["press"] is None

    async def evening(self, number: int, cards: int) -> Evening:
        """So many bursts, one after the other, and whatever is still to come."""
        before = self._out()
        try:
            played = [await self.burst(cards) for _ in range(number)]
        finally:
            self._stalling.cancel()
        await asyncio.sleep(0.3)
        return Evening(played, self._strays, self._out() - before)

    def _out(self) -> int:
        view = self.toy.view()
        return view.cards_out + view.card_in_exit


async def evening(number: int, cards: int, seed: int, hold_up: Callable[[], object] | None) -> Evening:
    """So many bursts on a launcher of their own."""
    settings = with_settings(launcher=NO_SUSPENSE)
    async with simulated_launcher(settings, seed=str(seed), parameters=ToyParameters.flawless()) as service:
        return await StalledLauncher(service, seed, hold_up).evening(number, cards)
