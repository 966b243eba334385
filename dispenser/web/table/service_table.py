"""Find the table of the running session: it changes with each session, and may be closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dispenser.table.table import Table

if TYPE_CHECKING:
    from dispenser.service.evening import Evening
    from dispenser.service.service import Service


class ServiceTable:
    """The table of a service, as ``TableAccess`` asks for it, and who is connected to it."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @property
    def _evening(self) -> Evening | None:
        evening = self._service.evening
        return evening if evening is not None and evening.is_open else None

    @property
    def table(self) -> Table | None:
        """The table, open or not; ``None`` while there is no journal."""
        evening = self._service.evening
        return evening.table if evening is not None else None

    def connect(self) -> None:
        """A phone or a screen begins to show the table."""
        self._service.present.connect()
        if self._service.session is not None:
            self._service.session.bots.look()

    def disconnect(self) -> None:
        """One has stopped."""
        self._service.present.disconnect()

    @property
    def is_open(self) -> bool:
        return self._evening is not None

    @property
    def code(self) -> str:
        return self._evening.table.code if self._evening else ""

    @property
    def watch_key(self) -> bytes:
        return self._evening.table.watch_key if self._evening else b""

    @property
    def host(self) -> int | None:
        return self._evening.table.people.acting_host(self._service.present) if self._evening else None

    def knows_code(self, offered: str) -> bool:
        return self._evening is not None and self._evening.knows_code(offered)

    def person_of(self, secret: str) -> int | None:
        return self._evening.person_of(secret) if self._evening else None
