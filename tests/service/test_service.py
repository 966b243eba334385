"""The service as people use it: press, ask, say. All in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dispenser import Service, simulated_launcher
from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import Record
from dispenser.launcher.commands import Count, Load, Press, Reset
from dispenser.service.settings import Settings
from dispenser.simulator import Simulator, SimulatorParameters
from tests.launcher.scripted import ScriptedOdds

Evening = Callable[[], Coroutine[Any, Any, None]]
LONGEST_S = 24 * 3600.0


def play(evening: Evening) -> None:
    """Run an evening in virtual time, of a day at most; whatever it leaves behind is cleared away."""
    loop = VirtualLoop()
    try:
        loop.run_until_complete(asyncio.wait_for(evening(), LONGEST_S))
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def scripted(*cards: int, journal: Path | str = ":memory:", settings: Settings | None = None, **more: Any) -> Service:
    """A simulated launcher whose odds are written down and whose cards never fail."""
    return simulated_launcher(
        settings,
        journal=journal,
        seed="service",
        make_odds=lambda _: ScriptedOdds(cards),
        parameters=SimulatorParameters.flawless(),
        **more,
    )


def with_settings(**tables: dict[str, Any]) -> Settings:
    """The default settings with some keys changed, as ``launcher={"max_tries": 1}``."""
    settings = Settings()
    return replace(
        settings,
        **{
            name: table if name == "odds" else replace(getattr(settings, name), **table)
            for name, table in tables.items()
        },
    )


def simulator_of(service: Service) -> Simulator:
    assert service.simulator is not None
    return service.simulator


def types(records: list[Record]) -> list[str]:
    return [record.type for record in records]


async def test_presses_come_out_as_the_odds_say_and_are_told_step_by_step() -> None:
    async with scripted(3, 0, 2) as service:
        outcomes = [(await service.outcome(await service.handle(Press()))).data for _ in range(3)]
        assert [(each["planned"], each["delivered"], each["cause"]) for each in outcomes] == [
            (3, 3, "complete"),
            (0, 0, "dud"),
            (2, 2, "complete"),
        ]
        assert (simulator_of(service).view().cards_out, service.snapshot()["cards_inside"]) == (5, 107)
        told = types(list(service.journal.read(types=["launcher.press", "launcher.burst", "launcher.card.left"])))
        steps = ["press.accepted", "burst.started", *["card.left"] * 3, "burst.ended"]
        assert told[: len(steps)] == [f"launcher.{step}" for step in steps]


async def test_a_press_that_does_not_count_says_why_and_has_no_outcome() -> None:
    async with scripted(3) as service:
        await service.handle(Press())
        refused = await service.handle(Press())
        assert (refused.data["reason"], refused.data["press"]) == ("busy", 2)
        with pytest.raises(ValueError, match="press 2 was not accepted"):
            await service.outcome(refused)


async def test_loading_counting_and_resetting_are_answered_and_remembered() -> None:
    async with scripted(3, cards=20) as service:
        press = (await service.outcome(await service.handle(Press()))).data["press"]
        assert service.snapshot()["cards_inside"] == 17
        both = await asyncio.gather(service.handle(Count(4, press)), service.handle(Count(4, press)))
        assert [each.data["counted_before"] for each in both] == [3, 4], "two at once count once"
        assert service.snapshot()["cards_inside"] == 16
        await service.handle(Count(3))  # the last press
        assert service.snapshot()["cards_inside"] == 17
        await service.handle(Load(0))
        assert service.snapshot()["cards_inside"] == 0
        assert (await service.handle(Reset())).data["state"] == "ready"
        await service.handle(Press())
        for no_burst in (0, 2, 7):
            with pytest.raises(ValueError, match=f"press {no_burst}: no burst"):
                await service.handle(Count(3, no_burst))
