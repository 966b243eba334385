"""The core on this computer, playing, and a host in session with it."""

from __future__ import annotations

import pytest

from tests.firmware.host import HostCore
from tests.firmware.line import Host


@pytest.fixture(autouse=True)
def no_wait_for_an_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python driver listens a few milliseconds longer, for a thread that may hold an edge; a firmware has none."""
    for room in ("run", "run_supervisor"):
        monkeypatch.setattr(f"dispenser.drivers.gpio.{room}.LISTEN_S", 0.0)


@pytest.fixture
def core() -> HostCore:
    core = HostCore(byte_us=87)
    core.start()
    core.run(500_000)
    return core


@pytest.fixture
def host(core: HostCore) -> Host:
    host = Host(core)
    host.hello()
    core.run(10_000)
    host.state()
    core.happenings()
    return host
