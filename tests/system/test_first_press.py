"""A Pi Zero does not load the page, nor the games, to answer a press."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio, json, sys
from dispenser.launcher.commands import Eject
from dispenser.cli import serve
from dispenser import simulated_launcher

async def press():
    async with simulated_launcher() as launcher:
        await launcher.outcome(await launcher.handle(Eject(1)))
    print(json.dumps(sorted(sys.modules)))

asyncio.run(press())
"""
PAGE = {"fastapi", "starlette", "pydantic", "uvicorn", "jinja2", "dispenser.web", "rich"}
EVENING = {"regex", "dispenser.rules", "dispenser.table.table", "dispenser.table.match"}


def test_a_press_loads_neither_the_page_nor_the_games() -> None:
    root = Path(__file__).parents[2]
    told = subprocess.run([sys.executable, "-c", PROGRAM], cwd=root, capture_output=True, text=True, check=True).stdout
    assert (PAGE | EVENING) & set(json.loads(told)) == set()
