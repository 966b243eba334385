"""A kind of driver is one registration: its module, and a line in ``KINDS``."""

from __future__ import annotations

from pathlib import Path

import pytest

from dispenser.drivers.kinds import KINDS, DriverSettings, kind_of
from dispenser.drivers.phone.kind import NoLauncher
from dispenser.service.settings import Settings, parse
from dispenser.system.doctor import check_driver
from tests.conftest import FakeScheduler


@pytest.fixture(autouse=True)
def another_kind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(KINDS, "another", "dispenser.drivers.phone.kind")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))


def test_the_settings_take_a_new_kind() -> None:
    assert parse('[driver]\nkind = "another"\n').driver.kind == "another"
    with pytest.raises(ValueError, match="known are gpio, serial, phone, another"):
        DriverSettings(kind="pencil")


def test_it_is_made_and_the_doctor_looks_at_it() -> None:
    settings = Settings(driver=DriverSettings(kind="another"))
    assert isinstance(kind_of(settings.driver).make(settings, FakeScheduler()), NoLauncher)
    assert [finding.check for finding in check_driver(settings, runs=False)] == ["launcher"]
