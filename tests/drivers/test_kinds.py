"""A kind of driver is one registration: its module, and a line in ``KINDS``."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from dispenser.drivers.kinds import KINDS, DriverSettings
from dispenser.launcher.commands import Eject
from dispenser.service.assembly import launcher
from dispenser.service.settings import Settings, parse
from dispenser.system.doctor import check_driver
from tests.service.test_service import play


@pytest.fixture(autouse=True)
def paper(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(KINDS, "paper", "tests.drivers.paper")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))


def test_the_settings_take_a_new_kind() -> None:
    assert parse('[driver]\nkind = "paper"\n').driver.kind == "paper"
    with pytest.raises(ValueError, match="known are gpio, serial, phone, paper"):
        DriverSettings(kind="pencil")


def test_a_launcher_plays_on_it() -> None:
    settings = Settings(driver=DriverSettings(kind="paper"))

    async def evening() -> None:
        service = launcher(settings)
        assert service.driver.about == "Cards on paper"
        async with service:
            await asyncio.sleep(0.1)
            ended = await service.outcome(await service.handle(Eject(3)))
            assert (ended.data["planned"], ended.data["cause"]) == (3, "timed")

    play(evening)


def test_the_doctor_looks_at_it() -> None:
    settings = Settings(driver=DriverSettings(kind="paper"))
    assert [finding.text for finding in check_driver(settings, runs=False)] == ["enough of it"]


def test_a_launcher_on_pins_needs_no_gpiozero_itself() -> None:
    """The process that holds its pins has it: that saves the service memory, and time at its start."""
    ask = "import sys, dispenser.drivers.gpio.kind; print('gpiozero' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout == "False\n"
