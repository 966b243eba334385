"""The doctor's check of the broker that the settings name."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from aiomqtt import MqttError

from dispenser.drivers.findings import Status
from dispenser.i18n import Text
from dispenser.mqtt.errors import broker_error
from dispenser.mqtt.identity import FILE, kept_id
from dispenser.mqtt.publisher import connected
from dispenser.service.settings import MqttSettings

NO_ID = "?"  # None yet: the first start makes it


def try_broker(settings: MqttSettings, folder: Path) -> tuple[Status, Text, Text | str]:
    """Connect beside the launcher that runs, and leave; what was found, and what to do.

    :param folder: where the launcher's id is kept.
    """
    try:
        id_ = kept_id(folder) or NO_ID
    except OSError:
        id_ = NO_ID

    async def attempt() -> None:
        async with connected(settings, f"{id_}-doctor"):
            pass

    try:
        with ThreadPoolExecutor(1) as executor:  # whoever asks may have a loop that runs
            executor.submit(lambda: asyncio.run(attempt())).result()
    except MqttError as error:
        return Status.WRONG, broker_error(error, settings, FILE), ""
    text = Text("{broker} takes the launcher’s messages; its topics begin with {topic}")
    broker = f"{settings.host}:{settings.broker_port}"
    return Status.GOOD, text.filled(broker=broker, topic=f"{settings.topic}/{id_}"), ""
