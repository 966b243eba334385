"""What the page is told of a simulator that a script drives, without sockets and in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from gpiozero import LED, Button, Motor, TonalBuzzer

from dispenser.clocks.virtual import VirtualLoop
from dispenser.service.settings import WebSettings
from dispenser.simulator import Simulator, SimulatorFactory, SimulatorParameters
from dispenser.simulator.launcher_factory import BUILD_GUIDE
from dispenser.web.app import create_app
from dispenser.web.security import Policy
from dispenser.web.show import KEPT_RECORDS, PAUSE_S, Recent, ScriptShow
from dispenser.web.stream import Streams
from dispenser.web.texts import script_texts
from tests.web.rig import BASE


@dataclass
class Stage:
    """A simulator, a show of it, and a client on this machine. The test is the script."""

    simulator: Simulator
    factory: SimulatorFactory
    show: ScriptShow
    client: httpx.AsyncClient

    async def records(self) -> list[tuple[str, dict[str, Any]]]:
        """All that was told, once things are quiet."""
        await asyncio.sleep(1)
        return [(record.type, record.data) for record in self.show.journal.read(after=1)]

    async def post(self, path: str, **fields: Any) -> httpx.Response:
        return await self.client.post(f"/api/v1{path}", json=fields)


@asynccontextmanager
async def stage(name: str = "blink.py", **simulator: Any) -> AsyncIterator[Stage]:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    factory = SimulatorFactory()
    launcher = Simulator(SimulatorParameters.flawless(), BUILD_GUIDE, factory, loop.world, **simulator)
    show = ScriptShow(launcher, name, BUILD_GUIDE)
    streams = Streams(8)
    app = create_app(show, Policy(WebSettings()), streams)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as client:
        try:
            yield Stage(launcher, factory, show, client)
        finally:
            streams.close()
            launcher.close()
            factory.close()
            show.journal.close()


async def test_hands_and_devices_become_records_that_the_page_knows() -> None:
    async with stage() as on:
        light, buzzer = LED(16, pin_factory=on.factory), TonalBuzzer(18, pin_factory=on.factory)
        motor = Motor(23, 24, enable=25, pin_factory=on.factory)
        for path, fields in (
            ("/simulator/button", {"hold_s": 10}),
            ("/simulator/release", {}),
            ("/simulator/lid", {"open": True}),
            ("/simulator/stack", {"cards": 2}),
            ("/simulator/lid", {"open": False}),
            ("/simulator/fault", {"fault": "roller_jam", "on": True, "cards": 9}),
            ("/simulator/cells", {}),
        ):
            assert (await on.post(path, **fields)).status_code == 200
        for act in (light.on, light.off, lambda: buzzer.play(440.0), buzzer.stop, motor.forward):
            await asyncio.sleep(1)
            act()
        await asyncio.sleep(1)
        motor.stop()
        on.simulator.open_lid()
        on.simulator.clear_jam()
        seen = await on.records()
    assert seen[:13] == [
        ("simulator.button.moved", {"down": True}),
        ("simulator.button.moved", {"down": False}),
        ("launcher.lid.opened", {}),
        ("launcher.cards.loaded", {"cards": 0}),
        ("launcher.cards.loaded", {"cards": 2}),
        ("launcher.lid.closed", {}),
        ("simulator.fault.switched", {"fault": "roller_jam", "on": True}),
        ("simulator.cells.changed", {"voltage_v": 4.8}),
        ("simulator.light.switched", {"on": True}),
        ("simulator.light.switched", {"on": False}),
        ("simulator.tone.changed", {"hz": 440.0}),
        ("simulator.tone.changed", {"hz": None}),
        ("simulator.motor.driven", {"duty": 1.0}),
    ]
    assert [data["jammed"] for type_, data in seen if type_ == "simulator.jam.changed"] == [True, False]
    known = set(script_texts("en")["types"])
    assert {type_ for type_, _ in seen} | {"simulator.script.started", "simulator.script.ended"} <= known


async def test_a_card_that_the_roller_pushed_out_flies_and_one_that_a_hand_took_does_not() -> None:
    async with stage() as on:
        motor = Motor(23, 24, enable=25, pin_factory=on.factory)
        sensor = Button(22, pin_factory=on.factory)
        motor.forward()
        sensor.when_released = motor.stop  # a card has come into the exit, and stays there
        await asyncio.sleep(2)
        assert (await on.post("/simulator/take")).status_code == 200
        assert ("simulator.card.taken", {"cards": 1, "inside": 111}) in await on.records()

        sensor.when_released = None
        sensor.when_pressed = motor.stop
        motor.forward()
        await asyncio.sleep(1)
        on.simulator.switch_fault("double_feed")  # two cards that stick together
        motor.forward()
        left = [data for type_, data in await on.records() if type_ == "launcher.card.left"]
        assert [data["suspected_double"] for data in left] == [False, True]
        assert left[0]["inside"] == 110
        assert 40 < left[0]["blocked_ms"] < 70


async def test_what_flickers_is_told_now_and_then_and_at_last_as_it_is() -> None:
    async with stage() as on:
        light = LED(16, pin_factory=on.factory)
        for _ in range(1001):
            light.toggle()
            await asyncio.sleep(0.001)
        told = await on.records()
        assert 2 <= len(told) <= 1.001 / PAUSE_S + 2
        assert told[-1] == ("simulator.light.switched", {"on": True})


async def test_the_snapshot_is_the_simulator_and_the_page_says_who_drives_but_nothing_can_be_pressed() -> None:
    async with stage("<b>.py", cards=7, lid_open=True) as on:
        snapshot = (await on.client.get("/api/v1/snapshot")).json()
        simulator = (await on.client.get("/api/v1/simulator")).json()
        assert snapshot == simulator | {"seq": 1, "script": "<b>.py", "cards_inside": 7}
        for path in ("/press", "/eject", "/load", "/reset", "/count"):
            assert (await on.post(path)).status_code == 404, path
        assert (await on.client.get("/api/v1/odds")).status_code == 404
        described = (await on.client.get("/api/v1/openapi.json")).json()["paths"]
        assert "/api/v1/simulator/button" in described
        assert "/api/v1/press" not in described
        page = (await on.client.get("/")).text
    for part in ("Your script &lt;b&gt;.py drives this launcher", "<dt>GPIO17</dt><dd>Button, to ground", "/script.js"):
        assert part in page
    for part in ("/page.js", 'id="reset"', "Fairness"):
        assert part not in page


async def test_whoever_listens_hears_the_end() -> None:
    async with stage() as on:
        listening = on.show.event_bus.subscribe(0)
        on.show.end("ValueError")
        heard = [(record.type, record.data) async for record in listening]
        assert heard == [
            ("simulator.script.started", {"script": "blink.py"}),
            ("simulator.script.ended", {"error": "ValueError"}),
        ]
        on.simulator.open_lid()  # nobody is told any more, and nothing breaks
        assert on.show.journal.last_seq == 2


def test_the_past_is_forgotten_in_time() -> None:
    with Recent.open(":memory:") as journal:
        for number in range(3 * KEPT_RECORDS + 10):
            journal.append("simulator", [("simulator.light.switched", {"on": bool(number % 2)})])
        kept = [record.seq for record in journal.read()]
        assert journal.last_seq == 3 * KEPT_RECORDS + 10
        assert kept == list(range(2 * KEPT_RECORDS + 1, 3 * KEPT_RECORDS + 11))
