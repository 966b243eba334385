"""Redact secrets, names of people and addresses of the house.

Journal records are filtered by an allowlist: numbers, and the texts under ``_HARMLESS``. In free text, known private
words are replaced.
"""

from __future__ import annotations

import pwd
import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from dispenser.journal import JournalReader, Record
from dispenser.service.settings import EVERYWHERE, LOOPBACK, Settings
from dispenser.system.hotspot import HotspotError, known

LEFT_OUT = "…"
_HARMLESS = {
    *("action", "cause", "chime", "commitment", "detail", "driver", "fault", "game", "kind", "line", "new", "odds"),
    *("old", "options", "order", "planned", "reason", "refusal", "seed", "seeds", "state", "tracking_mode", "version"),
    *("what", "why"),
}
"""Keys of journal data whose texts are not personal: states, reasons, moves, and seeds that the journal reveals."""
_FREE = {"detail", "why"}  # Those of them whose texts may quote something private
_SOURCES = {"api", "bot", "button", "launcher", "mqtt", "owner", "phone", "service", "table", "simulator", "web"}
_ADDRESS = re.compile(
    r"(?<![\w.])(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"
    r"|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f:]+\b"
    r"|(?<![\w:])(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}(?![\w:])",  # shortened by ::
    re.IGNORECASE,
)
_LONG = 16  # Words of this length are also replaced inside longer words: a token is never shorter
_HUMANS = range(1000, 60_000)  # UIDs of human users


class Redactor:
    def __init__(self) -> None:
        self._words: dict[str, str] = {}
        for user in pwd.getpwall():
            if user.pw_uid in _HUMANS:
                self._words |= {user.pw_dir: "~", user.pw_name: "<user>"}
        self._words |= {str(Path.home()): "~", socket.gethostname(): "<computer>"}
        with suppress(HotspotError):  # a file that this user cannot read cannot be leaked either
            if network := known():
                self._words |= {network.password: "<password>"}

    def add_settings(self, settings: Settings) -> None:
        """Redact what the settings contain: tokens, passwords, hosts, the serial port (has a serial number in it)."""
        self._words |= {settings.web.token or "": "<token>", settings.mqtt.password or "": "<password>"}
        self._words |= {settings.web.screen_key or "": "<key>"}
        self._words |= {settings.driver.port: "<port>", settings.mqtt.username: "<user>"}
        hosts = {settings.web.host, *settings.web.allowed_hosts, *settings.web.dashboards, settings.mqtt.host}
        self._words |= dict.fromkeys(hosts - LOOPBACK - EVERYWHERE, "<host>")

    def add_journal(self, journal: JournalReader) -> None:
        """Redact what the journal contains: names of people, and seeds that are still secret.

        :raises JournalError: it cannot be read.
        """
        self._words |= {seed: "<seed>" for _, seed in journal.ask("SELECT commitment, seed FROM secrets")}
        for record in journal.read(types=["table.joined", "table.renamed"]):
            self._words[str(record.data.get("name") or "")] = "<person>"
        for record in journal.read(types=["launcher.press.accepted", "launcher.press.refused"]):
            source = str(record.data.get("source") or "")
            if source not in _SOURCES:
                self._words[source] = "<person>"

    def text(self, text: str) -> str:
        """Return a text with private words and local addresses replaced."""
        for word in sorted(self._words.keys() - {"", "/"}, key=len, reverse=True):
            alone = re.escape(word) if len(word) >= _LONG else rf"(?<!\w){re.escape(word)}(?!\w)"
            text = re.sub(alone, self._words[word], text, flags=re.IGNORECASE)
        return _ADDRESS.sub("<address>", text)

    def settings(self, value: Any) -> Any:
        """Return settings with each text redacted and the token removed."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: LEFT_OUT if key == "token" and each else self.settings(each) for key, each in value.items()}
        return [self.settings(each) for each in value] if isinstance(value, list | tuple) else value

    def record(self, record: Record) -> dict[str, Any]:
        """Return a record with only harmless data."""
        source = record.source if record.source in _SOURCES else "<person>"
        data = {key: self._value(key, value, harmless=False) for key, value in record.data.items()}
        return {"seq": record.seq, "time": record.time, "source": source, "type": record.type, "data": data}

    def _value(self, key: str, value: Any, *, harmless: bool) -> Any:
        harmless = harmless or key in _HARMLESS
        if key == "secret":  # whatever it contains
            return LEFT_OUT
        if key == "source":
            return value if value in _SOURCES else "<person>"
        if isinstance(value, str):
            return (self.text(value) if key in _FREE else value) if harmless else LEFT_OUT
        if isinstance(value, dict):
            return {inner: self._value(inner, each, harmless=harmless) for inner, each in value.items()}
        return (
            [self._value(key, each, harmless=harmless) for each in value] if isinstance(value, list | tuple) else value
        )
