"""One launcher and one journal in one asyncio loop: what joins the machine, a driver, the odds and whoever listens."""

from __future__ import annotations

from dispenser.service.life import REREAD_S
from dispenser.service.service import Service

__all__ = ["REREAD_S", "Service"]
