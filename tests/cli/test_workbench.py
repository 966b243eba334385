"""The keys of a terminal, also of one that goes away."""

from __future__ import annotations

import asyncio
import os
import pty
import sys

import pytest

from dispenser.cli.workbench import keys


def test_a_terminal_that_is_gone_ends_what_waits_for_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever was left behind by a connection (nohup, say) must not hold the pins for ever."""

    async def sit() -> None:
        ours, theirs = pty.openpty()
        typed: asyncio.Queue[str] = asyncio.Queue()
        over, failures = asyncio.Event(), list[object]()
        asyncio.get_running_loop().set_exception_handler(lambda _, about: (failures.append(about), over.set()))
        with os.fdopen(theirs) as terminal:
            monkeypatch.setattr(sys, "stdin", terminal)
            with keys(typed.put_nowait, over.set):
                os.write(ours, b"f")
                assert await typed.get() == "f"
                os.close(ours)
                await over.wait()
        assert failures == []

    asyncio.run(sit())
