"""What Home Assistant is told: entities of one device, their names, and what is taken away again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dispenser.journal import Record
from dispenser.launcher.commands import Eject
from dispenser.mqtt.discovery import messages
from dispenser.mqtt.state import burst_event, state_of
from dispenser.mqtt.topics import Topics
from dispenser.service.assembly import simulated_launcher
from dispenser.service.settings import ConfigError, MqttSettings, parse
from dispenser.simulator import SimulatorFault

TOPICS = Topics("dispenser/ID")


def told(**settings: Any) -> dict[str, dict[str, Any]]:
    """The discovery messages by their topics; an empty one is ``{}``."""
    found = messages(MqttSettings(**settings), "ID", TOPICS, "http://table.local/")
    return {topic: json.loads(payload or b"{}") for topic, payload in found}


def test_each_entity_is_of_one_device_has_an_id_of_its_own_and_follows_the_status() -> None:
    configs = [config for config in told(commands=("press", "reset")).values() if config]
    assert len({config["unique_id"] for config in configs}) == len(configs) == 19
    for config in configs:
        assert config["availability_topic"] == "dispenser/ID/status"
        assert config["device"]["identifiers"] == ["card_launcher_ID"]
        assert config["device"]["configuration_url"] == "http://table.local/"


async def test_each_entity_shows_a_field_that_the_state_has() -> None:
    async with simulated_launcher(seed="discovery") as service:
        state = state_of(service, "en")
    shown = [config["value_template"] for config in told().values() if config.get("state_topic") == TOPICS.state]
    assert len(shown) == 13
    assert all(any(f"value_json.{field}" in template for field in state) for template in shown)


async def test_a_launcher_that_brings_nothing_has_a_fault() -> None:
    async with simulated_launcher(seed="blind") as service:
        assert service.simulator is not None
        service.simulator.switch_fault(SimulatorFault.EMPTY_STACK)
        await service.outcome(await service.handle(Eject(1)))
        state = state_of(service, "en")
    assert (state["state"], state["fault"]) == ("blind", True)


@pytest.mark.parametrize(("cards", "event"), [(3, "burst"), (None, "burst"), (0, "dud")])
def test_a_press_without_a_card_is_no_burst(cards: int | None, event: str) -> None:
    data = {"press": 1, "planned": 3, "delivered": cards, "cause": "jammed"}
    assert burst_event(Record(1, "", "launcher", "launcher.burst.ended", data))[0] == event


def test_buttons_are_there_only_for_what_is_allowed_and_are_taken_away_again() -> None:
    found = told(commands=("press",))
    assert found["homeassistant/button/card_launcher_ID/press/config"]["command_topic"] == "dispenser/ID/command/press"
    assert found["homeassistant/button/card_launcher_ID/reset/config"] == {}


def test_names_are_french_where_the_settings_say_so() -> None:
    found = told(language="fr")["homeassistant/binary_sensor/card_launcher_ID/lid_open/config"]
    assert (found["name"], found["device"]["name"]) == ("Couvercle", "Lance-cartes")


def test_without_a_prefix_nothing_is_told() -> None:
    assert told(discovery="") == {}


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('host = "mqtt://broker"', "host"),
        ('topic = "a/#"', "topic"),
        ('commands = ["count"]', "commands"),
        ('key = "/etc/key.pem"', "key"),
    ],
)
def test_settings_that_cannot_be_are_told(line: str, key: str) -> None:
    with pytest.raises(ConfigError, match=rf"\[mqtt\] {key}"):
        parse(f"[mqtt]\n{line}\n")
