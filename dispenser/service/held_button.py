"""The launcher's button, held for ten seconds with the lid open, switches the computer off: for a Pi without a screen.

Nothing can move while the lid is open, and nobody holds the button that long in play. No driver reports how long a
button is held, so its level is read once a second. It works without a session, too.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from dispenser.drivers.base import DriverError
from dispenser.launcher.messages import Chime, Play
from dispenser.service.requests import PowerAction, ServiceError

if TYPE_CHECKING:
    from dispenser.service.service import Service

HOLD_S: Final = 10
CONFIRMATION: Final = Chime.LID_SHUT  # Played as confirmation; otherwise only when the lid is shut
_log = logging.getLogger(__name__)


class HeldButton:
    """Watches how long the button is held, from each push."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._watch: asyncio.Task[None] | None = None
        self._switching = False
        service.on_push = self._pushed

    def _pushed(self) -> None:
        if self._switching:
            return
        if self._watch is not None:
            self._watch.cancel()
        self._watch = asyncio.create_task(self._hold(), name="the button is held")

    async def _hold(self) -> None:
        for _ in range(HOLD_S):
            await asyncio.sleep(1.0)
            if self._service.busy:
                return  # the lid is shut
            try:
                levels = self._service.driver.levels()
            except DriverError:
                return  # reported by the driver's other users
            if not (levels.button_down and levels.lid_open and self._service.works):
                return
        self._switching = True
        self._service.driver.give(Play(CONFIRMATION))
        try:
            await self._service.switch_computer(PowerAction.OFF, "button")
        except ServiceError as error:
            _log.error("%s", error)
        self._switching = False
