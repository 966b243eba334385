"""``mqtt``: from the journal through a broker to a subscriber, and what it costs the launcher to publish.

The baselines: a bare paho that publishes the same bytes at QoS 1, reading the same journal, and the launcher without
MQTT. Broker and subscriber are processes of their own.
"""

from __future__ import annotations

import asyncio
import gc
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.subscribe import simple as subscribe_once

from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.journal import Journal, Record
from dispenser.launcher import messages as m
from dispenser.launcher.messages import MAX_MOTOR_RUN_S
from dispenser.mqtt.outbox import Position, as_message
from dispenser.mqtt.publisher import JSON, Publisher
from dispenser.service.assembly import named_seed, simulated_launcher
from dispenser.service.service import Service
from dispenser.service.settings import MqttSettings, Settings
from tests.bench.measure import Measure, against
from tests.bench.mqtt_subscriber import TYPE
from tests.bench.pins import AT_ONCE, NO_SUSPENSE, WIRING, Stopwatch, watched_factory
from tests.bench.process import LauncherProcess
from tests.bench.stream import pipes, process
from tests.bench.timing import Effort, take_turns
from tests.launcher.scripted import ScriptedOdds
from tests.mqtt.conftest import Broker

HOST = "127.0.0.1"
ID = "0123456789ab"
EVENTS_AT_MOST = 2.0
CATCH_UP_AT_MOST = 5.0
PRESS_AT_MOST = 1.1
MIB_AT_MOST = 5.0
EVENTS_IN_A_TURN = 500
SETTLE_S = 1.0
PATIENT = replace(NO_SUSPENSE, **dict.fromkeys(("feed_base_s", "blind_s", "stall_s"), MAX_MOTOR_RUN_S))
"""A shot that others hold up is no jam."""


def mqtt(effort: Effort) -> list[Measure]:
    """Records live and after a day away, presses while the broker hangs, memory."""
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(Path(folder), "allow_anonymous true", "max_queued_messages 0")
        try:
            memory = _memory(broker.port)  # before any other launcher keeps its state at the broker
            records = asyncio.run(_records(effort, broker.port, Path(folder) / "journal.sqlite3"))
            return [*records, _press(effort, Path(folder)), memory]
        finally:
            broker.kill()


async def _records(effort: Effort, port: int, path: Path) -> list[Measure]:
    _fill(path, effort.pick(20_000, 1_000))
    reading_us = [_read_us(path) for _ in range(effort.pick(3, 1))]
    with process("mqtt_subscriber", str(port), str(EVENTS_IN_A_TURN), cpu=-1) as subscriber:
        await asyncio.to_thread(pipes(subscriber)[1].readline)
        async with simulated_launcher(journal=path, seed="bench") as service:
            catching_up_us = [await _catch_up_us(service, port, subscriber, effort) for _ in reading_us]
            bare_us, live_us = await _live_us(service, port, subscriber, effort.pick(11, 2))
    note = f"the baseline only reads; to publish a record, bare paho alone takes {median(bare_us):.0f} µs"
    return [
        against(
            median(bare),
            median(ours),
            "mqtt",
            name,
            "µs",
            at_most=at_most,
            detail={"ours_us": sorted(ours), "bare_us": sorted(bare)},
            note=said,
        )
        for name, bare, ours, at_most, said in (
            ("a record → a subscriber", bare_us, live_us, EVENTS_AT_MOST, ""),
            ("a record, after a day away", reading_us, catching_up_us, CATCH_UP_AT_MOST, note),
        )
    ]


def _fill(path: Path, events: int) -> None:
    with closing(Journal.open(path)) as journal:
        for press in range(events // 10):
            journal.append("bench", [(TYPE, {"press": press, "number": number, "cards": 3}) for number in range(10)])


def _read_us(path: Path) -> float:
    """How long it takes to read one record."""
    begin = time.perf_counter_ns()
    with Journal.read_only(path) as journal:
        records = sum(1 for _ in journal)
    return (time.perf_counter_ns() - begin) / 1e3 / records


@asynccontextmanager
async def _publishing(service: Service, port: int, after: int) -> AsyncIterator[None]:
    """Publish the records after this one, and those that come."""
    position = Position(None)
    position.confirmed(service.journal.id, after)
    running = asyncio.create_task(Publisher(service, MqttSettings(host=HOST, port=port), ID, position).run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.wait([running])


async def _received(subscriber: subprocess.Popen[str], events: int) -> int:
    """When the subscriber had so many events more, nanoseconds."""
    line = ""
    for _ in range(events // EVENTS_IN_A_TURN):
        line = await asyncio.to_thread(pipes(subscriber)[1].readline)
    return int(line)


async def _catch_up_us(service: Service, port: int, subscriber: subprocess.Popen[str], effort: Effort) -> float:
    events = effort.pick(20_000, 1_000)
    begin = time.perf_counter_ns()
    async with _publishing(service, port, 0):
        return (await _received(subscriber, events) - begin) / 1e3 / events


async def _live_us(
    service: Service, port: int, subscriber: subprocess.Popen[str], turns: int
) -> tuple[list[float], list[float]]:
    """How long a record took, of bare paho and of ours, turn by turn; the first of ours waits for the connection."""
    bare_us, ours_us = list[float](), list[float]()
    bare = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
    bare.connect(HOST, port)
    bare.loop_start()
    async with _publishing(service, port, service.journal.last_seq):
        for _ in range(turns + 1):
            records = [service.note(TYPE, {"press": 1, "number": n, "cards": 3}) for n in range(EVENTS_IN_A_TURN)]
            payloads = [JSON(as_message(service.journal.id, record)) for record in records]
            begin = time.perf_counter_ns()
            ours_us.append((await _received(subscriber, EVENTS_IN_A_TURN) - begin) / 1e3 / EVENTS_IN_A_TURN)
            begin = time.perf_counter_ns()
            for payload in payloads:
                bare.publish("dispenser/bare/journal", payload, qos=1)
            bare_us.append((await _received(subscriber, EVENTS_IN_A_TURN) - begin) / 1e3 / EVENTS_IN_A_TURN)
    bare.disconnect()
    bare.loop_stop()
    return bare_us[1:], ours_us[1:]


class LoopedLauncher:
    """The launcher on mock pins with its journal in a file, on an event loop that runs during a shot only."""

    def __init__(self, journal: Path, port: int = 0) -> None:
        self._loop, self._stack = asyncio.new_event_loop(), AsyncExitStack()
        self._factory, self._state = watched_factory(), ""
        self._loop.run_until_complete(self._begin(journal, port))
        self.watch = Stopwatch(self._factory.pin(WIRING.motor_enable), on=True)

    async def _begin(self, journal: Path, port: int) -> None:
        driver = GpioDriver(WIRING, self._factory, asyncio.get_running_loop(), timing=AT_ONCE)
        settings, seed = Settings(launcher=PATIENT), partial(named_seed, "bench")
        odds = ScriptedOdds([], suspense=0.0)
        service = Service(driver, settings, partial(Journal.open, journal), seed, make_odds=lambda _: odds)
        await self._stack.enter_async_context(service)
        self._factory.pin(WIRING.lid).drive_low()
        if port:
            await self._stack.enter_async_context(_publishing(service, port, 0))
        await asyncio.sleep(SETTLE_S)
        self._stack.callback(service.on(m.StateChanged.type, self._changed))

    def _changed(self, record: Record) -> None:
        self._state = record.data["new"]
        self._loop.stop()

    def shot(self) -> int:
        button, exit_ = self._factory.pin(WIRING.button), self._factory.pin(WIRING.exit)
        begin = time.perf_counter_ns()
        button.drive_low()
        self._loop.run_forever()
        end = self.watch.at_ns
        button.drive_high()
        exit_.drive_high()
        exit_.drive_low()
        self._loop.run_forever()
        if self._state != m.State.READY.value:
            raise RuntimeError(f"the launcher should be ready, and is {self._state}")
        return end - begin

    def close(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._stack.aclose())
            runner.run(_cancel_what_runs())
            gc.collect()  # clients that were not connected use the loop at their end


async def _cancel_what_runs() -> None:
    for task in (tasks := asyncio.all_tasks() - {asyncio.current_task()}):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _press(effort: Effort, folder: Path) -> Measure:
    with (
        socket.create_server((HOST, 0), backlog=100) as hanging,  # it takes connections, and nobody reads them
        closing(LoopedLauncher(folder / "off.sqlite3")) as off,
        closing(LoopedLauncher(folder / "hanging.sqlite3", hanging.getsockname()[1])) as ours,
    ):
        hanging.settimeout(SETTLE_S)
        with hanging.accept()[0]:  # or nothing was measured
            times = take_turns({"ours": ours.shot, "off": off.shot}, effort.pick(2_200, 110), warm_up=50)
    detail = {name: series.as_json() for name, series in times.items()} | {"motor_on": ours.watch.seen}
    what = "press edge → motor on, the broker hangs, median"
    return against(
        times["off"].at_us(0.5), times["ours"].at_us(0.5), "mqtt", what, "µs", at_most=PRESS_AT_MOST, detail=detail
    )


def _memory(port: int) -> Measure:
    with LauncherProcess(web=True) as launcher:
        time.sleep(SETTLE_S)
        off_mib = launcher.peak_memory_mib()
    with LauncherProcess(web=True, settings=f'[mqtt]\nhost = "{HOST}"\nport = {port}\n') as launcher:
        subscribe_once("dispenser/+/state", hostname=HOST, port=port)
        time.sleep(SETTLE_S)
        mib = launcher.peak_memory_mib()
    return Measure(
        benchmark="mqtt",
        measure="peak memory, web on",
        unit="MiB",
        ours=mib,
        baseline=off_mib,
        ratio=mib / off_mib,
        goal=f"≤ + {MIB_AT_MOST:g} MiB",
        met=mib - off_mib <= MIB_AT_MOST,
    )
