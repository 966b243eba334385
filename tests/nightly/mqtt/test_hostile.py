"""Whatever others publish at the broker, the launcher goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dispenser.mqtt import publisher
from dispenser.service.service import Service
from tests.mqtt.conftest import Listener, MakeBroker, listening
from tests.mqtt.test_publisher import PREFIX, ask, pressed_until_done, published, ready
from tests.nightly.mqtt.paced import LONGEST_S, paced
from tests.web.rig import real_time

PRESS = f"{PREFIX}/command/press"
FLOOD = 5000


async def pressed_and_published(service: Service, listener: Listener) -> None:
    """A press by whoever stands there ends, and the broker's subscribers hear of it."""
    ended = await pressed_until_done(service)
    await listener.on("/journal", lambda record: record["seq"] == ended.seq)


@real_time
async def test_a_flood_of_commands_does_not_keep_others_from_pressing(make_broker: MakeBroker, tmp_path: Path) -> None:
    broker = make_broker()
    topics = [f"{PREFIX}/{end}" for end in ("state", "journal", "status")]
    async with (
        published(broker, tmp_path / "journal.sqlite3", commands=("press",)) as (service, _),
        listening(broker, *topics, "me") as me,
        listening(broker, "rude") as rude,
    ):
        await ready(me)

        async def flood() -> None:
            for number in range(FLOOD):
                await rude.client.publish(PRESS, f'{{"id": "flood-{number}"}}' if number % 2 else b"\xff", qos=0)

        flooding = asyncio.create_task(flood())
        for _ in range(2):
            await pressed_and_published(service, me)
        await flooding
        await ask(me, PRESS, '{"id": "after"}')
        assert (await me.on("me"))["id"] == "after"
        assert not any(bytes(each.payload) == b"offline" for each in me.seen)


@paced
async def test_two_launchers_with_one_id_both_say_so_and_go_on(
    make_broker: MakeBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRY_S", (1.0, 2.0))
    broker, said = make_broker(), set[Service]()
    async with (
        published(broker, tmp_path / "one" / "journal.sqlite3") as (one, _),
        published(broker, tmp_path / "two" / "journal.sqlite3") as (two, _),
        asyncio.timeout(LONGEST_S),
    ):
        while said != {one, two}:
            said |= {each for each in (one, two) if "id of this launcher" in (each.snapshot()["broker_error"] or "")}
            await asyncio.sleep(0.1)
        for service in (one, two):
            await pressed_until_done(service)
