"""The launcher at a real broker: what it publishes, after which breaks, and whom it obeys."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from dispenser.cli.serve import END_S
from dispenser.journal import Journal, Record
from dispenser.launcher.commands import Press
from dispenser.launcher.messages import PressAccepted
from dispenser.mqtt.outbox import Position
from dispenser.mqtt.publisher import Publisher
from dispenser.service.assembly import simulated_launcher
from dispenser.service.service import Service
from dispenser.service.settings import MqttSettings
from dispenser.table import commands as c
from tests.cli.test_serve import started
from tests.mqtt.conftest import Broker, Link, Listener, MakeBroker, listening, told, warned
from tests.web.rig import real_time

ID = "0123456789ab"
PREFIX = f"dispenser/{ID}"


@asynccontextmanager
async def published(
    broker: Broker, journal: Path, position: Path | None = None, **settings: Any
) -> AsyncIterator[tuple[Service, Publisher]]:
    """A simulated launcher that publishes."""
    async with simulated_launcher(journal=journal, seed="mqtt") as service:
        chosen = MqttSettings(**{"host": "127.0.0.1", "port": broker.port, **settings})
        publisher = Publisher(service, chosen, ID, Position(position), "http://table.local:8112/")
        running = asyncio.create_task(publisher.run())
        try:
            yield service, publisher
        finally:
            while not running.done():  # until Python 3.12 the library may lose a cancellation
                running.cancel()
                await asyncio.wait([running], timeout=END_S)


async def pressed_until_done(service: Service) -> Record:
    """Press until a press counts; return the record that ends its burst. A card that sticks out is taken."""
    while (answer := await service.handle(Press(), "button")).type != PressAccepted.type:
        if answer.data["reason"] == "card_in_exit" and service.simulator is not None:
            service.simulator.take_card()
        await asyncio.sleep(0.1)
    return await service.outcome(answer)


async def ready(listener: Listener) -> dict[str, Any]:
    """The first state of a launcher that can be pressed."""
    state: dict[str, Any] = await listener.on("/state", lambda state: state["state"] == "ready")
    return state


@real_time
async def test_who_subscribes_later_has_the_state_and_hears_what_happens(
    make_broker: MakeBroker, tmp_path: Path
) -> None:
    broker = make_broker()
    async with (
        published(broker, tmp_path / "journal.sqlite3") as (service, _),
        listening(broker, f"{PREFIX}/#") as first,
    ):
        await ready(first)
        async with listening(broker, f"{PREFIX}/#") as later:
            state = await later.on("/state")
            assert (state["state"], state["lid_open"], state["cards_inside"]) == ("ready", False, 112)
            assert state["page"] == "http://table.local:8112/"
            assert await later.on("/status") == "online"
            await pressed_until_done(service)
            ended = await later.on("/journal", lambda record: record["type"] == "launcher.burst.ended")
            assert ended["journal"] == service.journal.id
            assert ended == {
                "journal": ended["journal"],
                **json.loads(next(service.journal.read(after=ended["seq"] - 1)).json()),
            }
            kind = "burst" if ended["data"]["planned"] else "dud"
            assert (await later.on(f"/event/{kind}"))["event_type"] == kind
    async with listening(broker, f"{PREFIX}/status") as after:
        assert await after.on("/status") == "offline"


@real_time
async def test_what_happens_while_there_is_no_connection_is_published_after_it(
    make_broker: MakeBroker, tmp_path: Path
) -> None:
    broker = make_broker()
    link = Link(broker)
    await link.open()
    files = tmp_path / "journal.sqlite3", tmp_path / "mqtt.json"
    async with listening(broker, f"{PREFIX}/#") as listener:
        async with published(broker, *files, port=link.port) as (service, _):
            await ready(listener)
            await pressed_until_done(service)
            link.cut()
            await listener.on("/status", lambda status: status == "offline")
            await pressed_until_done(service)
            link.mend()
            await listener.on("/status", lambda status: status == "online")
            newest = service.journal.last_seq
            await listener.on("/journal", lambda record: record["seq"] == newest)
        link.close()
        async with published(broker, *files) as (service, _):  # the launcher was started anew
            newest = service.journal.last_seq
            await listener.on("/journal", lambda record: record["seq"] == newest)
        records = [told(each)["seq"] for each in listener.seen if str(each.topic).endswith("/journal")]
        numbers = list(dict.fromkeys(records))
        assert numbers == list(range(numbers[0], newest + 1))


@real_time
async def test_what_has_piled_up_comes_in_order(make_broker: MakeBroker, tmp_path: Path) -> None:
    broker = make_broker("allow_anonymous true", "max_queued_messages 0")
    path = tmp_path / "journal.sqlite3"
    with closing(Journal.open(path)) as journal:
        journal.append("test", [("test.event", {"number": number}) for number in range(1000)])
        (tmp_path / "mqtt.json").write_text(json.dumps({"journal": journal.id, "seq": 0}), encoding="utf-8")
    async with listening(broker, f"{PREFIX}/journal") as listener, published(broker, path, tmp_path / "mqtt.json"):
        await listener.on("/journal", lambda record: record["seq"] == 1000)
    assert list(dict.fromkeys(told(each)["seq"] for each in listener.seen)) == list(range(1, 1001)), "doubles aside"


@real_time
async def test_what_happens_before_the_first_connection_is_not_skipped(
    make_broker: MakeBroker, free_port: int, tmp_path: Path
) -> None:
    files = tmp_path / "journal.sqlite3", tmp_path / "mqtt.json"
    async with published(make_broker(), *files, port=free_port) as (service, _):
        await warned("dispenser.mqtt")
        pressed = await service.handle(Press())
        assert Position(files[1]).after(service.journal.id, pressed.seq) < pressed.seq


@pytest.mark.parametrize("word", ["press", "reset"])
@real_time
async def test_a_command_that_is_allowed_is_carried_out_once_and_answered(
    word: str, make_broker: MakeBroker, tmp_path: Path
) -> None:
    broker = make_broker()
    async with (
        published(broker, tmp_path / "journal.sqlite3", commands=(word,)),
        listening(broker, f"{PREFIX}/#", "me") as me,
    ):
        await ready(me)
        for _ in range(2):
            await ask(me, f"{PREFIX}/command/{word}", '{"id": "one"}')
        answers = [await me.on("me") for _ in range(2)]
        assert answers[0] == answers[1]
        assert answers[0]["accepted"]
        assert answers[0]["record"]["data"]["request"] == "one"


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ("{}", "give it an id"),
        ("", "give it an id"),
        ('{"id": "x", "cards": 3}', "cards"),
        ("rubbish", "malformed"),
        ("[" * 1000, ""),
        ('{"id": "' + "x" * 2000 + '"}', "1024 are allowed"),
    ],
)
@real_time
async def test_a_command_that_cannot_be_read_is_refused_in_words(
    payload: str, why: str, make_broker: MakeBroker, tmp_path: Path
) -> None:
    broker = make_broker()
    async with (
        published(broker, tmp_path / "journal.sqlite3", commands=("press",)) as (service, _),
        listening(broker, f"{PREFIX}/state", "me") as me,
    ):
        await ready(me)
        await ask(me, f"{PREFIX}/command/press", payload)
        answer = await me.on("me")
        assert not answer["accepted"]
        assert why in answer["error"]
        assert next(service.journal.read(types=["launcher.press.*"]), None) is None


@real_time
async def test_what_the_settings_do_not_allow_and_what_was_retained_moves_nothing(
    make_broker: MakeBroker, tmp_path: Path
) -> None:
    broker = make_broker()
    async with listening(broker, "me") as me:
        await me.client.publish(f"{PREFIX}/command/press", '{"id": "old"}', retain=True)
        async with published(broker, tmp_path / "journal.sqlite3", commands=("press",)) as (service, _):
            await me.client.subscribe(f"{PREFIX}/state")
            await ready(me)
            await ask(me, f"{PREFIX}/command/eject", '{"id": "two", "cards": 3}')
            assert "do not allow eject" in (await me.on("me"))["error"]
            assert next(service.journal.read(types=["launcher.press.*"]), None) is None


@real_time
async def test_an_evening_at_the_broker_names_whose_turn_it_is_and_nothing_of_it_stays(
    make_broker: MakeBroker, tmp_path: Path
) -> None:
    broker = make_broker()
    async with published(broker, tmp_path / "journal.sqlite3") as (service, _), listening(broker, f"{PREFIX}/#") as me:
        await ready(me)
        service.execute(c.Open("Ana"), owner=True)
        service.execute(c.Join("Ben"))
        service.execute(c.Start("uno-extreme", {"customizable": 0}), person=1)
        service.execute(c.Act(["answer", None, "red 7"]), person=1)
        playing = await me.on("/state", lambda state: state["turn"])
        assert playing["turn"] in {"Ana", "Ben"}
        assert playing["scores"] == {"Ana": 0, "Ben": 0}
        assert "secret" not in b"".join(bytes(each.payload) for each in me.seen).decode()
        await ask_journal(me, service.journal.id, 0)
        missed = await me.on("me")
        assert [record["type"] for record in missed["records"]][:2] == ["table.opened", "table.joined"]
        service.execute(c.Close(), owner=True)
        await me.on("/state", lambda state: state["phase"] == "closed")
        async with listening(broker, f"{PREFIX}/#") as later:
            kept = await later.on("/state")
            assert "Ana" not in json.dumps(kept)


async def ask_journal(listener: Listener, journal: str, after: int) -> None:
    await listener.client.subscribe("me")
    await ask(listener, f"{PREFIX}/journal/get", json.dumps({"journal": journal, "after": after}))


async def ask(listener: Listener, topic: str, payload: str, answer_to: str = "me") -> None:
    properties = Properties(PacketTypes.PUBLISH)
    properties.ResponseTopic = answer_to
    await listener.client.publish(topic, payload, qos=1, properties=properties)


@real_time
async def test_a_broker_that_cannot_be_used_is_told_in_words(make_broker: MakeBroker, tmp_path: Path) -> None:
    (file := tmp_path / "passwords").write_text("")
    broker, login = make_broker("allow_anonymous false", f"password_file {file}"), {"username": "x", "password": "y"}
    async with published(broker, tmp_path / "journal.sqlite3", **login) as (service, _):
        await warned("dispenser.mqtt")
        assert "refuses this user name" in service.snapshot()["broker_error"]
        await pressed_until_done(service)


@real_time
async def test_a_demo_joins_the_broker_of_this_machine_and_carries_out_commands(
    make_broker: MakeBroker, tmp_path: Path
) -> None:
    broker, config = make_broker(), tmp_path / "dispenser.toml"
    config.write_text(f"[mqtt]\nport = {broker.port}\n", encoding="utf-8")
    demo = started("demo", "--mqtt", "--no-browser", "--port", "0", "--config", str(config))
    async with listening(broker, "dispenser/demo/#") as listener:
        with demo:
            await ready(listener)
            await listener.client.publish("dispenser/demo/command/press", '{"id": "first"}', qos=1)
            await listener.on("/journal", lambda record: record["type"] == PressAccepted.type)
