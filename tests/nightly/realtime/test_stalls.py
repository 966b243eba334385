"""The world does not wait: real time, the toy in a thread of its own, and a loop that is held up in every way we know.

What a launcher says of each burst is compared with the cards that left the toy. How soon this machine lets the pins'
thread run is its own affair, so a burst may bring a card too many here or be given up; but none is told wrongly.
``python -m tests.bench stalls`` counts how many are exact.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from functools import partial

import pytest
from pytest_mock import MockerFixture

from dispenser import Service, simulated_launcher
from dispenser.journal import Journal
from dispenser.service.settings import WebSettings
from dispenser.simulator import ToyParameters
from dispenser.web import server
from tests.nightly.realtime.stalled import NO_SUSPENSE, Evening, StalledLauncher, evening
from tests.service.test_service import with_settings

BURSTS, CARDS, SEED = 6, 4, 11
CLIENTS = 50
PATHS = ("/", "/api/v1/snapshot", "/api/v1/journal?limit=500", "/api/v1/openapi.json", "/api/v1/odds")


def check(evening: Evening) -> None:
    """Every card is told, and each burst as it was."""
    assert sum(burst.delivered for burst in evening.bursts) + evening.strays == evening.out, (SEED, evening)
    for burst in evening.bursts:
        assert burst.delivered == burst.out or evening.strays, (SEED, evening)
        assert (burst.cause == "complete") == (burst.delivered >= burst.asked), (SEED, evening)


def collect_garbage() -> None:
    """A full collection with as much about as a page brings."""
    rubbish = [[number] for number in range(300_000)]
    for one in rubbish:
        one.append(one)  # type: ignore[arg-type]
    del rubbish
    gc.collect()


@pytest.mark.parametrize(
    "hold_up",
    [None, *(partial(time.sleep, ms / 1000) for ms in (25, 120, 500)), collect_garbage],
    ids=["nothing", "25 ms", "120 ms", "500 ms", "garbage"],
)
def test_whatever_holds_up_the_loop_each_burst_is_told_as_it_was(hold_up: Callable[[], object] | None) -> None:
    check(asyncio.run(evening(BURSTS, CARDS, SEED, hold_up)))


def test_a_journal_on_a_slow_disk_changes_no_burst(mocker: MockerFixture) -> None:
    append, waits = Journal.append_batches, iter((0.3, 0.02, 0.15, 0.0) * 1000)

    def slow(journal: Journal, *given: object) -> object:
        time.sleep(next(waits))
        return append(journal, *given)  # type: ignore[arg-type]

    mocker.patch.object(Journal, "append_batches", slow)
    check(asyncio.run(evening(BURSTS, CARDS, SEED, None)))


async def ask_for_pages(port: int, number: int, enough: asyncio.Event) -> int:
    """One client: page after page; how many bytes came."""
    came = 0
    while not enough.is_set():
        path = PATHS[number % len(PATHS)]
        number += 1
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            came += len(await reader.read())
        finally:
            writer.close()
    return came


async def bursts_beside_clients(service: Service) -> Evening:
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(server.serve(service, WebSettings(port=0), ready=ready.set_result))
    port = int((await ready).rsplit(":", 1)[1].strip("/"))
    enough = asyncio.Event()
    clients = [asyncio.create_task(ask_for_pages(port, number, enough)) for number in range(CLIENTS)]
    try:
        return await StalledLauncher(service, SEED, None).evening(BURSTS, CARDS)
    finally:
        enough.set()
        await asyncio.wait(clients)
        serving.cancel()
        await asyncio.wait([serving])


def test_fifty_clients_that_ask_for_pages_change_no_burst() -> None:
    async def play() -> Evening:
        settings = with_settings(launcher=NO_SUSPENSE)
        parameters = ToyParameters.flawless()
        async with simulated_launcher(settings, seed=str(SEED), parameters=parameters) as service:
            return await bursts_beside_clients(service)

    check(asyncio.run(play()))
