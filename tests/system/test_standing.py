"""What systemd is told of a launcher, and when."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from dispenser.launcher.messages import State
from dispenser.service.life import RETRY_S
from dispenser.service.service import Service
from dispenser.system.systemd import PATIENCE_S, Standing
from tests.service.test_service import play, scripted


class Systemd:
    """The other end of the notify socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        """What has come since it was asked last."""
        messages = []
        while True:
            try:
                messages.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return messages

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Systemd]:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    listening = Systemd(tmp_path / "notify")
    yield listening
    listening.close()


def standing_of(service: Service) -> Standing:
    standing = Standing(service, lambda: service.why_not["en"])
    service.on_alive = standing.alive
    return standing


def test_a_launcher_is_ready_when_a_press_would_be_answered_and_not_before(systemd: Systemd) -> None:
    async def evening() -> None:
        async with scripted(1) as service:
            standing = standing_of(service)
            assert service.known().state is State.OFF, "nobody has taken the first event yet"
            assert systemd.heard() == []
            await standing.looked.wait()
            assert service.known().state is State.READY
            assert systemd.heard() == ["READY=1", "STATUS="]
            assert (await service.press()).type == "launcher.press.accepted"
            await asyncio.sleep(2.5)
            assert systemd.heard() == ["WATCHDOG=1", "WATCHDOG=1"]

    play(evening)


def test_without_its_journal_it_says_why_it_is_not_ready_and_asks_for_time(systemd: Systemd, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    journal.mkdir()

    async def evening() -> None:
        async with scripted(1, journal=journal) as service:
            standing = standing_of(service)
            await standing.looked.wait()
            status, more = systemd.heard()
            assert status == f"STATUS={service.why_not}"
            assert str(journal) in status
            assert more == f"EXTEND_TIMEOUT_USEC={PATIENCE_S}000000"
            await asyncio.sleep(120)
            assert set(systemd.heard()) == {status, more}
            journal.rmdir()
            await asyncio.sleep(RETRY_S + 1.5)
            assert systemd.heard()[-3:] == ["READY=1", "STATUS=", "WATCHDOG=1"]
            assert (await service.press()).type == "launcher.press.accepted"

    play(evening)


def test_that_it_is_ready_is_said_again_when_systemd_was_too_busy_to_hear(systemd: Systemd, tmp_path: Path) -> None:
    async def evening() -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as others:
            others.connect(str(tmp_path / "notify"))
            others.setblocking(False)
            with suppress(BlockingIOError):
                while True:
                    others.send(b"the boot of everything else")
        async with scripted(1) as service:
            standing = standing_of(service)
            await standing.looked.wait()
            assert "READY=1" not in systemd.heard()
            await asyncio.sleep(2.5)
            assert systemd.heard() == ["READY=1", "STATUS=", "WATCHDOG=1", "WATCHDOG=1"]

    play(evening)


def test_that_nobody_listens_stops_no_launcher(
    systemd: Systemd, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))

    async def evening() -> None:
        async with scripted(1) as service:
            standing_of(service)
            await asyncio.sleep(2.5)
            assert (await service.press()).type == "launcher.press.accepted"

    play(evening)
    assert "systemd cannot be told" in caplog.text
