"""Home Assistant's MQTT discovery: one retained message for each entity, all of one device.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery; one message per entity also suits old versions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from dispenser.i18n import Text
from dispenser.launcher.messages import State
from dispenser.mqtt.state import BURST, DUD, EVENTS, ROUND_OVER, TURN
from dispenser.mqtt.topics import OFFLINE, ONLINE, Topics
from dispenser.version import VERSION

if TYPE_CHECKING:
    from dispenser.service.settings import MqttSettings

BUTTONS: Final = {"press": "mdi:gesture-tap-button", "reset": "mdi:restart"}  # Commands without arguments, their icons
_ID_TEMPLATE: Final = '{"id": "ha-{{ now().timestamp() }}"}'  # With an id, a message delivered twice is one press
MOST_TEXT: Final = 255  # Maximum length of a state in Home Assistant, characters
_DEVICE_NAME: Final = Text("Card launcher")


class Entity(NamedTuple):
    """An entity that shows a field of the state.

    :ivar field: field of the state, also the entity's id.
    :ivar config: additional keys of its discovery message.
    """

    component: str
    field: str
    name: Text
    config: dict[str, Any]


_NUMBER: Final = {"state_class": "measurement"}  # Without it Home Assistant shows null as "None"
ENTITIES: Final = (
    Entity(
        "sensor",
        "state",
        Text("State"),
        {"device_class": "enum", "options": [each.value for each in State], "icon": "mdi:cards"},
    ),
    Entity("sensor", "detail", Text("Message"), {"icon": "mdi:message-alert"}),
    Entity("sensor", "cards_inside", Text("Cards inside"), {"icon": "mdi:cards-outline", **_NUMBER}),
    Entity("sensor", "last_burst", Text("Last burst"), {"icon": "mdi:cards-playing", **_NUMBER}),
    Entity("sensor", "duds_in_a_row", Text("Duds in a row"), {"icon": "mdi:emoticon-neutral", **_NUMBER}),
    Entity("sensor", "turn", Text("Whose turn"), {"icon": "mdi:account"}),
    Entity("sensor", "presses_due", Text("Presses due"), {"icon": "mdi:counter", **_NUMBER}),
    Entity("sensor", "scores", Text("Scores"), {"icon": "mdi:scoreboard"}),
    Entity("binary_sensor", "lid_open", Text("Lid"), {"device_class": "opening"}),
    Entity("binary_sensor", "jam", Text("Jam"), {"device_class": "problem"}),
    Entity("binary_sensor", "empty", Text("Empty"), {"device_class": "problem"}),
    Entity("binary_sensor", "fault", Text("Fault"), {"device_class": "problem"}),
    Entity(
        "binary_sensor",
        "card_in_exit",
        Text("Card in the exit"),
        {"device_class": "occupancy", "icon": "mdi:exit-to-app"},
    ),
)
_EVENT_NAMES: Final = {
    BURST: Text("Burst"),
    DUD: Text("Dud"),
    TURN: Text("Turn"),
    ROUND_OVER: Text("Round over"),
}
_BUTTON_NAMES: Final = {"press": Text("Press", context="a thing to do"), "reset": Text("Reset")}


def messages(settings: MqttSettings, id_: str, topics: Topics, page: str) -> Iterator[tuple[str, bytes]]:
    """Yield topic and payload of every discovery message; an empty payload removes an entity.

    :param page: URL of the page.
    """
    if not settings.discovery:
        return
    language = settings.language
    device = {"identifiers": [f"card_launcher_{id_}"], "name": _DEVICE_NAME[language], "sw_version": VERSION}
    device |= {"model": "card-dispenser"} | ({"configuration_url": page} if page else {})
    common = {
        "device": device,
        "availability_topic": topics.status,
        "payload_available": ONLINE.decode(),
        "payload_not_available": OFFLINE.decode(),
    }

    def message(component: str, name: str, label: Text, config: dict[str, Any]) -> tuple[str, bytes]:
        whole = {"name": label[language], "unique_id": f"card_launcher_{id_}_{component}_{name}", **config, **common}
        return _topic(settings, id_, component, name), msgspec.json.encode(whole)

    for component, field, label, config in ENTITIES:
        shown = {"state_topic": topics.state, "value_template": _template(component, field, config), **config}
        if field == "scores":
            shown |= {
                "json_attributes_topic": topics.state,
                "json_attributes_template": "{{ value_json.scores | tojson }}",
            }
        yield message(component, field, label, shown)
    for name in EVENTS:
        yield message("event", name, _EVENT_NAMES[name], {"state_topic": topics.event(name), "event_types": [name]})
    for word, icon in BUTTONS.items():
        button = {"command_topic": topics.command(word), "command_template": _ID_TEMPLATE, "qos": 1, "icon": icon}
        allowed = word in settings.commands
        yield (
            message("button", word, _BUTTON_NAMES[word], button)
            if allowed
            else (_topic(settings, id_, "button", word), b"")
        )


def _topic(settings: MqttSettings, id_: str, component: str, name: str) -> str:
    return f"{settings.discovery}/{component}/card_launcher_{id_}/{name}/config"


def _template(component: str, field: str, config: dict[str, Any]) -> str:
    if component == "binary_sensor":
        return f"{{{{ 'ON' if value_json.{field} else 'OFF' }}}}"
    if config.keys() & {"state_class", "device_class"}:
        return f"{{{{ value_json.{field} }}}}"
    text = f"value_json.{field}"
    if field == "scores":
        text += ".items() | map('join', ' ') | join(', ')"
    return f"{{{{ (({text}) or '–')[:{MOST_TEXT}] }}}}"
