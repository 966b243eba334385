"""Broker, launcher and Home Assistant as programs of their own, each of which can be started again."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.mqtt.conftest import MOSQUITTO, find_free_port
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]
HASS = ROOT / "out/homeassistant/bin/hass"
CLIENT = "http://127.0.0.1/"
BROKER_ENTRY = {
    "entry_id": "broker",
    "version": 1,
    "minor_version": 1,
    "domain": "mqtt",
    "title": "MQTT",
    "options": {},
    "pref_disable_new_entities": False,
    "pref_disable_polling": False,
    "source": "user",
    "unique_id": None,
    "disabled_by": None,
}


@dataclass
class Program:
    """:ivar log: the file of all that it says."""

    log: Path
    command: list[str | Path]
    env: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command, cwd=ROOT, env=os.environ | self.env, stdout=log, stderr=subprocess.STDOUT
            )

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


class HomeAssistant(Program):
    """:ivar api: a client of it."""

    def __init__(self, folder: Path, broker_port: int) -> None:
        port = find_free_port()
        self.api = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
        (storage := folder / ".storage").mkdir(parents=True)
        shutil.copy(Path(__file__).with_name("configuration.yaml"), folder)
        entry = BROKER_ENTRY | {"data": {"broker": "127.0.0.1", "port": broker_port, "discovery": True}}
        stored = {"version": 1, "minor_version": 1, "key": "core.config_entries", "data": {"entries": [entry]}}
        (storage / "core.config_entries").write_text(json.dumps(stored), encoding="utf-8")
        super().__init__(
            folder / "output.log", [HASS, "--config", folder, "--skip-pip"], {"HOME_ASSISTANT_PORT": str(port)}
        )

    def log_in(self) -> None:
        """Make its first user, once it answers."""
        wait_until(self._answers, "Home Assistant")
        user = {"client_id": CLIENT, "name": "owner", "username": "owner", "password": "password", "language": "en"}
        made = self.api.post("/api/onboarding/users", json=user).raise_for_status().json()
        code = {"grant_type": "authorization_code", "code": made["auth_code"], "client_id": CLIENT}
        token = self.api.post("/auth/token", data=code).raise_for_status().json()["access_token"]
        self.api.headers["Authorization"] = f"Bearer {token}"

    def _answers(self) -> bool:
        try:
            return self.api.get("/api/onboarding").is_success
        except httpx.TransportError:
            return False

    def states(self) -> dict[str, str]:
        """Of all entities, by their ids; none while it starts."""
        try:
            answer = self.api.get("/api/states")
        except httpx.TransportError:
            return {}
        return {each["entity_id"]: each["state"] for each in answer.json()} if answer.is_success else {}

    def press(self, button: str) -> None:
        self.api.post("/api/services/button/press", json={"entity_id": button}).raise_for_status()

    def complaints(self) -> list[str]:
        """Warnings and errors of its log about the launcher."""
        told = (line for line in self.log.read_text(encoding="utf-8").splitlines() if re.search("WARNING|ERROR", line))
        return [line for line in told if "card_launcher" in line or "dispenser/" in line]


@contextmanager
def house(folder: Path) -> Iterator[tuple[Program, Program, HomeAssistant]]:
    """All three, and somebody who is logged in at Home Assistant."""
    port = find_free_port()
    (mosquitto := folder / "mosquitto.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    (settings := folder / "dispenser.toml").write_text(f'[mqtt]\nport = {port}\ncommands = ["press", "reset"]\n')
    demo = ["demo", "--config", settings, "--mqtt", "--no-browser", "--port", "0"]
    programs = (
        Program(folder / "mosquitto.log", [MOSQUITTO, "-c", mosquitto]),
        Program(folder / "launcher.log", [sys.executable, "-m", "dispenser", *demo]),
        HomeAssistant(folder / "homeassistant", port),
    )
    with programs[2].api, ExitStack() as started:
        for each in programs:
            each.start()
            started.callback(each.stop)
        programs[2].log_in()
        yield programs
