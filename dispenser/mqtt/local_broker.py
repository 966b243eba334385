"""Find the broker on this machine for a demo, or start Mosquitto."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from dispenser.i18n import Text
from dispenser.mqtt.errors import BrokerError
from dispenser.service.settings import MqttSettings

HOST: Final = "127.0.0.1"
START_S: Final = 10.0  # Timeout for Mosquitto to listen, seconds
_PLACES: Final = "/usr/sbin:/usr/local/sbin"  # Debian's folders for it, which are not in a user's PATH
_NOT_THERE: Final = Text(
    "no MQTT broker runs on port {port} of this machine, and Mosquitto is not installed: sudo apt install mosquitto"
)
_NOT_STARTED: Final = Text("Mosquitto does not start: {why}")


@contextmanager
def join(settings: MqttSettings) -> Iterator[tuple[MqttSettings, bool]]:
    """Yield the settings for the broker on this machine, and whether it was started here: it ends with the block.

    :raises BrokerError: no broker runs, and Mosquitto cannot be started.
    """
    local = replace(settings, host=HOST)
    if _listens(local.broker_port):
        yield local, False
        return
    if (program := shutil.which("mosquitto") or shutil.which("mosquitto", path=_PLACES)) is None:
        raise BrokerError(_NOT_THERE.filled(port=local.broker_port))
    with tempfile.TemporaryDirectory(prefix="dispenser-mosquitto-") as folder:
        (file := Path(folder) / "mosquitto.conf").write_text(
            f"listener {local.broker_port} {HOST}\nallow_anonymous true\n", encoding="utf-8"
        )
        # In its own session: a Ctrl-C in the terminal ends the demo, which then ends the broker.
        with subprocess.Popen(  # noqa: S603 - found above
            [program, "-c", file],
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                _wait_until_it_listens(process, local.broker_port)
                yield replace(local, tls=False, username="", password=None), True
            finally:
                process.terminate()


def _wait_until_it_listens(process: subprocess.Popen[bytes], port: int) -> None:
    end_s = time.monotonic() + START_S
    while not _listens(port):
        if process.poll() is not None or time.monotonic() > end_s:
            said = process.stderr.read() if process.stderr and process.poll() is not None else b""
            raise BrokerError(_NOT_STARTED.filled(why=said.decode(errors="replace").strip() or "?"))
        time.sleep(0.05)


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True
