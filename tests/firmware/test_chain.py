"""The whole chain, in real time: button → the real program in simavr → pty → ``dispenser run`` → the page's stream.

Each end waits for the other, however busy the computer: the launcher's time stands still while its host is silent, and
the driver waits long for each answer.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.cli.test_serve import PATIENCE_S, page_of, started
from tests.drivers.serial.patient import PATIENT_DISPENSER
from tests.firmware.pty_rig import PtyLauncher
from tests.firmware.world import UnoDevice

CONFIG = """
[driver]
kind = "serial"
port = "{port}"
[web]
port = 0
[journal]
path = "{journal}"
[launcher]
suspense_min_s = 0.1
suspense_max_s = 0.1
[odds.fire]
policy = "memoryless"
probability = 1.0
[odds.size]
kind = "fixed"
cards = 3
"""
"""Each press fires three cards."""


@pytest.fixture
def launcher() -> Iterator[PtyLauncher]:
    device = UnoDevice()
    device.boot()
    with PtyLauncher(device, waits_for_host=True) as launcher:
        yield launcher


def entries(stream: Any) -> Iterator[dict[str, Any]]:
    """What the page hears; a stream that only says that it is alive ends in an error, too."""
    heard_s = time.monotonic()
    for line in stream:
        assert time.monotonic() - heard_s < PATIENCE_S, "nothing happens any more"
        if line.startswith(b"data:"):
            heard_s = time.monotonic()
            yield json.loads(line[5:])


def until(stream: Iterator[dict[str, Any]], *types: str) -> dict[str, Any]:
    heard = []
    for entry in stream:
        assert entry["data"].get("new") != "fault", f"a fault: {entry}; before it: {heard}"
        heard.append(entry["type"])
        if entry["type"] in types:
            return entry
    raise AssertionError(f"the stream ended without {types}: {heard}")


def test_press_burst_page(launcher: PtyLauncher, tmp_path: Path) -> None:
    config = tmp_path / "dispenser.toml"
    config.write_text(CONFIG.format(port=launcher.port, journal=tmp_path / "evening.sqlite3"), encoding="utf-8")
    with started("run", "--config", str(config), by=PATIENT_DISPENSER) as process:
        address = page_of(process)
        assert b"<html" in urlopen(address, timeout=PATIENCE_S).read()
        with urlopen(f"{address}api/v1/events?after=0", timeout=PATIENCE_S) as response:
            stream = entries(response)
            until(stream, "service.started")
            launcher.do(lambda toy: toy.push_button())
            assert until(stream, "launcher.press.accepted")["data"]["source"] == "button"
            ended = until(stream, "launcher.burst.ended")["data"]
            assert ended["cause"] == "complete"
            assert ended["planned"] == ended["delivered"] == launcher.do(lambda toy: toy.view().cards_out) == 3
            launcher.do(lambda toy: toy.open_lid())
            until(stream, "launcher.lid.opened")
            launcher.do(lambda toy: toy.push_button())
            assert until(stream, "launcher.press.refused")["data"]["reason"] == "lid_open"
            assert launcher.do(lambda toy: toy.view().motor_commanded) == 0
