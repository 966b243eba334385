"""The whole chain, in real time: button → the real program in simavr → pty → ``dispenser run`` → the page's stream."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.cli.test_serve import PATIENCE_S, page_of, started
from tests.firmware.pty_rig import PtyLauncher
from tests.firmware.world import UnoDevice

TRIES = 20
FAULT = "fault"
"""The state has changed to it."""


@pytest.fixture
def launcher() -> Iterator[PtyLauncher]:
    device = UnoDevice()
    device.boot()
    with PtyLauncher(device) as launcher:
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
        kind = FAULT if entry["data"].get("new") == "fault" else entry["type"]
        heard.append(kind)
        if kind in types:
            return entry
    raise AssertionError(f"the stream ended without {types}: {heard}")


def burst_after_a_press(launcher: PtyLauncher, address: str, stream: Iterator[dict[str, Any]]) -> None:
    """Push, and hear of the burst; on a computer so busy that the line times out, reset and push again.

    A push while nobody hears the line is not answered: then the fault is what is heard.
    """
    for _ in range(TRIES):
        before = launcher.do(lambda toy: toy.view().cards_out)
        launcher.do(lambda toy: toy.push_button())
        answer = until(stream, "launcher.press.accepted", "launcher.press.refused", FAULT)
        assert answer["data"].get("source") == "button" or answer["data"].get("new") == "fault"
        if answer["type"] == "launcher.press.accepted":
            ended = until(stream, "launcher.burst.ended")["data"]
            if ended["cause"] == "complete":
                left = launcher.do(lambda toy: toy.view().cards_out) - before
                assert ended["planned"] == ended["delivered"] == left >= 3
                return
            assert ended["cause"] == "fault", ended
        command = Request(f"{address}api/v1/reset", b"{}", {"Content-Type": "application/json"})
        urlopen(command, timeout=PATIENCE_S).read()
        until(stream, "launcher.reset")
        time.sleep(0.3)  # the button of the push before is held for half of that
    raise AssertionError(f"no whole burst in {TRIES} presses")


def test_press_burst_page(launcher: PtyLauncher, tmp_path: Path) -> None:
    config = tmp_path / "dispenser.toml"
    config.write_text(
        f'[driver]\nkind = "serial"\nport = "{launcher.port}"\n[web]\nport = 0\n'
        f'[journal]\npath = "{tmp_path / "evening.sqlite3"}"\n[odds.fire]\npolicy = "memoryless"\nprobability = 1.0\n',
        encoding="utf-8",
    )
    with started("run", "--config", str(config)) as process:
        address = page_of(process)
        assert b"<html" in urlopen(address, timeout=PATIENCE_S).read()
        with urlopen(f"{address}api/v1/events?after=0", timeout=PATIENCE_S) as response:
            stream = entries(response)
            until(stream, "service.started")
            burst_after_a_press(launcher, address, stream)
            launcher.do(lambda toy: toy.open_lid())
            until(stream, "launcher.lid.opened")
            launcher.do(lambda toy: toy.push_button())
            assert until(stream, "launcher.press.refused")["data"]["reason"] == "lid_open"
            assert launcher.do(lambda toy: toy.view().motor_commanded) == 0
