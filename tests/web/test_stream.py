"""The live stream: nothing missed, nothing twice, nobody waits for the slowest."""

from __future__ import annotations

import asyncio
import random

import pytest
from starlette.types import Message

from dispenser.service.event_bus import BATCH_RECORDS
from dispenser.service.service import Service
from dispenser.web import stream
from tests.web.rig import Launcher, Listener, in_virtual_time, launcher, virtual_time


async def make_entries(on: Launcher, how_many: int) -> None:
    """Things happen around the launcher, one each millisecond."""
    for number in range(how_many):
        on.service.note("toy.test.counted", {"number": number})
        await asyncio.sleep(0.001)


def last_seq(service: Service) -> int:
    return service.journal.last_seq


@virtual_time
async def test_an_event_carries_the_whole_entry() -> None:
    async with launcher() as on:
        listener = Listener(on.app)
        await asyncio.sleep(0.01)
        entry = on.service.note("toy.test.said", {"words": "Zwölf Karten\n", "number": 1.5})
        await asyncio.sleep(0.01)
        assert listener.status == 200
        assert listener.headers["content-type"].startswith("text/event-stream")
        assert listener.text.startswith("retry: 1000\n\n")
        (event,) = listener.events
        assert event["id"] == str(entry.seq)
        assert event["event"] == "toy.test.said"
        assert listener.entries[0] == (await on.get("/journal", params={"after": entry.seq - 1}))["entries"][0]
        await listener.leave()


@pytest.mark.parametrize("way", ["query", "header", "both"])
@virtual_time
async def test_a_start_gives_the_past_and_then_the_present(way: str) -> None:
    async with launcher() as on:
        await make_entries(on, 500)
        query = "after=10" if way == "query" else "after=1" if way == "both" else ""
        headers = {} if way == "query" else {"last-event-id": "10"}
        listener = Listener(on.app, query, headers)
        await make_entries(on, 50)
        assert listener.seqs == list(range(11, last_seq(on.service) + 1))
        await listener.leave()


@pytest.mark.parametrize("seed", range(5))
@virtual_time
async def test_reconnecting_at_any_moment_misses_nothing_and_repeats_nothing(seed: int) -> None:
    dice = random.Random(seed)
    async with launcher() as on:
        first = last_seq(on.service)
        writing = asyncio.create_task(make_entries(on, 2000))
        seen: list[int] = []
        connections = 0
        while not writing.done() or not seen or seen[-1] < last_seq(on.service):
            connections += 1
            resume = {"last-event-id": str(seen[-1])} if seen else {}
            listener = Listener(on.app, f"after={first}", resume)
            await asyncio.sleep(dice.expovariate(1 / 0.05))
            await listener.leave()
            seen += listener.seqs
            await asyncio.sleep(dice.expovariate(1 / 0.02))
        assert seen == list(range(first + 1, last_seq(on.service) + 1)), f"seed {seed}"
        assert connections > 10


@virtual_time
async def test_who_does_not_read_is_dropped_and_the_others_get_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "QUEUE_ENTRIES", 50)
    async with launcher() as on:
        before = last_seq(on.service)
        readers = [Listener(on.app) for _ in range(3)]
        slow = Listener(on.app)
        await asyncio.sleep(0.01)
        slow.pause()
        await make_entries(on, 1000)
        for reader in readers:
            assert reader.seqs == list(range(before + 1, before + 1001))
        slow.go_on()
        await slow.end()
        assert slow.ended
        assert len(slow.seqs) <= 51
        back = Listener(on.app, headers={"last-event-id": str(slow.seqs[-1] if slow.seqs else before)})
        await asyncio.sleep(0.1)
        assert slow.seqs + back.seqs == list(range(before + 1, before + 1001)), "it resumes without a gap"
        for listener in (*readers, back):
            await listener.leave()
        assert len(on.streams) == 0


@virtual_time
async def test_there_are_only_so_many_streams() -> None:
    async with launcher(max_streams=2) as on:
        first, second = Listener(on.app), Listener(on.app)
        await asyncio.sleep(0.01)
        third = await on.client.get("/api/v1/events")
        assert (third.status_code, third.json()["error"]) == (503, "too_many_streams")
        assert third.headers["retry-after"] == "5"
        await first.leave()
        fourth = Listener(on.app)
        await asyncio.sleep(0.01)
        assert fourth.status == 200, "a place that was left is free"
        await second.leave()
        await fourth.leave()


@virtual_time
async def test_a_quiet_stream_is_pinged() -> None:
    async with launcher() as on:
        listener = Listener(on.app)
        await asyncio.sleep(46)
        assert listener.text.count(": ping\n\n") == 3
        assert listener.events == []
        await listener.leave()


@virtual_time
async def test_when_the_service_stops_everything_is_told_and_the_stream_ends() -> None:
    async with launcher() as on:
        commitment = on.service.snapshot()["commitment"]
        listener = Listener(on.app)
        await asyncio.sleep(0.01)
        await on.service.stop()
        await listener.end()
        assert listener.ended
        told = {entry["type"]: entry["data"] for entry in listener.entries}
        assert {"launcher.switched.off", "fairness.revealed", "service.stopped"} <= told.keys()
        assert told["fairness.revealed"]["commitment"] == commitment


@virtual_time
async def test_when_the_web_stops_the_streams_end_and_no_new_one_begins() -> None:
    async with launcher() as on:
        listener = Listener(on.app)
        await asyncio.sleep(0.01)
        on.streams.close()
        await listener.end()
        assert (await on.client.get("/api/v1/events")).status_code == 503


@pytest.mark.long
@virtual_time
async def test_a_long_past_does_not_keep_the_launcher_waiting() -> None:
    async with launcher() as on:
        for number in range(3000):
            on.service.note("toy.test.counted", {"number": number})
        listener = Listener(on.app, "after=0")
        turns = 0
        while len(listener.seqs) < 3000:
            turns += 1
            await asyncio.sleep(0)
        assert turns >= 3000 / BATCH_RECORDS
        await listener.leave()


@virtual_time
async def test_a_start_beyond_the_end_belongs_to_another_journal() -> None:
    async with launcher() as on:
        beyond = last_seq(on.service) + 1
        answer = await on.client.get("/api/v1/events", params={"after": beyond})
        assert (answer.status_code, answer.json()["error"]) == (409, "ahead_of_journal")


@pytest.mark.parametrize("deaf", [True, False])
def test_a_stream_that_cannot_hear_or_ping_its_client_gives_its_place_back(deaf: bool) -> None:
    async def receive() -> Message:
        if deaf:
            raise RuntimeError("no line")
        return await asyncio.Future()

    async def send(message: Message) -> None:
        if b"ping" in message.get("body", b""):
            raise RuntimeError("no line")

    async def scenario() -> None:
        async with launcher() as on:
            bus, streams = on.service.event_bus, on.streams
            response = streams.add("", lambda: stream.EventStream(streams, bus, None))
            with pytest.raises(RuntimeError, match="no line"):
                async with asyncio.timeout(60):
                    await response({}, receive, send)
            assert len(streams) == 0

    in_virtual_time(scenario)
