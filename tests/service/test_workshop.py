"""The workshop on a running service: its driver, nobody else's presses, and the launcher as before afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from dispenser import simulated_launcher
from dispenser.i18n import Text
from dispenser.launcher.commands import Eject, Press
from dispenser.launcher.messages import PressRefused
from dispenser.maintenance.bench import simulate_hand
from dispenser.maintenance.wizard import Hand
from dispenser.maintenance.words import ANEW, SIMULATE_HAND, TAKE_BACK
from dispenser.service.calibration import CalibrationRecord
from dispenser.service.requests import NoSessionError, ServiceError
from dispenser.service.service import Service
from dispenser.service.settings import ConfigError, DriverSettings, JournalSettings, Settings, load
from dispenser.service.workshop import IDLE_S, UNSEEN_S, Workshop
from dispenser.simulator import Happening, Simulator, SimulatorParameters
from tests.service.test_service import simulator_of


@asynccontextmanager
async def launcher() -> AsyncIterator[tuple[Service, Simulator]]:
    async with simulated_launcher(seed="workshop", cards=60, parameters=SimulatorParameters.flawless()) as service:
        await asyncio.sleep(0.5)
        yield service, simulator_of(service)


async def go_through(workshop: Workshop, simulator: Simulator | None = None, until: str = "") -> None:
    """Somebody who does what is asked for, and says yes.

    :param simulator: where to do it with one's own hands.
    :param until: not the step of that name.
    """
    for _ in range(300):
        step = workshop.view("en")["wizard"]
        if step["over"] or step["check"] == until:
            return
        words = [each["answer"] for each in step["answers"]]
        if SIMULATE_HAND in words:
            workshop.answer(SIMULATE_HAND)
        elif simulator is not None and step["hand"] not in (None, Hand.LOOK):
            simulate_hand(simulator, step["hand"])
        for word in ("go", "yes"):
            if word in words:
                workshop.answer(word)
        await asyncio.sleep(0.7)
    raise AssertionError(step)


async def test_a_self_test_leaves_the_launcher_ready_and_knowing_its_cards() -> None:
    async with launcher() as (service, _):
        burst = await service.handle(Eject(1))
        with pytest.raises(ServiceError, match="in use"):
            service.open_workshop("selftest")
        await service.outcome(burst)
        await asyncio.sleep(1)
        workshop = service.open_workshop("selftest")
        refused = await service.handle(Press())
        assert (refused.type, refused.data["reason"]) == (PressRefused.type, "off")
        await go_through(workshop)
        assert {each["status"] for each in workshop.view("fr")["wizard"]["findings"]} == {"good"}
        service.leave()
        await asyncio.sleep(1)
        now = service.snapshot()
        assert (now["state"], now["refusal"], now["cards_inside"]) == ("ready", None, 55)
        burst = await service.outcome(await service.handle(Eject(2)))
        assert burst.data["delivered"] == 2


async def test_closed_in_the_middle_of_a_calibration_no_further_run_begins() -> None:
    async with launcher() as (service, simulator):
        workshop = service.open_workshop("calibrate")
        workshop.answer("skip")
        workshop.answer("skip")
        workshop.answer("go")
        await asyncio.sleep(0.03)
        assert simulator.view().motor_commanded == 1
        service.leave()
        motor: list[object] = []
        simulator.add_listener(lambda event: motor.append(event.value) if event.happening is Happening.MOTOR else None)
        await asyncio.sleep(3)
        assert motor == []
        assert simulator.view().motor_commanded == 0
        assert service.workshop is None


async def test_what_cannot_be_written_down_is_not_done(mocker: MockerFixture) -> None:
    async with launcher() as (service, _):
        full = NoSessionError(Text("the disk is full"))
        mocker.patch.object(service, "note", side_effect=[None, full, full])
        workshop = service.open_workshop("manual")
        workshop.answer("feed")
        await asyncio.sleep(0.5)
        with pytest.raises(ServiceError, match="closed"):
            workshop.answer("feed")
        await asyncio.sleep(2)
        assert service.snapshot()["state"] == "ready"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A settings file, with a journal elsewhere."""
    file = tmp_path / "etc" / "dispenser.toml"
    file.parent.mkdir()
    (tmp_path / "state").mkdir()
    file.write_text(f'[timing]\ncoast_s = 0.5  # mine\n[journal]\npath = "{tmp_path / "state" / "journal.sqlite3"}"\n')
    return file


def calibration(service: Service, settings: Settings) -> Workshop:
    """One of a real launcher, whose hands somebody moves."""
    service.all_settings, service.keeps_calibrations = settings, True
    simulator, service.simulator = service.simulator, None
    try:
        return service.open_workshop("calibrate")
    finally:
        service.simulator = simulator


async def test_the_service_writes_beside_its_journal_and_takes_it_back(installed: Path) -> None:
    async with launcher() as (service, simulator):
        before = load(installed)
        calibrated = installed.parents[1] / "state" / "calibrated.toml"
        workshop = calibration(service, load(installed))
        with pytest.raises(ServiceError):
            workshop.answer(ANEW)  # nothing was measured yet
        await go_through(workshop, simulator)
        told = workshop.view("en")
        assert f"Written into {calibrated}." in told["done"]
        assert told["trouble"] == ""
        now = load(installed)
        proposed = {each["setting"]: each["proposed"] for each in told["proposals"]}
        assert now.launcher.feed_card_s == proposed["launcher.feed_card_s"] != before.launcher.feed_card_s
        assert now.journal == before.journal
        assert "# mine" in installed.read_text(), "the settings file is as it was"  # noqa: ASYNC240
        service.leave()
        await asyncio.sleep(1)
        workshop = calibration(service, load(installed))
        assert TAKE_BACK in [each["answer"] for each in workshop.view("fr")["wizard"]["answers"]]
        workshop.answer(TAKE_BACK)
        assert "The settings are as they were before" in workshop.view("en")["done"]
        assert load(installed) == before
        assert not calibrated.exists(), "it overrides nothing any more"
        with pytest.raises(ServiceError):
            workshop.answer(TAKE_BACK)


async def test_a_calibration_goes_on_where_it_was_stopped_or_measures_all_again(installed: Path) -> None:
    async with launcher() as (service, simulator):
        workshop = calibration(service, load(installed))
        await go_through(workshop, simulator, until="lid")
        service.leave()
        await asyncio.sleep(1)
        workshop = calibration(service, load(installed))
        step = workshop.view("en")["wizard"]
        assert (step["check"], ANEW in [each["answer"] for each in step["answers"]]) == ("lid", True)
        workshop.answer(ANEW)
        step = workshop.view("en")["wizard"]
        assert (step["check"], step["findings"]) == ("button", [])


def test_each_calibration_is_taken_back_the_last_one_first(tmp_path: Path) -> None:
    file = tmp_path / "dispenser.toml"
    file.write_text(f'[timing]\ncoast_s = 0.1\n[journal]\npath = "{tmp_path}/journal.sqlite3"\n')
    CalibrationRecord(load(file)).write({"timing": {"coast_s": 0.2, "lid_settle_s": 0.08}})
    CalibrationRecord(load(file)).write({"timing": {"coast_s": 0.3}})
    assert (load(file).timing.coast_s, load(file).timing.lid_settle_s) == (0.3, 0.08)
    CalibrationRecord(load(file)).take_back()
    assert load(file).timing.coast_s == 0.2
    CalibrationRecord(load(file)).take_back()
    assert load(file).timing.coast_s == 0.1
    assert not CalibrationRecord(load(file)).can_take_back


async def test_settings_that_do_not_go_together_are_told_and_not_written(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with launcher() as (service, simulator):
        workshop = calibration(service, load(installed))

        def refuse(*_: object) -> None:
            raise ConfigError("[launcher] driver_patience_s = 0.3: use 0.7 or more")

        monkeypatch.setattr("dispenser.service.calibration.check", refuse)
        await go_through(workshop, simulator)
        assert workshop.view("en")["trouble"].startswith("[launcher] driver_patience_s = 0.3")
        assert not (installed.parents[1] / "state" / "calibrated.toml").exists()
        assert workshop.view("en")["done"] == ""


async def test_what_cannot_be_calibrated_or_gone_on_with_is_refused_with_what_to_do(tmp_path: Path) -> None:
    async with launcher() as (service, _):
        with pytest.raises(ServiceError, match="a microcontroller keeps its own times"):
            calibration(service, Settings(driver=DriverSettings(kind="serial")))
        (tmp_path / "calibration.json").write_text("{")
        with pytest.raises(ServiceError, match="move it away, and measure again"):
            calibration(service, Settings(journal=JournalSettings(path=str(tmp_path / "journal.sqlite3"))))
        assert service.workshop is None
        assert service.snapshot()["state"] == "ready"


async def test_it_closes_by_itself_when_nobody_looks_or_a_page_is_left_open() -> None:
    async with launcher() as (service, simulator):
        workshop = service.open_workshop("manual")
        await asyncio.sleep(UNSEEN_S + 2)
        assert workshop.over
        workshop = service.open_workshop("manual")

        async def only_looked_at(seconds: float) -> None:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while True:
                        await workshop.look(workshop.number, "en")
                        await asyncio.sleep(0.1)

        await only_looked_at(IDLE_S - 10)
        simulator.push_button()
        await only_looked_at(IDLE_S - 10)
        assert not workshop.over, "somebody has pushed its button"
        await only_looked_at(30)
        assert workshop.over
        assert service.workshop is None
        await asyncio.sleep(1)
        assert service.snapshot()["state"] == "ready"
