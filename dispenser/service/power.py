"""Commands for the computer on which the launcher runs: switch off, restart."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable


class PowerAction(enum.Enum):
    """Switch it off, or start it anew."""

    OFF = "off"
    RESTART = "restart"


PowerSwitch = Callable[[PowerAction], Awaitable[None]]
"""Asks for it; returns when somebody has taken it up.

:raises ServiceError: nobody has; says what to do.
"""
ASKED = "service.computer"
"""The family of the entries that tell of it: the act comes last."""
