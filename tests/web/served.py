"""A whole simulated launcher with its page on a real socket of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from dispenser.service.assembly import simulated_launcher
from dispenser.service.service import Service
from dispenser.service.settings import WebSettings
from dispenser.web import server
from dispenser.web.security import OwnWifi

SOON_S = 30.0


@dataclass
class Page:
    service: Service
    address: str
    port: int
    serving: asyncio.Task[None]


@asynccontextmanager
async def served(
    settings: WebSettings | None = None,
    journal: Path | str = ":memory:",
    own_wifi: OwnWifi | None = None,
) -> AsyncIterator[Page]:
    """A simulated launcher with its page on a free port of this machine."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with simulated_launcher(seed="server tests", journal=journal) as service:
        settings = settings or WebSettings(port=0)
        serving = asyncio.create_task(
            server.serve(service, settings, ready=ready.set_result, own_wifi=lambda: own_wifi)
        )
        async with asyncio.timeout(SOON_S):
            address = await ready
        try:
            yield Page(service, address, int(address.rsplit(":", 1)[1].strip("/")), serving)
        finally:
            serving.cancel()
            await asyncio.wait([serving])
