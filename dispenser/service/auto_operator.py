"""Operate the simulated launcher during a match: take cards, reload, reset.

It takes a card that sticks out, fills the stack, clears a jam, and resets when the sensor saw nothing.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from dispenser.launcher.commands import Load, Reset
from dispenser.launcher.messages import BurstEnded, ExitChanged, Refusal, State, StateChanged
from dispenser.service.requests import ServiceError

if TYPE_CHECKING:
    from dispenser.service.service import Service
    from dispenser.simulator import Simulator

LEAST_CARDS: Final = 16  # The stack is filled below this number: a burst has at most twelve
LOOKS_S: Final = 2.5
"""Time for which people see a jam or an empty stack, seconds. A card that sticks out is taken at once."""
_WAITING: Final = frozenset({State.JAMMED, State.EMPTY, State.BLIND})


class AutoOperator:
    """Operator of the simulated launcher; ``cards``: size of a full stack."""

    def __init__(self, service: Service, cards: int) -> None:
        self._service = service
        self._cards = cards
        self._at_work: asyncio.Task[None] | None = None
        for kind in (BurstEnded, StateChanged, ExitChanged):
            service.on(kind.type, self._look)

    def _look(self, _: Any) -> None:
        evening, simulator = self._service.evening, self._service.simulator
        if simulator is None or (self._at_work is not None and not self._at_work.done()):
            return
        match = evening.table.match if evening is not None and evening.is_open else None
        if match is not None and not match.over and (self._waits() or simulator.view().cards_in_stack < LEAST_CARDS):
            self._at_work = asyncio.create_task(self._help(simulator), name="operates the simulated launcher")

    def _waits(self) -> bool:
        known = self._service.known()
        return known.state in _WAITING or known.refusal is Refusal.CARD_IN_EXIT

    async def _help(self, simulator: Simulator) -> None:
        if self._service.busy:
            return  # checked again when that burst ends
        if self._service.known().state in _WAITING:
            await asyncio.sleep(LOOKS_S)
        try:
            if self._service.known().refusal is Refusal.CARD_IN_EXIT:
                simulator.take_card()
                self._service.note("simulator.card.taken", {})
            if simulator.view().jammed:
                await self._free(simulator)
            if simulator.view().cards_in_stack < LEAST_CARDS:
                simulator.load(self._cards - simulator.view().cards_in_stack)
                self._service.note("simulator.stack.filled", {"cards": self._cards})
                await self._service.handle(Load(self._cards))
            if self._waits():
                await self._service.handle(Reset())
        except ServiceError:
            return  # the service stops or cannot write: checked again at the next burst

    async def _free(self, simulator: Simulator) -> None:
        for act in (simulator.open_lid, simulator.clear_jam, simulator.close_lid):
            act()
            await asyncio.sleep(0.5)
        self._service.note("simulator.jam.cleared", {})
