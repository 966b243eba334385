"""The topics of one launcher; README.md has them as a table."""

from __future__ import annotations

from typing import Final, NamedTuple

ONLINE: Final = b"online"
OFFLINE: Final = b"offline"


class Topics(NamedTuple):
    """All below ``prefix``: the setting ``topic`` and the launcher's id."""

    prefix: str

    @property
    def status(self) -> str:
        return f"{self.prefix}/status"

    @property
    def state(self) -> str:
        return f"{self.prefix}/state"

    @property
    def journal(self) -> str:
        return f"{self.prefix}/journal"

    @property
    def journal_request(self) -> str:
        return f"{self.prefix}/journal/get"

    def event(self, name: str) -> str:
        return f"{self.prefix}/event/{name}"

    def command(self, word: str) -> str:
        return f"{self.prefix}/command/{word}"
