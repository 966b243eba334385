"""What systemd is told of a launcher, and when."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from dispenser.launcher.commands import Press
from dispenser.launcher.messages import State
from dispenser.service.launcher_service import RETRY_S
from dispenser.service.service import Service
from dispenser.system.systemd import EXTEND_TIMEOUT_S, ReadyNotifier, notify
from tests.service.test_service import play, scripted


class Systemd(socket.socket):
    """The other end of the notify socket."""

    def heard(self) -> list[str]:
        """What has come since it was asked last."""
        messages = []
        with suppress(BlockingIOError):
            while True:
                messages.append(self.recv(4096).decode())
        return messages


@pytest.fixture(params=["path", "abstract"])
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Systemd]:
    address = f"{'@' if request.param == 'abstract' else ''}{tmp_path}/notify"
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    with Systemd(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(address.replace("@", "\0"))
        listening.setblocking(False)
        yield listening


READY = "READY=1\nSTATUS=\nWATCHDOG=1"


def notifier_of(service: Service) -> ReadyNotifier:
    notifier = ReadyNotifier(service, lambda: service.why_not["en"])
    service.on_alive = notifier.alive
    return notifier


def test_a_launcher_is_ready_when_a_press_would_be_answered_and_not_before(systemd: Systemd) -> None:
    async def evening() -> None:
        async with scripted(1) as service:
            notifier = notifier_of(service)
            assert service.known().state is State.OFF, "nobody has taken the first event yet"
            assert systemd.heard() == []
            await notifier.known.wait()
            assert service.known().state is State.READY
            assert systemd.heard() == [READY]
            assert (await service.handle(Press())).type == "launcher.press.accepted"
            await asyncio.sleep(2.5)
            assert systemd.heard() == [READY, READY], "the watchdog, and a repetition if the first one was dropped"

    play(evening)


def test_without_its_journal_it_says_why_it_is_not_ready_and_asks_for_time(systemd: Systemd, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    journal.mkdir()

    async def evening() -> None:
        async with scripted(1, journal=journal) as service:
            notifier = notifier_of(service)
            await notifier.known.wait()
            (message,) = systemd.heard()
            assert message == f"STATUS={service.why_not}\nEXTEND_TIMEOUT_USEC={EXTEND_TIMEOUT_S}000000"
            assert str(journal) in message
            await asyncio.sleep(120)
            assert set(systemd.heard()) == {message}
            journal.rmdir()
            await asyncio.sleep(RETRY_S + 1.5)
            assert systemd.heard()[-1] == READY
            assert (await service.handle(Press())).type == "launcher.press.accepted"

    play(evening)


def test_that_nobody_listens_stops_no_launcher(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))

    async def evening() -> None:
        async with scripted(1) as service:
            notifier_of(service)
            await asyncio.sleep(2.5)
            assert (await service.handle(Press())).type == "launcher.press.accepted"

    play(evening)
    assert "systemd cannot be told" in caplog.text


def test_a_reader_that_sleeps_is_not_waited_for(systemd: Systemd) -> None:
    for _ in range(1_000):  # more than its queue holds; a blocking socket would hang here for ever
        notify("WATCHDOG=1")
    assert systemd.heard()[0] == "WATCHDOG=1"
