"""Check for ``dispenser doctor`` that the broker of the settings can be used."""

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

NO_ID = "?"  # No id yet: created at the first start


def try_broker(settings: MqttSettings, folder: Path) -> tuple[Status, Text, Text | str]:
    """Connect under an id of its own, so that a running launcher stays connected; return status, finding and remedy.

    :param folder: folder with the file of the launcher's id.
    """
    try:
        id_ = kept_id(folder) or NO_ID
    except OSError:
        id_ = NO_ID

    async def attempt() -> None:
        async with connected(settings, f"{id_}-doctor"):
            pass

    try:
        with ThreadPoolExecutor(1) as executor:  # the caller's thread may run an event loop
            executor.submit(lambda: asyncio.run(attempt())).result()
    except MqttError as error:
        return Status.WRONG, broker_error(error, settings, FILE), ""
    text = Text("{broker} takes the launcher’s messages; its topics begin with {topic}")
    broker = f"{settings.host}:{settings.broker_port}"
    return Status.GOOD, text.filled(broker=broker, topic=f"{settings.topic}/{id_}"), ""
