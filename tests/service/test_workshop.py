"""The workshop on a running service: its driver, nobody else's presses, and the launcher as before afterwards."""

from __future__ import annotations

import asyncio

import pytest

from dispenser import simulated_launcher
from dispenser.clocks.virtual import VirtualLoop
from dispenser.launcher.messages import PressRefused
from dispenser.service.answers import ServiceError
from dispenser.service.service import Service
from dispenser.service.workshop import LEND_A_HAND, UNSEEN_S, Workshop
from dispenser.toy import ToyParameters


def evening(act: object) -> None:
    """Let it happen to a simulated launcher in virtual time."""

    async def run() -> None:
        async with simulated_launcher(seed="workshop", cards=60, parameters=ToyParameters.flawless()) as service:
            await asyncio.sleep(0.5)
            await act(service)  # type: ignore[operator]

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(run())


async def go_through(workshop: Workshop) -> None:
    """Somebody who does what is asked for, and says yes."""
    for _ in range(300):
        step = workshop.told("en")["wizard"]
        if step["over"]:
            return
        words = [each["answer"] for each in step["answers"]]
        if LEND_A_HAND in words:
            workshop.tell(LEND_A_HAND)
        for word in ("go", "yes"):
            if word in words:
                workshop.tell(word)
        await asyncio.sleep(0.7)
    raise AssertionError(step)


def test_a_self_test_leaves_the_launcher_ready_and_knowing_its_cards() -> None:
    async def act(service: Service) -> None:
        workshop = service.open_workshop("selftest")
        refused = await service.press()
        assert (refused.type, refused.data["reason"]) == (PressRefused.type, "off")
        await go_through(workshop)
        assert {each["status"] for each in workshop.told("fr")["wizard"]["findings"]} == {"good"}
        service.leave()
        await asyncio.sleep(1)
        now = service.snapshot()
        assert (now["state"], now["refusal"], now["cards_inside"]) == ("ready", None, 56)
        burst = await service.outcome(await service.eject(2))
        assert burst.data["delivered"] == 2

    evening(act)


def test_a_calibration_of_a_simulated_launcher_tells_its_figures_and_writes_nothing() -> None:
    async def act(service: Service) -> None:
        workshop = service.open_workshop("calibrate")
        await go_through(workshop)
        told = workshop.told("en")
        assert {"time per card", "bounce of the lid"} <= {each["name"] for each in told["figures"]}
        assert "launcher.feed_card_s" in {each["setting"] for each in told["proposals"]}
        assert told["wizard"]["findings"][-1]["text"] == "nothing is written of a simulated launcher"

    evening(act)


def test_by_hand_the_lid_still_rules() -> None:
    async def act(service: Service) -> None:
        toy = service.toy
        assert toy is not None
        workshop = service.open_workshop("manual")
        workshop.tell("feed")
        await asyncio.sleep(0.03)
        assert service.motor_may_turn
        assert toy.view().motor_commanded == 1
        toy.open_lid()
        assert toy.view().motor_commanded == 0
        await asyncio.sleep(1)
        assert workshop.told("en")["levels"]["lid_open"]
        workshop.tell("feed")
        await asyncio.sleep(0.03)
        assert toy.view().motor_commanded == 0
        service.leave()
        await asyncio.sleep(1)
        assert service.snapshot()["state"] == "open"

    evening(act)


def test_it_closes_by_itself_when_nobody_looks_and_in_the_middle_of_a_run() -> None:
    async def act(service: Service) -> None:
        toy = service.toy
        assert toy is not None
        workshop = service.open_workshop("manual")
        await asyncio.sleep(UNSEEN_S - 1)
        workshop.tell("feed")
        await asyncio.sleep(0.03)
        service.leave()
        assert toy.view().motor_commanded == 0
        await asyncio.sleep(1)
        assert service.snapshot()["state"] == "ready"
        service.open_workshop("manual")
        await asyncio.sleep(UNSEEN_S + 2)
        assert service.workshop is None
        assert service.snapshot()["state"] == "ready"

    evening(act)


def test_one_at_a_time_and_not_into_a_burst() -> None:
    async def act(service: Service) -> None:
        await service.eject(3)
        with pytest.raises(ServiceError, match="in use"):
            service.open_workshop("manual")
        await asyncio.sleep(3)
        service.open_workshop("manual")
        with pytest.raises(ServiceError, match="already"):
            service.open_workshop("selftest")
        with pytest.raises(ServiceError, match="nothing called"):
            service.workshop.tell("sing")  # type: ignore[union-attr]

    evening(act)
