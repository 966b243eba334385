"""Every entity is in Home Assistant with its value, also after each of the programs has started again."""

from __future__ import annotations

from pathlib import Path

from tests.nightly.homeassistant.house import house
from tests.waiting import wait_until

QUIET = {
    "sensor.card_launcher_state": "ready",
    "sensor.card_launcher_message": "–",
    "sensor.card_launcher_cards_inside": "112",
    "sensor.card_launcher_last_burst": "unknown",
    "sensor.card_launcher_duds_in_a_row": "0",
    "sensor.card_launcher_whose_turn": "–",
    "sensor.card_launcher_presses_due": "0",
    "sensor.card_launcher_scores": "–",
    "binary_sensor.card_launcher_lid": "off",
    "binary_sensor.card_launcher_jam": "off",
    "binary_sensor.card_launcher_empty": "off",
    "binary_sensor.card_launcher_fault": "off",
    "binary_sensor.card_launcher_card_in_the_exit": "off",
    "event.card_launcher_burst": "unknown",
    "event.card_launcher_dud": "unknown",
    "event.card_launcher_turn": "unknown",
    "event.card_launcher_round_over": "unknown",
    "button.card_launcher_press": "unknown",
    "button.card_launcher_reset": "unknown",
}


def test_every_entity_has_its_value_also_after_broker_launcher_and_home_assistant_started_again(tmp_path: Path) -> None:
    with house(tmp_path) as (broker, launcher, home_assistant):

        def now() -> dict[str, str]:
            return {id_: state for id_, state in home_assistant.states().items() if "card_launcher" in id_}

        wait_until(lambda: now() == QUIET, "every entity with its value")
        for program in (broker, launcher):
            program.stop()
            wait_until(lambda: set(now().values()) == {"unavailable"}, "nothing available")
            program.start()
            wait_until(lambda: now() == QUIET, f"every entity after {program.log.stem} started again")
        home_assistant.stop()
        home_assistant.start()
        wait_until(lambda: now() == QUIET, "every entity after Home Assistant started again")
        assert home_assistant.complaints() == []


def test_a_press_by_home_assistants_button_is_an_event_there(tmp_path: Path) -> None:
    with house(tmp_path) as (_, _, home_assistant):
        wait_until(lambda: home_assistant.states().get("sensor.card_launcher_state") == "ready", "a ready launcher")
        home_assistant.press("button.card_launcher_press")

        def told() -> bool:
            now = home_assistant.states()
            return any(now[f"event.card_launcher_{name}"] != "unknown" for name in ("burst", "dud"))

        wait_until(told, "the end of the press")
