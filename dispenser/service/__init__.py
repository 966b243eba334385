"""One launcher and one journal in one asyncio loop: what joins the machine, a driver, the odds and whoever listens."""

from __future__ import annotations

from dispenser.service.service import REREAD_S, Service

__all__ = ["REREAD_S", "Service"]
