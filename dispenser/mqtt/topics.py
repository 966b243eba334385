"""The topics of one launcher; README.md lists them."""

from __future__ import annotations

from typing import Final

ONLINE: Final = b"online"
OFFLINE: Final = b"offline"


class Topics:
    """MQTT topics below ``prefix``, which is the setting ``topic`` and the launcher's id."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.status = f"{prefix}/status"
        self.state = f"{prefix}/state"
        self.journal = f"{prefix}/journal"
        self.journal_request = f"{prefix}/journal/get"

    def event(self, name: str) -> str:
        return f"{self.prefix}/event/{name}"

    def command(self, word: str) -> str:
        return f"{self.prefix}/command/{word}"
