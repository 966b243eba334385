"""Switch the computer off: write a file in the runtime directory, which a path unit of root waits for.

So the service needs no privileges, no D-Bus and no polkit, which not every Pi has (``dispenser-power.path``).
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

from dispenser.i18n import Text
from dispenser.service.requests import PowerAction, PowerSwitch, ServiceError

ASKED: Final = {PowerAction.OFF: "asked-poweroff", PowerAction.RESTART: "asked-reboot"}
"""File names; each contains the systemctl command."""
TIMEOUT_S: Final = 5.0  # systemd reacts to such a file at once (assumed: within this time on the slowest Pi)
POLL_S: Final = 0.1
_NOBODY = Text(
    "the computer cannot be switched off from here: dispenser-power.path does not run. 'sudo systemctl enable --now "
    "dispenser-power.path' starts it; 'sudo poweroff' switches off now"
)


def switch() -> PowerSwitch | None:
    """Return the function that switches this computer off; ``None`` if systemd has not started this process.

    To be called once, when the service starts: unhandled requests of an earlier run are deleted, so that they do not
    take effect hours later.
    """
    given = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    if not given:
        return None
    for name in ASKED.values():
        (Path(given) / name).unlink(missing_ok=True)

    async def ask(act: PowerAction) -> None:
        asked = Path(given) / ASKED[act]
        asked.touch()
        for _ in range(int(TIMEOUT_S / POLL_S)):
            await asyncio.sleep(POLL_S)
            if not asked.exists():
                return
        asked.unlink(missing_ok=True)
        raise ServiceError(_NOBODY)

    return ask
